// The interactive solution: users set values, see which others are still possible and which contradict, and let the
// solver fill in the rest. The data come from the owner of this element.

import { button, clear, h, icon, iconButton } from "../dom";
import { Channel } from "../engine";
import type { Answer, BoardResult, Cells, Change, Diagnostic, Explanation, ExplainResult, Filled, Place, Progress, Reason, Request, Rule, Solution, Text } from "../../../npm/src/protocol";
import { type About, LivingBoard, type Setting, squeezed } from "./board";
import type { BoardCell } from "./cells";
import { axisNames } from "./layout";
import type { Directives } from "./directives";
import type { Form } from "./domains";
import { plainText, prose, upper } from "./prose";
import { language, words } from "./words";

/** Seconds for background requests, for a search, and for an explanation. */
const [SECONDS_ASIDE, SECONDS_SEARCH, SECONDS_WHY] = [4, 120, 15];
/** Seconds for the most different solution: a proof that no other one differs more often takes long. */
const SECONDS_DIFFERENT = 20;
/** The number of solutions that "next" requests at a time. */
const AT_A_TIME = 40;
/** Milliseconds without a change of the data before the engine is asked. */
const PAUSE = 180;
/** At most this many changes are offered. */
const MOST_CHANGES = 8;

/** A repair that the page can carry out, and its text. */
export interface Repair {
  says: string;
  run(): void;
}

export interface PlayHooks {
  /** A request about the model and the data. */
  request(verb: string): Request;
  /** True if the data can be used; if not, the errors have been shown. `null` if they have changed meanwhile. */
  ready(): Promise<boolean | null>;
  /** Called when the set values have changed. */
  changed(set: string[], what: string): void;
  /** The parameter whose value a text of data contains, if there is only one. */
  parameterIn(file: string): string | undefined;
  /** Carries out a change, and says so; `null` for a change that users cannot make here. */
  repair?(change: Change): Repair | null;
  /** The repair that switches off the requirement at a place, if users may do that. */
  switchOff?(place: Place): Repair | null;
  /** The model's directives for the page. */
  about(): Directives;
  /** Called when the display has changed. */
  shown?(): void;
  /** Called when the data have exactly one solution. */
  hasOneSolution?(): void;
  /** True if the first data are solved without being asked, unless people may want to solve them themselves. */
  solvesFirst?(): boolean;
  /** Seconds after which a search ends; 0 for no limit. */
  limit?(): number;
  /** Shows errors. */
  mistakes?(diagnostics: Diagnostic[]): HTMLElement;
  /** True if the unique solution stays hidden, as in a puzzle, until the reader asks for possible values. */
  isForReaders?: boolean;
  /** Runs the searches; by default a worker for this element. */
  search?: { start<Result>(request: Request, onLine: (line: { type: string }) => void): Promise<Answer<Result> | null>; stop(): void };
}

/** A requirement as Essence, or as a sentence about a domain. */
const formula = ({ says, reads, with: names }: Reason): HTMLElement => h("span", {}, h("code", {}, reads ?? says), names ? ` (${names})` : "");

const asText = ({ essence }: Filled, at = 0): Text => ({ name: `solution ${at + 1}`, text: essence });

