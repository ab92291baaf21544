// The app of a model: a page for people who do not know Essence. They enter data, set what they want to have, and let the solver fill in the
// rest. The model, its first data and the engine are in the page.

import "./embedded";
import { announce, button, clear, copy, h, icon, iconButton } from "../dom";
import { Channel, prepare, ask as question } from "../engine";
import type { Answer, BoardResult, CheckResult, Diagnostic, Explanation, ExplainResult, Filled, Json, Reason, Request, Solution, Text } from "../../../npm/src/protocol";
import { pack, unpack } from "../sharing";
import { keep, kept } from "../storage";
import { toggleTheme } from "../theme";
import { LivingBoard } from "./board";
import type { BoardCell } from "./cells";
import { completed, csv, empty, type Form, indexed, isMissing, isScalar, normal, type Parameter, partAt, renamed, same, scaled, inUnit, write, type Written } from "./domains";
import { Field } from "./form";
import { isHosted, listen, tell } from "./host";
import { asPlan, Plans, type State } from "./plans";
import { paragraphs, prose } from "./prose";
import { label, language, speak, words } from "./words";

/** What the program has put into the page. */
interface Held {
  name: string;
  model: string;
  form: Form;
  /** What tells this app from others that the browser has seen. */
  key: string;
  /** The instances of the parameter files. */
  plans: { name: string; values: { [name: string]: Json } }[];
}

/** Seconds for what is done beside the user, for a search, and for a reason. */
const [SECONDS_ASIDE, SECONDS_SEARCH, SECONDS_WHY] = [4, 120, 15];
/** Seconds for the solution that differs most: often, that no other one differs more cannot be proved soon. */
const SECONDS_DIFFERENT = 20;
/** How many solutions "next" asks for at a time. */
const AT_A_TIME = 40;
const PAUSE = 180;
/** Of the changes that would help, this many are shown. */
const MOST_CHANGES = 8;

const held = JSON.parse(document.getElementById("app")?.textContent ?? "null") as Held;
let form = held.form;
speak(kept("essence.app.language") ?? navigator.language.slice(0, 2));

// ---- What the model says about the page ----

