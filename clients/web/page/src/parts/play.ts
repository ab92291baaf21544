// The interactive solution: the reader sets values, sees contradictions, asks for one step at a time, and lets the
// solver fill in the rest.

import { directives, NONE } from "../app/directives";
import type { Setting } from "../app/board";
import { Play } from "../app/play";
import { words } from "../app/words";
import type { Bench, Part } from "../bench";
import { clear, h } from "../dom";
import { ask } from "../engine";
import type { CheckResult, ExplainResult, Explanation, Form, Progress, Request, Step } from "../../../npm/src/protocol";
import { diagnostics, explanation, step } from "../results";
import { texts } from "../texts";

export function playPart(bench: Bench): Part {
  let about = NONE;
  /** The texts of the cells, and whether they are valid. */
  let checked = { texts: "", isUsable: false };
  let isStale = true;
  /** Counts changes, to detect outdated answers. */
  let round = 0;
  const advice = h("div", { class: "hints", "aria-live": "polite" });
  const enter = h("button", { class: "secondary", hidden: true, onclick: () => fillIn() });
  const next = h("button", { class: "secondary", onclick: () => void hint(false) }, texts.play.hint);
  const all = h("button", { class: "secondary", onclick: () => void hint(true) }, texts.play.all);
  const options = h("div", { class: "options" }, next, all, enter);
  /** The settings that the button applies. */
  let advised: Setting[] = [];
  const play = new Play({
    request: bench.request,
    ready,
    changed: (set) => {
      if (set.length > 0) bench.work.set = set;
      else delete bench.work.set;
      bench.keep?.();
      round += 1;
      clear(advice);
      advise([]);
    },
    parameterIn: () => undefined,
    repair: (change) => (bench.tryOut ? { says: change.says.replaceAll("`", ""), run: () => bench.tryOut?.(change) } : null),
    about: () => about,
    mistakes: (list) => diagnostics(list, bench),
    isForReaders: true,
    limit: () => bench.work.settings.limit,
    shown: () => {
      const { shown } = play.board;
      if (shown) bench.solution = shown.essence;
    },
    search: { start: (request, onLine) => bench.start(request, onLine), stop: () => bench.enough() },
  });
  play.set = bench.work.set ?? [];
  play.speak();
  play.solveButton.remove();
  const { board } = play;
  const empty = h("div", { class: "empty" }, h("p", {}, texts.play.empty));
  const body = h("div", { class: "playing" }, empty);

  /** True if the texts are valid; `null` if they have changed meanwhile. */
  async function ready(): Promise<boolean | null> {
    const request = bench.request("form");
    const texts = JSON.stringify(request);
    if (checked.texts === texts) return checked.isUsable;
    const form = await ask<Form>(request, "form to play");
    const check = await ask<CheckResult>({ ...request, verb: "check" }, "check to play");
    if (!form || !check || texts !== JSON.stringify(bench.request("form"))) return null;
    const mistakes = form.type === "failure" ? form.diagnostics : check.diagnostics.filter(({ severity }) => severity === "error");
    if (form.type === "result") {
      about = directives(form);
      play.describe(form);
    }
    checked = { texts, isUsable: mistakes.length === 0 };
    if (!checked.isUsable) play.wrong(mistakes, "");
    return checked.isUsable;
  }

  function refresh(): void {
    if (!isStale || !bench.work.model.trim()) return;
    isStale = false;
    if (empty.parentElement) body.replaceChildren(play.element, advice);
    round += 1;
    clear(advice);
    advise([]);
    play.changed(true);
  }

  // ---- One step at a time ----

  function advise(settings: Setting[]): void {
    advised = settings;
    enter.hidden = settings.length === 0;
    if (settings.length > 0) enter.textContent = texts.play.fillIn(settings.map((one) => board.named(one)));
  }

  function fillIn(): void {
    const filled = advised;
    board.choose(filled, "hint");
    advice.replaceChildren(h("p", { class: "quiet" }, texts.play.filled(filled.map((one) => board.named(one).join(" = ")))));
  }

  function show(answer: Explanation, ended: boolean): void {
    const steps = (answer.steps ?? []).map((one) => step(one, bench));
    advice.replaceChildren(...steps.map((one, at) => (steps.length > 1 ? h("section", {}, h("h3", {}, texts.play.step(at + 1)), one) : one)));
    if (!ended) return;
    if (answer.verdict === "solved") advice.append(h("p", { class: "verdict" }, steps.length > 0 || !board.isFull ? texts.play.solved : words.full));
    else if (answer.verdict === "open") advice.append(h("p", { class: "verdict" }, texts.play.open(answer.open ?? [])));
    else if (answer.verdict === "none") advice.append(explanation(answer, bench));
  }

  /** Shows the next step, or all of them. */
  async function hint(everything: boolean): Promise<void> {
    const mine = round;
    board.clearMarks();
    advise([]);
    const { limit } = bench.work.settings;
    const request: Request = { ...bench.request("hint"), all: everything, ...(limit > 0 ? { limit } : {}) };
    const known = play.known();
    if (known.length > 0) request.known = { name: "set", text: `such that\n    ${known.join(",\n    ")}\n` };
    const answer = await bench.start<ExplainResult>(request, (line) => {
      if (line.type === "progress" && mine === round) show((line as Progress).answer, false);
    });
    if (mine !== round) return;
    if (!answer) {
      advice.append(h("p", { class: "quiet" }, texts.stopped));
      return;
    }
    if (answer.type === "failure") {
      advice.replaceChildren(diagnostics(answer.diagnostics, bench));
      return;
    }
    show(answer.answer, true);
    if (!answer.complete) advice.append(h("p", { class: "quiet" }, answer.says));
    let steps = answer.answer.steps ?? [];
    // The board stores values, not excluded values: a step that only prepares others would be offered again and again.
    if (!everything && answer.answer.verdict === "next" && settingsOf(steps).length === 0) steps = await untilValue(request);
    if (mine !== round) return;
    const advised = answer.answer.verdict === "solved" ? await play.rest() : settingsOf(steps);
    if (mine !== round) return;
    advise(advised);
    if (everything) return;
    board.mark(
      steps.flatMap(({ because }) => because),
      "reason",
    );
    board.mark(
      advised.map((one) => board.named(one)[0]),
      "advised",
    );
  }

  /** The settings that steps lead to. */
  function settingsOf(steps: Step[]): Setting[] {
    const facts = steps.flatMap(({ says }) => says.split(/(?:, | and )(?=[\p{L}_]\S* ?\S* = )/u));
    return facts.map((fact) => board.read(fact)).filter((one) => one !== null);
  }

  /** Asks for steps up to the first one that gives a value. */
  async function untilValue(request: Request): Promise<Step[]> {
    let steps: Step[] = [];
    const look = (answer: Explanation) => {
      const end = (answer.steps ?? []).findIndex((one) => settingsOf([one]).length > 0);
      steps = answer.steps?.slice(0, end < 0 ? undefined : end + 1) ?? [];
      show({ ...answer, steps }, false);
      return end >= 0;
    };
    const answer = await bench.start<ExplainResult>({ ...request, all: true }, (line) => {
      if (line.type === "progress" && look((line as Progress).answer)) bench.enough();
    });
    if (answer?.type === "result") look(answer.answer);
    return steps;
  }

  return {
    id: "play",
    title: texts.play.title,
    action: words.solve,
    options,
    body,
    run: () => play.solve(),
    opened: refresh,
    changed: (isShown) => {
      isStale = true;
      if (isShown) refresh();
    },
    close: () => play.close(),
  };
}