export class Play {
  readonly board: LivingBoard;
  readonly status = h("p", { class: "status", role: "status", "aria-live": "polite" });
  readonly message = h("div", { class: "message-box" });
  /** The objective, in the words of its comment. */
  readonly #goal = h("p", { class: "help goal", hidden: true });
  readonly solveButton = h("button", { class: "primary solve" });
  readonly #better = h("button", { class: "secondary" });
  readonly #next = h("button", { class: "secondary" });
  readonly #different = h("button", { class: "secondary" });
  readonly #previous = h("button", { class: "secondary" });
  readonly #clear = h("button", { class: "quiet" });
  readonly bar = h("div", { class: "bar" });
  readonly #showing = h("input", { type: "checkbox" });
  readonly #showsPossible = h("label", { class: "check", hidden: true });
  readonly element = h("div", { class: "play" }, this.bar, this.#goal, this.status);
  /** The set values as constraints, including those that the current cells do not have. */
  set: string[] = [];
  #form: Form | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round = 0;
  readonly #aside = new Channel();
  readonly #reasons = new Channel();
  readonly #givens = new Channel();
  /** The model and the data of the board. */
  #texts = "";
  /** True if possible values are shown; `null` until it is known if there is only one solution. */
  #shows: boolean | null = null;
  readonly #search: NonNullable<PlayHooks["search"]>;
  #cells: BoardCell[] = [];
  #isSolving = false;
  #found: Filled[] = [];
  #number = 0;
  /** The user has seen the solutions up to this number. */
  #seen = 0;
  #hasAll = false;
  /** True if the found solutions are in the order in which the solver finds them. */
  #isListed = false;
  /** True if the found solutions are proven optimal. */
  #isBest = false;
  #isUsable = false;
  /** True if the possible values of some data have been shown. */
  #hasLooked = false;
  /** The possible values beside the set ones, if known. */
  #looked: BoardResult | null = null;

  constructor(readonly hooks: PlayHooks) {
    this.board = new LivingBoard({
      changed: (set, cell) => {
        this.set = set;
        hooks.changed(set, `cell ${cell}`);
        this.changed(false);
      },
      whyNot: (says, shown) => void this.#whyNot(says, shown),
    });
    // Messages about a value are below the board, so that they do not push the board away.
    this.element.append(this.board.element, this.message);
    const channel = new Channel();
    this.#search = hooks.search ?? { start: (request, onLine) => channel.run<never>(request, onLine).answer, stop: () => channel.stop() };
    this.solveButton.onclick = () => (this.#isSolving ? this.stop() : void this.solve());
    this.#better.onclick = () => void this.#findBetter();
    this.#next.onclick = () => void this.#findNext();
    this.#different.onclick = () => void this.#findDifferent();
    this.#previous.onclick = () => this.#show(this.#number - 1);
    this.#clear.onclick = () => {
      this.put([]);
      this.board.show(null);
      hooks.changed([], "clear");
      this.changed(false);
    };
    this.#showing.onchange = () => this.#showPossible(this.#showing.checked);
  }

  /** Sets all texts in the current language. */
  speak(): void {
    this.#better.textContent = words.better;
    this.#next.textContent = words.next;
    this.#different.textContent = words.mostDifferent;
    this.#previous.textContent = words.previous;
    this.#clear.textContent = words.clear;
    this.bar.replaceChildren(this.solveButton, this.#better, this.#previous, this.#next, this.#different, this.#clear, this.#showsPossible);
    this.#showsPossible.replaceChildren(this.#showing, words.showPossible);
    this.#buttons();
    this.#sayGoal();
    this.board.show(this.board.shown);
  }

  #sayGoal(): void {
    const { objective, objective_units, maximises } = this.#form ?? {};
    this.#goal.hidden = !objective;
    const sense = objective_units && objective_units.length > 1 ? null : maximises;
    this.#goal.replaceChildren(words.goal[String(sense)] ?? "", " ", ...prose(objective ?? ""));
  }

  /** Takes the engine's description of the model. */
  describe(form: Form): void {
    this.#form = form;
    this.#sayGoal();
    const { groupOf, isClock, isHidden, nameOf, placeOf, tableOf } = this.hooks.about();
    const shown = form.variables.filter(({ name }) => !isHidden(name)).sort((one, other) => placeOf(one.name) - placeOf(other.name));
    const about = ({ name, comment, domain }: (typeof shown)[0]): [string, About] => [
      name,
      { title: nameOf(name), comment, group: groupOf(name), axes: axisNames(domain), nameOf, wanted: tableOf(name), isClock: isClock(name) },
    ];
    this.board.describe(new Map(shown.map(about)));
  }

  /** Replaces the set values. */
  put(set: string[]): void {
    this.set = set;
    this.board.keep(set);
  }

  /** Forgets the cells, because another instance follows. */
  forget(): void {
    this.#cells = [];
    this.#shows = null;
    this.board.show(null);
  }

  /** Stops all running requests. */
  close(): void {
    clearTimeout(this.#timer);
    this.#round += 1;
    this.#texts = "";
    for (const channel of [this.#aside, this.#reasons, this.#givens]) {
      channel.stop();
      channel.discard();
    }
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** Shows a text, or a button that helps. */
  say(text: string, help?: () => void): void {
    this.status.replaceChildren(help ? button(text, "quiet small", help) : text);
  }

  /** Handles a change of the set values or of the data: asks which values are possible now. */
  changed(dataToo: boolean): void {
    this.#round += 1;
    this.#aside.stop();
    this.#reasons.stop();
    if (this.#isSolving) this.stop();
    this.#found = [];
    this.#hasAll = this.#isListed = this.#isBest = false;
    this.#number = this.#seen = 0;
    this.#looked = null;
    clear(this.message);
    this.#begin();
    this.#buttons();
    this.say(words.looking);
    clearTimeout(this.#timer);
    // Data are typed, so wait for a pause; a click on a cell is complete.
    this.#timer = setTimeout(() => void this.#refresh(), dataToo ? PAUSE : 0);
  }

  #buttons(): void {
    const { shown } = this.board;
    this.solveButton.replaceChildren(icon(this.#isSolving ? "stop" : "play"), this.#isSolving ? words.stop : words.solve);
    this.solveButton.classList.toggle("stopping", this.#isSolving);
    this.solveButton.disabled = !this.#isUsable && !this.#isSolving;
    this.#next.hidden = this.#found.length === 0 || this.#isSolving;
    this.#next.disabled = this.#hasAll && this.#number >= this.#found.length;
    this.#different.hidden = this.#next.hidden;
    this.#different.disabled = this.#next.disabled;
    this.#better.hidden = this.#next.hidden || this.#isBest || shown?.objective === null;
    this.#previous.hidden = this.#number < 2;
    this.#clear.hidden = this.set.length === 0;
    // The status then says what the value counts.
    this.#goal.hidden = !this.#form?.objective || (shown !== null && this.#found.length > 0 && this.#measure() !== "");
    this.hooks.shown?.();
  }

  /** True if the data can be used now. */
  async #ready(): Promise<boolean> {
    const mine = this.#round;
    const isUsable = await this.hooks.ready();
    if (mine !== this.#round || isUsable === null) return false;
    this.#isUsable = isUsable;
    if (!isUsable) {
      this.board.lay([], this.set);
      this.#cells = [];
      this.#texts = "";
    }
    this.#buttons();
    return isUsable;
  }

  #showPossible(shows: boolean): void {
    this.#shows = this.#showing.checked = shows;
    this.board.showsPossible = shows;
  }

  async #refresh(): Promise<void> {
    if (await this.#ready()) await this.#lookAhead();
  }

  wrong(diagnostics: Diagnostic[], says = words.failed): void {
    this.say(says);
    const shown = this.hooks.mistakes ? [this.hooks.mistakes(diagnostics)] : diagnostics.map((one) => h("p", { class: "problem" }, one.message));
    this.message.replaceChildren(...shown);
  }

  /** Lays out the cells, and asks which values are possible beside the set ones. */
  async #lookAhead(): Promise<void> {
    const mine = this.#round;
    // A solution may be found before the question about the values starts; its status stays.
    if (!this.#isSolving && this.#found.length === 0) this.say(this.#cells.length === 0 ? words.starting : words.looking);
    const asked = { ...this.hooks.request("board"), set: this.known(), possible: true, limit: SECONDS_ASIDE };
    const run = this.#aside.run<BoardResult>(asked, (line) => {
      // The answer to an older question must not change the board.
      if (mine !== this.#round || line.type !== "cells") return;
      this.#lay(line as Cells);
    });
    const answer = await run.answer;
    if (mine !== this.#round || !answer) return;
    if (answer.type === "failure") {
      // For example, a value that was set for other data does not exist any more.
      this.wrong(answer.diagnostics);
      return;
    }
    // The set values contradict each other; `conflict` is empty if the data alone have no solution.
    if (answer.conflict) {
      await this.#contradiction(answer.conflict);
      return;
    }
    if (this.#shows === null) {
      this.#showPossible(answer.possible.some((values) => values.length > 0 && values.filter((one) => one !== false).length !== 1));
      this.#showsPossible.hidden = !this.hooks.isForReaders && this.#shows === true;
      if (this.#shows === false && this.set.length === 0) this.hooks.hasOneSolution?.();
    }
    this.board.possible(answer.possible);
    this.#looked = answer;
    this.#sayPossible();
    const isFirst = !this.#hasLooked;
    this.#hasLooked = true;
    if (isFirst && this.set.length === 0 && this.#shows !== false && !this.board.isFull && this.hooks.solvesFirst?.()) await this.solve();
  }

  /** Shows the result of that question. */
  #sayPossible(): void {
    if (!this.#looked || this.#isSolving || this.#found.length > 0) return;
    const isOut = this.#looked.possible.some((values) => values.includes(false));
    const possible = this.#shows === false ? words.onlyOne : this.#looked.complete ? words.possibleAll : words.possibleSome;
    const full = this.set.length > 0 ? words.full : words.allFollows;
    this.say(this.board.isFull ? full : [words.ready, isOut ? possible : ""].filter(Boolean).join(" "));
  }

  /**
   * Starts over if the texts have changed: old solutions no longer apply, and the values that the data give must be
   * asked for again.
   */
  #begin(): void {
    const texts = JSON.stringify(this.hooks.request("board"));
    if (texts === this.#texts) return;
    this.#texts = texts;
    this.#shows = null;
    this.#givens.stop();
    this.board.show(null);
    this.board.forgetGiven();
  }

  /** Asks which values follow from the data, beside the hints in the picture. */
  async #learnGiven(): Promise<void> {
    const texts = this.#texts;
    const give = ({ given }: Explanation) => {
      if (texts !== this.#texts) return;
      this.board.give(given ?? []);
      this.#sayPossible();
    };
    const hint = this.#givens.run<ExplainResult>({ ...this.hooks.request("hint"), limit: SECONDS_ASIDE }, (line) => {
      if (line.type !== "progress") return;
      const { answer } = line as Progress;
      give(answer);
      // The given values come first; the rest of the hint is not needed.
      if (answer.given?.length) hint.stop();
    });
    const told = await hint.answer;
    if (told?.type === "result") give(told.answer);
  }

  /** The open cells with their values in a solution that keeps the set values. */
  async rest(): Promise<Setting[]> {
    let found: Filled | null = null;
    const asked: Request = { ...this.hooks.request("board"), set: this.known(), solutions: 1, limit: SECONDS_ASIDE, pictures: false };
    await this.#givens.run<BoardResult>(asked, (line) => {
      if (line.type === "solution") found = line as Filled;
    }).answer;
    return found ? this.board.rest(found) : [];
  }

  /** The set values that the current cells have. */
  known(): string[] {
    if (this.#cells.length === 0) return [];
    const all = new Set(this.#cells.flatMap(({ values }) => values.map(([, says]) => says)));
    return this.set.filter((one) => all.has(one));
  }

  #lay({ cells, stage }: Cells): void {
    const isFirst = this.#cells.length === 0 && this.set.length > 0;
    this.#cells = cells;
    if (this.board.lay(cells, this.set, stage)) void this.#learnGiven();
    // The first question was asked without set values, because their cells were not known yet.
    if (isFirst && this.known().length > 0) this.changed(false);
  }

  // ---- Contradictions and explanations ----

  async #contradiction(conflict: string[]): Promise<void> {
    const mine = this.#round;
    const { board } = this;
    board.clash(conflict);
    const isData = conflict.length === 0;
    this.say(isData ? words.unsolvable : this.hooks.isForReaders ? words.clashes : "");
    const list = h(isData ? "ol" : "ul", { class: isData ? "rules-list numbered" : "rules-list" });
    // The user's settings are not listed among the requirements.
    const own = isData ? [] : [h("ul", { class: "rules-list settings" }, ...conflict.map((says) => this.#settingItem(says))), h("p", { class: "help" }, words.becauseOf)];
    const box = h("div", { class: "contradiction", role: "alert" }, h("p", { class: "verdict bad" }, isData ? words.contradictionData : words.contradiction), ...own, list);
    const waiting = h("li", { class: "help" }, words.asking);
    list.append(waiting);
    const takes = conflict.map((says) => h("li", {}, button(words.takeBack(board.says(says)), "small", () => board.take(says))));
    const help = h("ul", { class: "changes-list" }, ...takes);
    box.append(h("p", { class: "help" }, words.takeBackTitle), help);
    this.message.replaceChildren(box);
    const answer = await this.#why(conflict);
    if (mine !== this.#round || !answer) return;
    const reasons = answer.type === "result" ? this.#reasonItems(answer.answer, conflict) : [];
    waiting.replaceWith(...(reasons.length > 0 ? reasons : [h("li", {}, words.noReason)]));
    if (isData && answer.type === "result") help.replaceChildren(...this.#changes(answer.answer));
  }

  /** Explains why these constraints cannot hold. */
  async #why(constraints: string[]): Promise<Answer<ExplainResult> | null> {
    const asked: Request = { ...this.hooks.request("why"), limit: SECONDS_WHY };
    if (constraints.length > 0) asked.expected = { name: "set", text: `such that\n${constraints.join(",\n")}\n` };
    let known: Progress | null = null;
    const answer = await this.#reasons.run<ExplainResult>(asked, (line) => {
      if (line.type === "progress") known = line as Progress;
    }).answer;
    // An explanation that could not be minimised in time is still an explanation.
    return answer?.type === "failure" && known ? { ...(known as Progress), type: "result", solution: null, complete: false, says: "", warnings: [] } : answer;
  }

  #settingItem(says: string): HTMLElement {
    const item = h("li", { class: "yours" }, this.board.says(says));
    item.dataset.says = says;
    return item;
  }

  /** List items for rules in the words of their templates and comments, each with its formulas. */
  #reasonItems({ reasons = [], rules = [] }: Explanation, settings: string[]): HTMLElement[] {
    const own = new Set(settings.map(squeezed));
    const model = this.hooks.request("why").model?.name;
    // A domain such as TIME has no label.
    const named = (name: string) => (name.length > 1 && name === name.toUpperCase() ? name.toLowerCase() : this.hooks.about().nameOf(name));
    const withNames = (text: string) => upper(text.replace(/`([^`]+)`/g, (_, name: string) => named(name)));
    const items: HTMLElement[] = [];
    for (const [position, one] of reasons.entries()) {
      const [at] = one.places;
      // The user's own settings are listed separately.
      if (at?.file === "set" || own.has(squeezed(one.says))) continue;
      const parameter = at && this.hooks.parameterIn(at.file);
      if (parameter !== undefined) {
        items.push(h("li", {}, h("span", {}, `${this.hooks.about().nameOf(parameter)}: `), h("code", {}, one.reads ?? one.says)));
        continue;
      }
      const line = at?.file === model ? this.#form?.requirements.find(({ first_line, last_line }) => at && first_line <= at.line && at.line <= last_line)?.first_line : undefined;
      const rule = rules.find((other) => other.reasons.includes(position + 1));
      // A rule is listed at its first instance.
      if (rule && rule.reasons[0] !== position + 1) continue;
      const isDomain = one.words === undefined;
      const inWords = rule?.domain && words.domain(rule.domain, named);
      const shownRule = rule && (inWords ? [upper(inWords)] : this.#ruleWords(rule, isDomain ? withNames : (text) => text));
      const item = h("li", {}, ...(shownRule ?? [formula(one)]));
      const instances = rule && !isDomain ? rule.reasons.flatMap((number) => reasons[number - 1] ?? []) : [];
      if (instances.length > 0) item.append(h("details", { class: "detail" }, h("summary", {}, words.formula), ...instances.map((reason) => h("div", {}, formula(reason)))));
      if (line !== undefined) item.dataset.line = String(line);
      items.push(item);
    }
    return items;
  }

  /** A rule in the language of the page, with the names of its instances. */
  #ruleWords({ says, says_in, names }: Rule, shown: (text: string) => string): (HTMLElement | string)[] {
    const [first = "", ...others] = says_in?.[language] ?? says;
    const further = others.map((text) => h("div", {}, ...prose(shown(text))));
    return [...prose(shown(first)), ...further, ...(names ? [h("span", { class: "detail" }, names)] : [])];
  }

  /** Sufficient changes, each with a button: first in the data, then in the optional requirements. */
  #changes(answer: Explanation): HTMLElement[] {
    const model = this.hooks.request("why").model?.name;
    const [inRules, inData] = [true, false].map((isRule) => (answer.changes ?? []).filter(({ place }) => (place.file === model) === isRule)) as [Change[], Change[]];
    const rules = (answer.reasons ?? []).flatMap(({ places: [place] }) => (place?.file === model ? [place] : []));
    const offered = [...[...inData, ...inRules].map((one) => this.hooks.repair?.(one)), ...rules.map((place) => place && this.hooks.switchOff?.(place))];
    const repairs = offered.filter((one) => one != null);
    const buttons = new Map(repairs.map(({ says, run }) => [says, run]));
    if (buttons.size === 0) return [h("li", {}, words.noRepair)];
    return [...buttons].slice(0, MOST_CHANGES).map(([says, run]) => h("li", {}, button(says, "small", run)));
  }

  async #whyNot(says: string, shown: string): Promise<void> {
    const mine = this.#round;
    const all = this.#cells.find(({ values }) => values.some(([, one]) => one === says));
    const own = new Set(all?.values.map(([, one]) => one));
    // The question replaces the value that is set in the same cell.
    const settings = [...this.known().filter((one) => !own.has(one)), says];
    const list = h("ul", { class: "rules-list" }, h("li", { class: "help" }, words.asking));
    const close = iconButton("close", words.close, "quiet close", () => {
      this.#reasons.stop();
      clear(this.message);
    }, false);
    const box = h("div", { class: "contradiction why-not", role: "alert" }, close, h("p", { class: "verdict" }, words.whyNotTitle(shown)), list);
    this.message.replaceChildren(box);
    const answer = await this.#why(settings);
    if (mine !== this.#round) return;
    const found = answer?.type === "result" ? (answer.answer.reasons ?? []) : [];
    const used = settings.filter((one) => one !== says && found.some((reason) => squeezed(reason.says) === squeezed(one)));
    const rules = answer?.type === "result" ? this.#reasonItems(answer.answer, settings) : [];
    if (used.length > 0) list.before(h("p", { class: "help" }, words.youSet), h("ul", { class: "rules-list settings" }, ...used.map((one) => this.#settingItem(one))), h("p", { class: "help" }, words.becauseOf));
    const isPossible = answer?.type === "result" && answer.complete && ["extensible", "right", "not best"].includes(answer.answer.verdict);
    list.replaceChildren(...(rules.length > 0 ? rules : [h("li", {}, isPossible ? words.itIsPossible : words.noReason)]));
  }

  // ---- Solutions ----

  /** The value of the objective; several goals without the brackets around them. */
  #objective({ objective_shown }: Solution): string {
    return (objective_shown ?? "").replace(/^[([]|[)\]]$/g, "");
  }

  /** The meaning of the objective's value, from the comment above it, or from the only variable in it. */
  #measure(): string {
    const { objective, objective_units } = this.#form ?? {};
    const text = this.hooks.request("board").model?.text ?? "";
    const [, variable] = /^\s*(?:minimi|maximi)[sz]ing\s+([\p{L}_][\p{L}\p{N}_']*)\s*(?:\$.*)?$/mu.exec(text) ?? [];
    const says = objective || (variable && objective_units?.length === 1 ? this.hooks.about().nameOf(variable) : "");
    const measure = plainText(says ?? "").replace(/\.$/, "");
    // A comment of several sentences stays above the status.
    if (/\.\s/.test(measure)) return "";
    // Start in lower case, unless the first word is an abbreviation.
    return measure && words.measured(measure.replace(/^\p{Lu}(?=\p{Ll}+ )/u, (first) => words.lower(first)));
  }

  /** The wishes of the model that a solution breaks. */
  #wishes({ broken_wishes }: Filled): string {
    return !broken_wishes ? "" : broken_wishes.length > 0 ? words.broken(broken_wishes) : words.met;
  }

  /** Searches for solutions that keep the set values. With `before`, for one that differs from these. */
  async #look(wanted: number, further: Partial<Request> = {}, before: Filled[] = []): Promise<BoardResult | null> {
    const mine = this.#round;
    this.#isSolving = true;
    clear(this.message);
    this.#buttons();
    const limit = this.hooks.limit?.() ?? SECONDS_SEARCH;
    const asked: Request = { ...this.hooks.request("board"), set: this.known(), solutions: wanted, ...(limit > 0 ? { limit } : {}), ...further };
    let isFirst = true;
    const answer = await this.#search.start<BoardResult>(asked, (line) => {
      if (mine !== this.#round || line.type !== "solution") return;
      const one = line as Filled;
      this.#found = wanted === 1 ? [...before, one] : isFirst ? [one] : [...this.#found, one];
      if (wanted === 1 || isFirst) this.#show(this.#found.length);
      isFirst = false;
      if (one.distance !== undefined) this.say(words.searchingDifferent(one.distance));
      else if (wanted === 1 && one.objective !== null) this.say(words.searchingBest(this.#objective(one)));
    });
    if (mine !== this.#round) return null;
    this.#isSolving = false;
    if (!answer) this.#sayStopped();
    else if (answer.type === "failure") this.wrong(answer.diagnostics);
    this.#buttons();
    return answer?.type === "result" ? answer : null;
  }

  /** Fills in the open cells. */
  async solve(wanted = 1): Promise<void> {
    const mine = this.#round;
    if (!(await this.#ready()) || mine !== this.#round) return;
    this.#found = [];
    this.#seen = 0;
    // Listing further solutions does not change what is known about the optimum.
    this.#isBest = wanted > 1 && this.#isBest;
    this.say(words.searching);
    const answer = await this.#look(wanted);
    if (!answer) return;
    const [best] = this.#found;
    if (!best) {
      if (answer.status !== "unsatisfiable") this.say(words.timeOver);
      // The contradicting values may not be known yet.
      else if (this.message.childElementCount === 0) await this.#lookAhead();
      return;
    }
    this.#isListed = wanted > 1;
    this.#hasAll = answer.status === "all solutions" || (wanted > 1 && answer.status === "optimal");
    this.#isBest ||= answer.status === "optimal";
    if (wanted === 1) this.#sayBest(best);
    else this.#show(Math.min(2, this.#found.length));
    this.#buttons();
  }

  #sayStopped(): void {
    const best = this.#found[this.#number - 1];
    this.say([words.stopped, best && best.objective !== null ? words.bestUntil(this.#objective(best), this.#measure()) : "", best ? this.#wishes(best) : ""].filter(Boolean).join(" "));
  }

  #sayBest(one: Filled): void {
    const [value, measure] = [this.#objective(one), this.#measure()];
    const isSoft = (one.broken_wishes?.length ?? 0) > 0;
    const says = one.objective !== null ? (this.#isBest ? words.best(value, measure) : words.bestUntil(value, measure)) : isSoft && this.#isBest ? words.bestWishes : words.solved;
    this.say([says, this.#wishes(one)].filter(Boolean).join(" "));
  }

  /** Finds the solution that differs most from those already shown. */
  async #findDifferent(): Promise<void> {
    const before = this.#found.slice(0, this.#seen);
    this.say(words.searching);
    const answer = await this.#look(1, { different: before.map(asText), limit: SECONDS_DIFFERENT }, before);
    if (!answer) return;
    const last = this.#found.length > before.length ? this.#found.at(-1) : undefined;
    this.#isListed = false;
    this.#hasAll = answer.status === "unsatisfiable";
    if (last?.distance !== undefined) this.say(words.differs(this.#found.length, last.distance, answer.status === "optimal"));
    else {
      this.#found = before;
      this.#show(this.#found.length);
      this.say(this.#hasAll ? words.noMore : words.noneDifferent);
    }
    this.#buttons();
  }

  /** Continues from the visible solution to better ones. */
  async #findBetter(): Promise<void> {
    const shown = this.#found[this.#number - 1];
    if (!shown) return;
    this.say(words.searchingBest(this.#objective(shown)));
    const answer = await this.#look(1, { better: asText(shown) });
    if (!answer) return;
    this.#isBest = answer.status === "optimal" || answer.status === "unsatisfiable";
    this.#isListed = false;
    const last = this.#found[this.#number - 1];
    if (last) this.#sayBest(last);
    this.#buttons();
  }

  stop(): void {
    this.#search.stop();
    this.#isSolving = false;
    this.#buttons();
  }

  async #findNext(): Promise<void> {
    if (this.#number < this.#found.length) {
      this.#show(this.#number + 1);
      return;
    }
    if ((this.#isListed && this.#found.length > 1) || this.#hasAll) {
      this.#hasAll = true;
      this.say(words.noMore);
      this.#buttons();
      return;
    }
    await this.solve(AT_A_TIME);
    if (this.#found.length === 1) this.say(words.noMore);
  }

  #show(number: number): void {
    const one = this.#found[number - 1];
    if (!one) return;
    this.#number = number;
    this.#seen = Math.max(this.#seen, number);
    this.board.show(one);
    const of = this.#hasAll || this.#found.length < AT_A_TIME ? String(this.#found.length) : words.moreThan(this.#found.length);
    if (this.#found.length > 1) this.say([words.numbered(number, of), one.objective === null ? "" : words.objective(this.#objective(one), this.#measure()), this.#wishes(one)].filter(Boolean).join(" "));
    this.#buttons();
  }
}