const directives = new Map<string, string>();
const hidden = new Set<string>();
for (const one of form.directives) {
  const [, verb = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(one) ?? [];
  if (verb === "hide") for (const name of rest.split(/\s*,\s*/)) hidden.add(name);
  const [, name, text] = /^(\S+) as (.+)$/.exec(rest) ?? [];
  if (verb === "label" && name && text) directives.set(name, text.replace(/^"(.*)"$/, "$1"));
  if (verb === "title") directives.set("", rest);
}
const title = directives.get("") ?? (form.title || label(held.name.replace(/\.\w+$/, "")));
const nameOf = (name: string) => directives.get(name) ?? label(name);

// ---- The plan ----

function initial(given?: { [name: string]: Json }): State {
  const read = ({ name, domain, value }: Parameter) => [name, scaled(domain, normal(domain, given?.[name] ?? value)) ?? empty(domain)];
  return { values: Object.fromEntries(form.parameters.map(read)) as State["values"], set: [] };
}

const first = held.plans.map(({ name, values }) => ({ name, state: initial(values) }));
const plans = new Plans(`essence.app.${held.key}`, first.length > 0 ? first : [{ name: words.plan, state: initial() }]);
let state: State = structuredClone(plans.current.state);
const fields = new Map<string, { field: Field; box: HTMLElement; problem: HTMLElement; domain: string }>();

const parameters = () => form.parameters;
const valueOf = ({ name, domain }: Parameter): Json => completed(domain, state.values[name] ?? null);
let written = new Map<string, Written>();

/** The data as texts, one for each parameter that has a value. */
function data(): Text[] {
  written = new Map(parameters().map((one) => [one.name, write(one.name, one.domain, valueOf(one))]));
  const known = parameters().filter((one) => !isMissing(one.domain, valueOf(one)));
  return known.map(({ name }) => ({ name: fileOf(name), text: written.get(name)?.text ?? "" }));
}

/** The names of texts must differ from that of the model. */
const fileOf = (name: string) => `data ${name}`;
const request = (verb: string): Request => ({ verb, model: { name: held.name, text: held.model }, data: data() });

// ---- The page ----

const status = h("p", { class: "status", role: "status", "aria-live": "polite" });
const message = h("div", { class: "message-box" });
const general = h("div", { class: "general" });
const formBox = h("div", { class: "form" });
const boardBox = h("div", { class: "board-box" });
const solveButton = h("button", { class: "primary solve" });
const betterButton = h("button", { class: "secondary" });
const nextButton = h("button", { class: "secondary" });
const differentButton = h("button", { class: "secondary" });
const previousButton = h("button", { class: "secondary" });
const clearButton = h("button", { class: "quiet" });
const undoButton = iconButton("undo", "", "quiet", () => step(plans.undo), false);
const redoButton = iconButton("redo", "", "quiet", () => step(plans.redo), false);
const planSelect = h("select", {});
const notKept = h("p", { class: "not-kept", hidden: true });

const board = new LivingBoard(
  {
    changed: (set, cell) => {
      state.set = set;
      plans.change(state, `cell ${cell}`);
      afterChange(false);
    },
    whyNot: (says, shown) => void whyNot(says, shown),
  },
  new Map(form.variables.filter(({ name }) => !hidden.has(name)).map(({ name, comment, unit }) => [name, { title: nameOf(name), comment, unit }])),
);

function build(): void {
  document.documentElement.lang = language;
  document.title = title;
  fields.clear();
  clear(formBox);
  solveButton.onclick = () => (solving ? stop() : void solve(1));
  betterButton.onclick = () => void better();
  nextButton.onclick = () => void next();
  differentButton.onclick = () => void different();
  previousButton.onclick = () => showNumber(shownNumber - 1);
  clearButton.onclick = () => {
    state.set = [];
    board.lay(lastCells, []);
    board.show(null);
    plans.change(state, "clear");
    afterChange(false);
  };
  planSelect.onchange = () => {
    plans.choose(Number(planSelect.value));
    load();
  };
  const menu = (name: string, iconName: string, items: [string, () => void][]) => {
    const list = h("div", { class: "menu-list" }, ...items.map(([text, run]) => button(text, "quiet", () => (box.removeAttribute("open"), run()))));
    const box = h("details", { class: "menu" }, h("summary", { title: name }, icon(iconName), h("span", { class: "label" }, name)), list);
    box.addEventListener("focusout", (event) => {
      if (!box.contains(event.relatedTarget as Node | null)) box.removeAttribute("open");
    });
    return box;
  };
  const languages = h("select", { "aria-label": words.language }, ...Object.entries(words.languages).map(([key, text]) => h("option", { value: key }, text)));
  languages.value = language;
  languages.onchange = () => {
    keep("essence.app.language", languages.value);
    speak(languages.value);
    document.body.replaceChildren();
    build();
    showForm();
    board.show(board.shown as Filled | null);
    afterChange(true);
  };
  const file = h("input", { type: "file", hidden: true, multiple: true, accept: ".json,.param,.essence,.txt" });
  file.onchange = () => void Promise.all([...(file.files ?? [])].map(openFile)).then(() => (file.value = ""));
  for (const [one, text] of [[undoButton, words.undo], [redoButton, words.redo]] as const) {
    one.title = text;
    one.setAttribute("aria-label", text);
  }
  planSelect.setAttribute("aria-label", words.plans);
  notKept.textContent = words.notKept;
  betterButton.textContent = words.better;
  nextButton.textContent = words.next;
  differentButton.textContent = words.mostDifferent;
  previousButton.textContent = words.previous;
  clearButton.textContent = words.clear;
  const planMenu = menu(words.plan, "new", [
    [words.newPlan, () => addPlan(words.newPlan, initial())],
    [words.duplicate, () => addPlan(words.copyOf(plans.current.name), state)],
    [words.rename, renamePlan],
    [words.remove, () => (plans.remove(), load())],
  ]);
  const saveMenu = menu(words.save, "save", [
    [words.saveAs.json, saveJson],
    [words.saveAs.param, () => void saveParam()],
    [words.saveAs.csv, () => save("csv", csv(board.rows()), "text/csv")],
    [words.saveAs.svg, () => savePicture("svg")],
    [words.saveAs.png, () => savePicture("png")],
    ...(isHosted ? [] : ([[words.link, () => void link()], [words.embed, () => void embed()]] as [string, () => void][])),
  ]);
  document.body.append(
    h(
      "header",
      { class: "head" },
      h("h1", {}, title),
      h(
        "div",
        { class: "plans" },
        planSelect,
        planMenu,
        button(words.solution, "jump quiet", () => document.querySelector(".answer")?.scrollIntoView({ behavior: "smooth" })),
      ),
      h(
        "div",
        { class: "tools" },
        undoButton,
        redoButton,
        iconButton("open", words.open, "quiet", () => file.click()),
        saveMenu,
        iconButton("print", words.print, "quiet", () => print()),
        iconButton("moon", words.theme, "quiet", toggleTheme, false),
        languages,
        file,
      ),
    ),
    h(
      "main",
      { class: "sides" },
      h("section", { class: "data", "aria-label": words.data }, ...about(), h("h2", {}, words.data), notKept, formBox, general),
      h(
        "section",
        { class: "answer", "aria-label": words.solution },
        h("div", { class: "bar" }, h("h2", {}, words.solution), solveButton, betterButton, previousButton, nextButton, differentButton, clearButton),
        status,
        message,
        boardBox,
      ),
    ),
    h("footer", { class: "foot" }, h("p", {}, words.madeWith), h("details", { class: "rules" }, h("summary", {}, words.model), h("pre", {}, held.model))),
  );
  boardBox.replaceChildren(board.element);
}

function about(): HTMLElement[] {
  return form.about ? [h("div", { class: "about" }, ...paragraphs(form.about))] : [];
}

// ---- The form ----

function bounds({ domain, unit }: Parameter): string {
  if (unit) return words.inUnits(unit);
  if (domain.kind !== "int") return "";
  const [first] = domain.ranges ?? [];
  if (!first || (domain.ranges?.length ?? 0) > 1) return words.whole;
  const [low, high] = first;
  return low !== null && high !== null ? words.between(low, high) : low !== null ? words.from(low) : high !== null ? words.upTo(high) : words.whole;
}

function showForm(): void {
  const shown = parameters().filter(({ name }) => !hidden.has(name));
  if (shown.length === 0) formBox.replaceChildren(h("p", { class: "help" }, words.noData));
  for (const one of shown) {
    const { name, domain, comment } = one;
    const signature = JSON.stringify(domain);
    const old = fields.get(name);
    if (old?.domain === signature) {
      old.field.show(valueOf(one));
      continue;
    }
    const field = new Field(domain, name, valueOf(one), (value) => entered(name, value));
    const problem = h("p", { class: "problem", role: "alert" });
    const hint = bounds(one);
    const opener = isScalar(domain) ? null : iconButton("open", words.openTable, "quiet tiny", () => openTable(name), false);
    const heading = h("h3", {}, nameOf(name), hint ? h("span", { class: "hint" }, hint) : null, opener);
    const help = comment ? h("div", { class: "help" }, ...paragraphs(comment)) : null;
    const box = h("div", { class: "parameter", role: "group", "aria-label": nameOf(name) }, heading, help, field.element, problem);
    box.dataset.parameter = name;
    const kind = domain.kind === "int" || domain.kind === "bool" ? " small" : "";
    box.className += kind;
    if (old) old.box.replaceWith(box);
    else formBox.append(box);
    fields.set(name, { field, box, problem, domain: signature });
  }
}

/** The value of a parameter from a file that is a table, as the program reads it. */
function openTable(name: string): void {
  const file = h("input", { type: "file", accept: ".csv,.tsv,.txt,.json" });
  file.onchange = async () => {
    const [chosen] = file.files ?? [];
    const field = fields.get(name);
    if (!chosen || !field) return;
    const asked = request("form");
    const table = { name: chosen.name, text: await chosen.text(), parameter: name };
    asked.data = [...data().filter((one) => one.name !== fileOf(name)), table];
    const checked = await question<CheckResult>({ ...asked, verb: "check" }, "check table");
    const answer = await question<Form>(asked, "open table");
    const diagnostics = checked?.type === "result" ? checked.diagnostics : (checked?.diagnostics ?? []);
    const mistakes = diagnostics.filter(({ message }) => message.includes(chosen.name));
    const mistake = mistakes.find(({ severity }) => severity === "error") ?? mistakes[0];
    const read = answer?.type === "result" ? answer.parameters.find((one) => one.name === name) : undefined;
    if (read && read.value !== null && mistake?.severity !== "error") {
      const value = scaled(read.domain, normal(read.domain, read.value));
      field.field.show(value);
      entered(name, value);
    }
    field.problem.textContent = mistake ? `${mistake.message}.` : read?.value == null ? words.cannotRead(chosen.name) : "";
  };
  file.click();
}

function entered(name: string, value: Json): void {
  const parameter = parameters().find((one) => one.name === name);
  if (parameter?.domain.kind === "type") renameMembers(name, (state.values[name] as string[] | null) ?? [], value as string[]);
  state.values[name] = value;
  plans.change(state, `parameter ${name}`);
  afterChange(true);
}

/** What mentions a member of a type goes with its name. */
function renameMembers(type: string, before: string[], after: string[]): void {
  const names = (member: string) => {
    if (after.includes(member)) return member;
    const at = before.indexOf(member);
    // One name has been written anew in its place.
    return before.length === after.length && at >= 0 && !before.includes(after[at] ?? "") ? (after[at] ?? null) : null;
  };
  for (const { name, domain } of parameters()) state.values[name] = renamed(domain, state.values[name] ?? null, type, names) ?? empty(domain);
}

// ---- After each change: the domains, what is wrong, what is possible ----

let timer: ReturnType<typeof setTimeout> | undefined;
let round = 0;
const aside = new Channel();
const searches = new Channel();
const reasons = new Channel();
let lastCells: BoardCell[] = [];
let solving = false;
let found: Filled[] = [];
let shownNumber = 0;
/** The solutions up to this number have been shown. */
let seen = 0;
let allFound = false;
/** Whether the solutions that were found follow each other as the solver finds them. */
let isListed = false;
/** Whether nothing is better than the solutions that were found. */
let isBest = false;
let usable = false;
/** Whether the data have changed since they were checked. */
let isStale = true;

function afterChange(dataToo: boolean): void {
  round += 1;
  stopAside();
  if (solving) stop();
  found = [];
  allFound = isListed = isBest = false;
  shownNumber = seen = 0;
  clear(message);
  buttons();
  say(words.looking);
  isStale ||= dataToo;
  clearTimeout(timer);
  timer = setTimeout(() => void refresh(), dataToo ? PAUSE : 0);
}

function stopAside(): void {
  aside.stop();
  reasons.stop();
}

function buttons(): void {
  solveButton.replaceChildren(icon(solving ? "stop" : "play"), solving ? words.stop : words.solve);
  solveButton.classList.toggle("stopping", solving);
  solveButton.disabled = !usable && !solving;
  nextButton.hidden = found.length === 0 || solving;
  nextButton.disabled = allFound && shownNumber >= found.length;
  differentButton.hidden = nextButton.hidden;
  differentButton.disabled = nextButton.disabled;
  betterButton.hidden = nextButton.hidden || isBest || board.shown?.objective === null;
  previousButton.hidden = shownNumber < 2;
  clearButton.hidden = state.set.length === 0;
  undoButton.disabled = !plans.canUndo;
  redoButton.disabled = !plans.canRedo;
  planSelect.replaceChildren(...plans.names.map((name, at) => h("option", { value: String(at) }, name)));
  planSelect.value = String(plans.position);
  notKept.hidden = plans.kept || isHosted;
  tell(() => {
    const given = parameters().filter((one) => !isMissing(one.domain, valueOf(one)));
    return { data: Object.fromEntries(given.map((one) => [one.name, indexed(one.domain, valueOf(one))])), usable, set: state.set, solution: board.shown?.json ?? null };
  });
}

const say = (text: string) => (status.textContent = text);

async function refresh(): Promise<void> {
  const mine = round;
  if (isStale && !(await refreshData())) return;
  if (mine !== round || !usable) return;
  await lookAhead();
}

/** Whether the data can be used. */
async function refreshData(): Promise<boolean> {
  const mine = round;
  const answer = await question<Form>(request("form"), "form");
  if (mine !== round || !answer) return false;
  if (answer.type === "failure") {
    wrong(answer.diagnostics);
    return false;
  }
  form = { ...form, parameters: answer.parameters, essence: answer.essence };
  showForm();
  unmark();
  const missing = parameters().filter((one) => isMissing(one.domain, valueOf(one)));
  const checked = await question<CheckResult>(request("check"), "check");
  if (mine !== round || !checked) return false;
  const diagnostics = checked.type === "failure" ? checked.diagnostics : checked.diagnostics.filter(({ severity }) => severity === "error");
  const known = new Set(parameters().map(({ name }) => name));
  const others = diagnostics.filter(({ message }) => missing.length === 0 || !/^there is no value|needs? a value|has no value|missing/i.test(message));
  for (const { name } of missing) {
    const field = fields.get(name);
    if (field) field.problem.textContent = words.missing;
  }
  clear(general);
  for (const one of others) place(one, known);
  isStale = false;
  usable = missing.length === 0 && diagnostics.length === 0;
  if (!usable) {
    board.lay([], state.set);
    lastCells = [];
    say(missing.length > 0 && others.length === 0 ? words.missingSome : words.wrongData);
  }
  buttons();
  return usable;
}

function unmark(): void {
  for (const { field, problem } of fields.values()) {
    field.unmark();
    problem.textContent = "";
  }
  clear(general);
}

/** Says what is wrong at the field that it is about. */
function place(one: Diagnostic, known: Set<string>): void {
  const inData = one.labels.find(({ file }) => file.startsWith("data ") && known.has(file.slice(5)));
  const name = inData?.file.slice(5) ?? [...one.message.matchAll(/`([^`]+)`/g)].map(([, inner]) => inner ?? "").find((inner) => known.has(inner));
  const said = [one.message, inData?.text].filter(Boolean).join(": ");
  const field = name === undefined ? undefined : fields.get(name);
  if (field) {
    field.problem.replaceChildren(...prose(`${field.problem.textContent ? `${field.problem.textContent} ` : ""}${upper(said)}.`));
    const path = inData && written.get(name ?? "") ? partAt(written.get(name ?? "") as Written, inData.from, inData.to) : undefined;
    field.field.mark(path ?? "", said);
    return;
  }
  // A condition on the parameters: in the words of its comment, with the values that it mentions.
  const [at] = one.labels;
  const rule = at && form.requirements.find(({ first_line, last_line }) => first_line <= at.line && at.line <= last_line);
  const source = at ? held.model.slice(at.from, at.to) : "";
  const box = h("div", { class: "problem-box", role: "alert" });
  box.append(h("p", {}, ...prose(upper(rule?.comment || one.message))));
  if (source) box.append(h("pre", {}, source));
  for (const note of one.notes) box.append(h("p", { class: "help" }, note));
  general.append(box);
  for (const name of known) if (new RegExp(`(?<![\\p{L}\\p{N}_])${name.replace(/\W/g, "\\$&")}(?![\\p{L}\\p{N}_])`, "u").test(source)) fields.get(name)?.field.mark("", one.message);
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function wrong(diagnostics: Diagnostic[]): void {
  say(words.failed);
  message.replaceChildren(...diagnostics.map((one) => h("p", { class: "problem" }, one.message)));
}

/** Lays out the cells, and looks at what is possible beside what is set. */
async function lookAhead(): Promise<void> {
  const mine = round;
  if (!solving) say(lastCells.length === 0 ? words.starting : words.looking);
  const asked = { ...request("board"), set: known(), possible: true, limit: SECONDS_ASIDE, pictures: false };
  const run = aside.run<BoardResult>(asked, (line) => {
    if (mine === round && line.type === "cells") lay((line as unknown as { cells: BoardCell[] }).cells);
  });
  const answer = await run.answer;
  if (mine !== round || !answer) return;
  if (answer.type === "failure") {
    // A value that was set for other data is not there any more.
    wrong(answer.diagnostics);
    return;
  }
  if (answer.conflict) {
    await contradiction(answer.conflict);
    return;
  }
  board.possible(answer.possible);
  const isOut = answer.possible.some((values) => values.includes(false));
  if (!solving && found.length === 0) say([words.ready, isOut ? (answer.complete ? words.possibleAll : words.possibleSome) : ""].filter(Boolean).join(" "));
}

/** The set values that are values of the present cells. */
function known(): string[] {
  if (lastCells.length === 0) return [];
  const all = new Set(lastCells.flatMap(({ values }) => values.map(([, says]) => says)));
  return state.set.filter((one) => all.has(one));
}

function lay(cells: BoardCell[]): void {
  const isFirst = lastCells.length === 0 && state.set.length > 0;
  lastCells = cells;
  board.lay(cells, state.set);
  if (isFirst && known().length > 0) afterChange(false);
}

// ---- Contradictions and reasons ----

async function contradiction(conflict: string[]): Promise<void> {
  const mine = round;
  board.clash(conflict);
  const isData = conflict.length === 0;
  say(isData ? words.unsolvable : "");
  const list = h(isData ? "ol" : "ul", { class: isData ? "rules-list numbered" : "rules-list" });
  const box = h("div", { class: "contradiction", role: "alert" }, h("p", { class: "verdict bad" }, isData ? words.contradictionData : words.contradiction), list);
  if (conflict.length > 0) {
    list.append(...conflict.map(settingItem));
  }
  const waiting = h("li", { class: "help" }, words.asking);
  list.append(waiting);
  const takes = conflict.map((says) => h("li", {}, button(words.takeBack(board.says(says)), "small", () => board.take(says))));
  const help = h("ul", { class: "changes-list" }, ...takes);
  box.append(h("p", { class: "help" }, words.takeBackTitle), help);
  message.replaceChildren(box);
  const answer = await why(conflict);
  if (mine !== round || !answer) return;
  waiting.remove();
  if (answer.type === "failure") return;
  list.append(...reasonItems(answer.answer.reasons ?? [], conflict));
  if (isData) help.replaceChildren(...changes(answer.answer));
}

/** Why these constraints cannot hold. */
function why(constraints: string[]): Promise<Answer<ExplainResult> | null> {
  const asked: Request = { ...request("why"), limit: SECONDS_WHY };
  if (constraints.length > 0) asked.expected = { name: "set", text: `such that\n${constraints.join(",\n")}\n` };
  return reasons.run<ExplainResult>(asked, () => undefined).answer;
}

function settingItem(says: string): HTMLElement {
  const item = h("li", { class: "yours" }, `${words.youSet}: ${board.says(says)}`);
  item.dataset.says = says;
  return item;
}

/** Requirements, in the words of their comments. */
function reasonItems(list: Reason[], settings: string[]): HTMLElement[] {
  const squeezed = (text: string) => text.replace(/\s+/g, "");
  const own = new Set(settings.map(squeezed));
  return list.flatMap((one) => {
    const [at] = one.places;
    if (at?.file === "set" || own.has(squeezed(one.says))) return [];
    if (at?.file.startsWith("data ")) return [h("li", {}, h("span", {}, `${nameOf(at.file.slice(5))}: `), h("code", {}, one.says))];
    const rule = at?.file === held.name ? form.requirements.find(({ first_line, last_line }) => first_line <= at.line && at.line <= last_line) : undefined;
    const comment = rule?.comment.split("\n\n").at(-1);
    // About domains, the engine speaks in sentences.
    const says = one.says.includes("`") ? prose(one.says.replace(/`([^`]+)`/g, (_, name: string) => nameOf(name))) : [h("code", {}, one.says)];
    const detail = h("span", { class: "detail" }, ...says, one.with ? ` (${one.with})` : "");
    const item = h("li", {}, ...(comment ? prose(comment) : []), detail);
    if (rule) item.dataset.line = String(rule.first_line);
    return [item];
  });
}

