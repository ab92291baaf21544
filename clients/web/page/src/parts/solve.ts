// Shows solutions as they are found.

import { words } from "../app/words";
import type { Bench, Part } from "../bench";
import { button, choice, clear, copy, h, iconButton } from "../dom";
import type { Solution, SolveResult } from "../../../npm/src/protocol";
import { diagnostics, save, solution, statistics } from "../results";
import { texts } from "../texts";
import { fileName } from "../work";

/** Further solutions are counted, but not kept. */
const MOST_KEPT = 5000;

export function solvePart(bench: Bench): Part {
  let found: Solution[] = [];
  let count = 0;
  let shown = 0;
  let follow = true;
  let drawing = 0;
  /** True if each solution is better than the one before, and true if the last one is proven optimal. */
  let isImproving = false;
  let isBest = false;
  let end: HTMLElement | null = null;

  const shownText = h("span", { class: "position", role: "status", "aria-live": "polite" });
  const previous = iconButton("previous", texts.solve.previous, "quiet", () => turn(shown - 1), false);
  const next = iconButton("next", texts.solve.next, "quiet", () => turn(shown + 1), false);
  const actions = h(
    "div",
    { class: "actions" },
    iconButton(
      "save",
      texts.solve.save,
      "quiet",
      () => found[shown] && save(`${fileName(bench.work.name)}-${shown + 1}.solution`, found[shown].essence),
    ),
    button(texts.solve.copyEssence, "quiet", () => found[shown] && void copy(found[shown].essence)),
    button(texts.solve.copyJson, "quiet", () => found[shown] && void copy(JSON.stringify(found[shown].json))),
  );
  const navigation = h("div", { class: "navigation", hidden: true }, previous, shownText, next, actions);
  const view = h("div", { class: "view" });
  const foot = h("div", { class: "foot" });
  const body = h("div", {}, navigation, view, foot);
  body.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement) return;
    if (event.key === "ArrowLeft") turn(shown - 1);
    else if (event.key === "ArrowRight") turn(shown + 1);
  });

  function turn(to: number): void {
    if (to < 0 || to >= found.length) return;
    follow = false;
    shown = to;
    draw();
  }

  function draw(): void {
    drawing = 0;
    const one = found[shown];
    navigation.hidden = !one;
    bench.solution = one?.essence ?? null;
    if (!one) return;
    const objective = one.objective === null || one.objective === undefined ? "" : texts.solve.objective(String(one.objective));
    shownText.textContent = isImproving ? texts.solve.better(shown + 1, count, isBest, objective) : texts.solve.position(shown + 1, count, objective);
    previous.disabled = shown === 0;
    next.disabled = shown + 1 >= found.length;
    view.replaceChildren(...(one.broken_wishes ? [h("p", { class: "wishes" }, one.broken_wishes.length > 0 ? words.broken(one.broken_wishes) : words.met)] : []), solution(one, found[shown - 1]));
  }

  async function run(): Promise<void> {
    found = [];
    count = 0;
    shown = 0;
    follow = true;
    isImproving = isBest = false;
    clear(view);
    clear(foot);
    navigation.hidden = true;
    end?.remove();
    const { solutions, limit, seed } = bench.work.settings;
    const request = bench.request("solve");
    request.solutions = solutions === "all" ? "all" : Number(solutions);
    if (limit > 0) request.limit = limit;
    if (seed !== null) request.seed = seed;
    const answer = await bench.start<SolveResult>(request, (line) => {
      const one = line as Solution;
      if (one.type !== "solution") return;
      count++;
      if (found.length < MOST_KEPT) found.push(one);
      // Follow improving solutions; otherwise the first one stays. If several are requested, all of them are optimal.
      isImproving = request.solutions === 1 && ((one.objective !== null && one.objective !== undefined) || one.broken_wishes !== undefined);
      if (follow && isImproving) shown = found.length - 1;
      drawing ||= requestAnimationFrame(draw);
    });
    cancelAnimationFrame(drawing);
    isBest = answer?.type === "result" && answer.status === "optimal";
    draw();
    if (!answer) {
      foot.append(h("p", { class: "verdict" }, texts.solve.stopped(count, isImproving)));
    } else if (answer.type === "failure") {
      foot.append(diagnostics(answer.diagnostics, bench));
    } else {
      foot.append(
        h(
          "p",
          { class: `verdict ${answer.status.replaceAll(" ", "-")}` },
          texts.solve.status(answer.status, answer.solutions, isImproving) ?? answer.says,
        ),
      );
      if (answer.status === "unsatisfiable") {
        foot.append(h("button", { class: "primary", onclick: () => bench.turnTo("why") }, texts.solve.askWhy));
      }
      if (count > found.length) foot.append(h("p", { class: "quiet" }, texts.solve.notKept(MOST_KEPT)));
      if (answer.warnings?.length) foot.append(diagnostics(answer.warnings, bench));
      foot.append(statistics(answer.statistics));
    }
  }

  const settings = bench.work.settings;
  const options = h(
    "div",
    { class: "options" },
    choice(texts.solve.howMany, texts.solve.counts, settings.solutions, (value) => {
      bench.work.settings.solutions = value;
      bench.changed();
    }),
  );
  view.append(h("div", { class: "empty" }, h("p", {}, texts.solve.empty), h("p", { class: "quiet" }, texts.solve.emptyKeys)));
  return { id: "solve", title: texts.solve.title, action: texts.solve.action, options, body, run };
}
