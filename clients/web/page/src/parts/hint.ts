// A board to fill in, one step at a time.

import type { Bench, Part } from "../bench";
import { Board } from "../board";
import { clear, h } from "../dom";
import type { ExplainResult, Explanation, Progress, Solution, SolveResult, Step } from "../../../npm/src/protocol";
import { diagnostics, explanation, step } from "../results";
import { texts } from "../texts";

/** How long a board without clues may look for some. */
const SECONDS_FOR_CLUES = 4;

export function hintPart(bench: Bench): Part {
  let board: Board | null = null;
  /** The texts that the board was made for. */
  let made = "";
  const place = h("div", { class: "place" });
  const advice = h("div", { class: "advice", "aria-live": "polite" });
  const body = h("div", { class: "hints" }, place, advice);
  const enter = h("button", { class: "secondary", hidden: true, onclick: () => fillIn() });
  const all = h("button", { class: "secondary", onclick: () => void ask(true) }, texts.hint.all);
  const check = h("button", { class: "secondary", onclick: () => void checkBoard() }, texts.hint.check);
  const erase = h("button", { class: "quiet", onclick: () => board?.erase() }, texts.hint.eraseAll);
  const options = h("div", { class: "options" }, enter, all, check, erase);
  /** What the button fills in. */
  let advised: [string, string][] = [];

  function advise(values: [string, string][]): void {
    advised = values;
    enter.hidden = values.length === 0;
    if (values.length > 0) enter.textContent = texts.hint.fillIn(values);
  }

  const texts_ = () => JSON.stringify(bench.request("hint"));

  function withLimit(request: Record<string, unknown>): Record<string, unknown> {
    const { limit } = bench.work.settings;
    return limit > 0 ? { ...request, limit } : request;
  }

  let laying: Promise<boolean> | undefined;

  /** Makes the board for the texts, if it is not there. */
  function lay(): Promise<boolean> {
    if (!laying && board && made === texts_()) return Promise.resolve(true);
    laying ??= layAnew().finally(() => (laying = undefined));
    return laying;
  }

  /** The board, from any solution: only its shape is shown. */
  async function layAnew(): Promise<boolean> {
    clear(place);
    clear(advice);
    board = null;
    let shape: Solution | undefined;
    const request = bench.request("solve");
    const answer = await bench.start<SolveResult>(withLimit({ ...request, solutions: 1, pictures: true }) as never, (line) => {
      shape = line as Solution;
    });
    if (!answer) return false;
    if (answer.type === "failure") {
      advice.append(diagnostics(answer.diagnostics, bench));
      return false;
    }
    made = texts_();
    if (shape) {
      const sources = [request.model, ...(request.data ?? [])].map((one) => one?.text ?? "");
      board = new Board(shape, sources, () => advise([]));
      place.append(board.element);
      await giveClues();
    }
    return true;
  }

  /** A hint tells what the data fix. */
  async function giveClues(): Promise<void> {
    const give = ({ given }: Explanation) => board?.give(given ?? []);
    const { limit } = bench.work.settings;
    const request = { ...bench.request("hint"), limit: Math.min(limit || SECONDS_FOR_CLUES, SECONDS_FOR_CLUES) };
    const answer = await bench.start<ExplainResult>(request, (line) => {
      const known = (line as Progress).answer;
      if (line.type !== "progress" || !known.given?.length) return;
      give(known);
      bench.enough();
    });
    if (answer?.type === "result") give(answer.answer);
  }

  function stepsOf(answer: Explanation): HTMLElement[] {
    return (answer.steps ?? []).map((one) => step(one, bench));
  }

  function show(answer: Explanation, ended: boolean): void {
    const steps = stepsOf(answer);
    advice.replaceChildren(
      ...steps.map((one, index) => (steps.length > 1 ? h("section", {}, h("h3", {}, texts.hint.step(index + 1)), one) : one)),
    );
    if (!ended) return;
    if (answer.verdict === "solved")
      advice.append(h("p", { class: "verdict" }, steps.length > 0 || !board?.full ? texts.hint.solved : texts.hint.full));
    else if (answer.verdict === "open") advice.append(h("p", { class: "verdict" }, texts.hint.open(answer.open ?? [])));
    else if (answer.verdict === "none") advice.append(explanation(answer, bench));
  }

  async function ask(everything: boolean): Promise<void> {
    if (!(await lay())) return;
    board?.clearMarks();
    advise([]);
    const known = board?.known() ?? "";
    const request = withLimit({ ...bench.request("hint"), all: everything });
    if (known) request.known = { name: "board.solution", text: known };
    const answer = await bench.start<ExplainResult>(request as never, (line) => {
      if (line.type === "progress") show((line as Progress).answer, false);
    });
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
    if (!board) return;
    let steps = answer.answer.steps ?? [];
    // Steps that only prepare others would come again and again: the board holds values, not what cells cannot be.
    if (!everything && answer.answer.verdict === "next" && valuesOf(steps).length === 0) {
      steps = await untilValue(request);
    }
    // The only solution is the one that the board was made from.
    advise(answer.answer.verdict === "solved" ? board.open() : valuesOf(steps));
    if (!everything) {
      board.mark(
        steps.flatMap(({ because }) => because),
        "reason",
      );
      board.mark(
        advised.map(([name]) => name),
        "advised",
      );
    }
  }

  /** The cells and the values that steps lead to. */
  function valuesOf(steps: Step[]): [string, string][] {
    const facts = steps.flatMap(({ says }) => says.split(/(?:, | and )(?=[\p{L}_]\S* ?\S* = )/u));
    return facts.flatMap((fact): [string, string][] => {
      const [cell, value] = board?.read(fact) ?? [];
      return cell && value !== undefined ? [[cell.name, value]] : [];
    });
  }

  /** Steps up to the first that gives a value. */
  async function untilValue(request: Record<string, unknown>): Promise<Step[]> {
    let steps: Step[] = [];
    const look = (answer: Explanation) => {
      const end = (answer.steps ?? []).findIndex((one) => valuesOf([one]).length > 0);
      steps = answer.steps?.slice(0, end < 0 ? undefined : end + 1) ?? [];
      show({ ...answer, steps }, false);
      return end >= 0;
    };
    const answer = await bench.start<ExplainResult>({ ...request, all: true } as never, (line) => {
      if (line.type === "progress" && look((line as Progress).answer)) bench.enough();
    });
    if (answer?.type === "result") look(answer.answer);
    return steps;
  }

  function fillIn(): void {
    const filled = advised;
    for (const [name, value] of filled) board?.set(name, value);
    board?.clearMarks();
    advise([]);
    advice.replaceChildren(h("p", { class: "quiet" }, texts.hint.filled(filled.map(([name, value]) => `${name} = ${value}`))));
  }

  async function checkBoard(): Promise<void> {
    if (!(await lay()) || !board) return;
    board.clearMarks();
    const known = board.known();
    if (!known) {
      advice.replaceChildren(h("p", { class: "quiet" }, texts.hint.nothingYet));
      return;
    }
    const request = withLimit({ ...bench.request("why"), expected: { name: "board.solution", text: known } });
    const answer = await bench.start<ExplainResult>(request as never);
    if (!answer) return;
    if (answer.type === "failure") {
      advice.replaceChildren(diagnostics(answer.diagnostics, bench));
    } else if (["extensible", "right", "not best"].includes(answer.answer.verdict)) {
      advice.replaceChildren(h("p", { class: "verdict" }, board.full ? texts.hint.full : texts.hint.good));
    } else {
      advice.replaceChildren(explanation(answer.answer, bench));
      board.mark(
        (answer.answer.reasons ?? []).map(({ says }) => says),
        "wrong",
      );
    }
  }

  /** The board is there before anything is asked, unless something runs. */
  function opened(): Promise<unknown> | undefined {
    return bench.work.model.trim() && !bench.runs ? lay() : undefined;
  }

  place.append(h("div", { class: "empty" }, h("p", {}, texts.hint.empty)));
  return { id: "hint", title: texts.hint.title, action: texts.hint.action, options, body, run: () => ask(false), opened };
}