/** What would be enough to change: in the data, or else in the rules. */
function changes(answer: Explanation): HTMLElement[] {
  const all = answer.changes ?? [];
  const inData = all.filter(({ place }) => place.file.startsWith("data "));
  const said = (text: string) => text.replace(/^(.*) in line \d+ of data (\S+)/, (_, what: string, name: string) => `${nameOf(name)}: ${what}`);
  return (inData.length > 0 ? inData : all).slice(0, MOST_CHANGES).map((one) => h("li", {}, ...prose(said(one.says))));
}

async function whyNot(says: string, shown: string): Promise<void> {
  const mine = round;
  const all = lastCells.find(({ values }) => values.some(([, one]) => one === says));
  const own = new Set(all?.values.map(([, one]) => one));
  const settings = [...known().filter((one) => !own.has(one)), says];
  const list = h("ul", { class: "rules-list" }, h("li", { class: "help" }, words.asking));
  const box = h("div", { class: "contradiction why-not", role: "alert" }, h("p", { class: "verdict" }, words.whyNotTitle(shown)), list);
  message.replaceChildren(box);
  message.scrollIntoView({ block: "nearest" });
  const answer = await why(settings);
  if (mine !== round) return;
  const reasonsFound = answer?.type === "result" ? (answer.answer.reasons ?? []) : [];
  const squeezed = (text: string) => text.replace(/\s+/g, "");
  const used = settings.filter((one) => one !== says && reasonsFound.some((reason) => squeezed(reason.says) === squeezed(one)));
  const items = [...used.map(settingItem), ...reasonItems(reasonsFound, settings)];
  const isPossible = answer?.type === "result" && answer.complete && ["extensible", "right", "not best"].includes(answer.answer.verdict);
  list.replaceChildren(...(items.length > 0 ? items : [h("li", {}, isPossible ? words.itIsPossible : words.noReason)]));
}

// ---- Solutions ----

const objectiveOf = ({ objective }: Solution): string => (objective === null ? "" : [objective].flat().map((one, goal) => inUnit(one, form.objective_units[goal] ?? null)).join(", "));

/** Looks for solutions that keep what is set, as the further members say. With `before`, the one that is wanted comes behind these. */
async function search(wanted: number, further: Partial<Request> = {}, before: Filled[] = []): Promise<BoardResult | null> {
  const mine = round;
  solving = true;
  clear(message);
  buttons();
  const asked: Request = { ...request("board"), set: known(), solutions: wanted, limit: SECONDS_SEARCH, ...further };
  let isFirst = true;
  const run = searches.run<BoardResult>(asked, (line) => {
    if (mine !== round || line.type !== "solution") return;
    const one = line as Filled;
    found = wanted === 1 ? [...before, one] : isFirst ? [one] : [...found, one];
    if (wanted === 1 || isFirst) showNumber(found.length);
    isFirst = false;
    if (one.distance !== undefined) say(words.searchingDifferent(one.distance));
    else if (wanted === 1 && one.objective !== null) say(words.searchingBest(objectiveOf(one)));
  });
  const answer = await run.answer;
  if (mine !== round) return null;
  solving = false;
  if (!answer) say(words.stopped);
  else if (answer.type === "failure") wrong(answer.diagnostics);
  buttons();
  return answer?.type === "result" ? answer : null;
}

async function solve(wanted: number): Promise<void> {
  const mine = round;
  if (isStale && !(await refreshData())) return;
  if (mine !== round) return;
  found = [];
  seen = 0;
  isBest = wanted > 1 && isBest;
  say(words.searching);
  const answer = await search(wanted);
  if (!answer) return;
  const [best] = found;
  if (!best) {
    if (answer.status === "unsatisfiable") await conflicting();
    else say(words.timeOver);
    return;
  }
  isListed = wanted > 1;
  allFound = answer.status === "all solutions" || (wanted > 1 && answer.status === "optimal");
  isBest ||= answer.status === "optimal";
  if (wanted === 1) sayBest(best);
  else showNumber(Math.min(2, found.length));
  buttons();
}

function sayBest(one: Filled): void {
  const value = objectiveOf(one);
  say(one.objective === null ? words.solved : isBest ? words.best(value) : words.bestUntil(value));
}

const asText = ({ essence }: Filled, at = 0): Text => ({ name: `solution ${at + 1}`, text: essence });

/** Looks for the solution that differs most from those that have been shown. */
async function different(): Promise<void> {
  const before = found.slice(0, seen);
  say(words.searching);
  const answer = await search(1, { different: before.map(asText), limit: SECONDS_DIFFERENT }, before);
  if (!answer) return;
  const last = found.length > before.length ? found.at(-1) : undefined;
  isListed = false;
  allFound = answer.status === "unsatisfiable";
  if (last?.distance !== undefined) say(words.differs(found.length, last.distance, answer.status === "optimal"));
  else {
    found = before;
    showNumber(found.length);
    say(allFound ? words.noMore : words.noneDifferent);
  }
  buttons();
}

/** Goes on from the solution that is shown to better ones. */
async function better(): Promise<void> {
  const shown = found[shownNumber - 1];
  if (!shown) return;
  say(words.searchingBest(objectiveOf(shown)));
  const answer = await search(1, { better: asText(shown) });
  if (!answer) return;
  isBest = answer.status === "optimal" || answer.status === "unsatisfiable";
  isListed = false;
  const last = found[shownNumber - 1];
  if (last) sayBest(last);
  buttons();
}

/** Finds out what contradicts, where it is not known yet. */
async function conflicting(): Promise<void> {
  if (message.childElementCount === 0) await lookAhead();
}

function stop(): void {
  searches.stop();
  solving = false;
  buttons();
}

async function next(): Promise<void> {
  if (shownNumber < found.length) {
    showNumber(shownNumber + 1);
    return;
  }
  if ((isListed && found.length > 1) || allFound) {
    allFound = true;
    say(words.noMore);
    buttons();
    return;
  }
  await solve(AT_A_TIME);
  if (found.length === 1) say(words.noMore);
}

function showNumber(number: number): void {
  const one = found[number - 1];
  if (!one) return;
  shownNumber = number;
  seen = Math.max(seen, number);
  board.show(one);
  const of = allFound || found.length < AT_A_TIME ? String(found.length) : words.moreThan(found.length);
  if (found.length > 1) say([words.numbered(number, of), one.objective === null ? "" : words.objective(objectiveOf(one))].filter(Boolean).join(" "));
  buttons();
}

// ---- Plans, files, links ----

function load(): void {
  state = structuredClone(plans.current.state);
  lastCells = [];
  board.show(null);
  showForm();
  afterChange(true);
}

/** Puts data into the present plan. */
function take(values: { [name: string]: Json }, set: string[]): void {
  state = { ...initial(values), set };
  plans.change(state, "host");
  showForm();
  board.lay(lastCells, set);
  afterChange(true);
}

function step(move: () => boolean): void {
  if (!move()) return;
  state = structuredClone(plans.current.state);
  showForm();
  board.lay(lastCells, state.set);
  afterChange(true);
}

function addPlan(name: string, of: State): void {
  plans.add({ name, state: of });
  load();
}

function renamePlan(): void {
  const input = h("input", { type: "text", value: plans.current.name, "aria-label": words.nameOfPlan });
  planSelect.hidden = true;
  planSelect.before(input);
  input.focus();
  input.select();
  const done = () => {
    if (input.value.trim()) plans.rename(input.value.trim());
    input.remove();
    planSelect.hidden = false;
    buttons();
  };
  input.addEventListener("blur", done, { once: true });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === "Escape") input.blur();
  });
}

const fileName = () => `${held.name.replace(/\.\w+$/, "")}-${plans.current.name}`.replace(/[^\p{L}\p{N}]+/gu, "-");

function save(ending: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(typeof content === "string" ? new Blob([content], { type: `${type};charset=utf-8` }) : content);
  h("a", { href: url, download: `${fileName()}.${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function saveJson(): void {
  const parts = data().map(({ text }) => text.slice(1, -1));
  save("json", `{\n  ${parts.join(",\n  ")}\n}\n`, "application/json");
}

async function saveParam(): Promise<void> {
  const answer = await question<Form>(request("form"), "save");
  if (answer?.type === "result") save("param", answer.essence, "text/plain");
}

function savePicture(ending: "svg" | "png"): void {
  const svg = board.shown?.svg;
  if (!svg) return;
  if (ending === "svg") {
    save("svg", svg, "image/svg+xml");
    return;
  }
  const image = new Image();
  image.onload = () => {
    const canvas = h("canvas", { width: 2 * image.width, height: 2 * image.height });
    const pen = canvas.getContext("2d");
    if (!pen) return;
    pen.fillStyle = "#ffffff";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && save("png", blob, "image/png"));
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

/** The address of this page with the plan in it. */
async function address(): Promise<URL> {
  const link = new URL(location.href);
  link.hash = await pack({ name: plans.current.name, state });
  return link;
}

async function link(): Promise<void> {
  const link = await address();
  await copy(link.href);
  history.replaceState(null, "", link.hash);
  announce(words.copied);
}

/** What other pages take to show this one with the plan. */
async function embed(): Promise<void> {
  const frame = h("iframe", { src: (await address()).href, title, width: "100%", height: "800", loading: "lazy" });
  await copy(frame.outerHTML);
  announce(words.copiedEmbed);
}

/** Data from a file become a plan of their own. */
async function openFile(file: File): Promise<void> {
  const asked: Request = { verb: "form", model: { name: held.name, text: held.model }, data: [{ name: file.name, text: await file.text() }] };
  const answer = await question<Form>(asked, `open ${file.name}`);
  const read = answer?.type === "result" ? answer.parameters.filter(({ value }) => value !== null) : [];
  if (read.length === 0) {
    announce(words.cannotRead(file.name));
    return;
  }
  const values = Object.fromEntries(read.map(({ name, domain, value }) => [name, scaled(domain, normal(domain, value))]));
  addPlan(file.name.replace(/\.\w+$/, ""), { values: { ...state.values, ...values }, set: [] });
  announce(words.opened(file.name));
}

async function start(): Promise<void> {
  const shared = asPlan(await unpack(location.hash.replace(/^#/, "")));
  if (shared && !same(shared.state as unknown as Json, plans.current.state as unknown as Json)) plans.add(shared);
  state = structuredClone(plans.current.state);
  build();
  showForm();
  buttons();
  say(words.starting);
  // The engine is made ready after the page has been painted.
  requestAnimationFrame(() =>
    setTimeout(() => {
      prepare();
      afterChange(true);
    }, 0),
  );
  listen(({ data, set }) => take(data, set));
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    if (key === "enter" && !solveButton.disabled) solveButton.click();
    else if (key === "z" || key === "y") {
      event.preventDefault();
      step(key === "y" || event.shiftKey ? plans.redo : plans.undo);
    }
  });
  window.addEventListener("dragover", (event) => event.preventDefault());
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    for (const file of event.dataTransfer?.files ?? []) void openFile(file);
  });
}

void start();
