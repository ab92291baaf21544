// Test cases in the comments of the model and of the data, and the planted mistakes that no case notices.

import type { Bench, Part } from "../bench";
import { button, clear, h } from "../dom";
import type { TestedCase, TestedMutant, TestFinding, TestProgress, TestResult } from "../../../npm/src/protocol";
import { block, candidate, diagnostics, differing, refusal } from "../results";
import { texts } from "../texts";
import { modelName, placeOfLine } from "../work";
import { Questions } from "./ask";

export function testPart(bench: Bench): Part {
  const { test } = texts;
  const summary = h("p", { class: "verdict", role: "status" });
  const cases = h("ul", { class: "tested" });
  const score = h("p", { class: "verdict", role: "status" });
  const mutants = h("ul", { class: "tested" });
  const others = h("details", { hidden: true });
  const answers = h("div", {});
  const guide = h("a", { href: "docs/testing.html" }, test.guide);
  const body = h("div", { class: "testing" }, h("div", { class: "empty" }, h("p", {}, test.empty), h("pre", { class: "block" }, test.example), h("p", {}, guide)));
  const questions = new Questions(bench, { mutants: true, data: [] }, test.refers);
  const options = h(
    "div",
    { class: "options" },
    button(test.mutants, "secondary", () => void run(true)),
    button(texts.ask.action, "secondary", () => {
      clear(body);
      body.append(questions.element);
      void questions.start();
    }),
  );
  /** True while the part changes the model, so that the results stay. */
  let isAdding = false;

  function add(text: string): void {
    isAdding = true;
    bench.add?.(text);
    isAdding = false;
  }
  questions.add = add;

  /** A button that shows a line of the model or the data; a text if these are not on the page. */
  function line(file: string, number: number, label: string): HTMLElement {
    const place = placeOfLine(bench.work, file, number);
    return place ? h("button", { class: "where", onclick: () => bench.show([place], true) }, label) : h("span", { class: "where" }, label);
  }

  function finding({ line: at, says, verdict, blames, solution, svg, because }: TestFinding, file: string): HTMLElement {
    const box = h("section", {}, h("p", { class: "says" }, says), h("p", { class: "origin" }, line(file, at, texts.place(file, at)), blames && blames.line !== at && line(blames.file, blames.line, test.blames(blames.line))));
    if (solution) box.append(...candidate(solution, svg));
    if (because) box.append(verdict === "broken" || because.diagnostics ? diagnostics(because.diagnostics ?? [], bench) : refusal(because, bench));
    return box;
  }

  function caseItem({ file, name, line: at, verdict, findings }: TestedCase): HTMLElement {
    const mark = h("span", { class: `outcome ${verdict.replace(" ", "-")}` }, verdict);
    const head = h("p", { class: "head" }, mark, line(file, at, name || file));
    return h("li", {}, head, ...findings.map((one) => finding(one, file)));
  }

  function mutantItem({ line: at, says, status, data, difference, case: wanted }: TestedMutant): HTMLElement {
    const file = modelName(bench.work);
    const mark = h("span", { class: `outcome ${status.replaceAll(" ", "-")}` }, status);
    const item = h("li", {}, h("p", { class: "head" }, mark, line(file, at, test.mutant(at, says))));
    if (!difference) return item;
    const given = (data ?? []).map(({ text }) => text).join("\n").trim();
    if (given) item.append(h("h3", {}, texts.ask.on), block(given));
    item.append(...differing(difference, test, bench));
    if (wanted) item.append(h("h3", {}, test.noticing), h("pre", { class: "block" }, wanted.trim()), adding(wanted));
    return item;
  }

  function adding(wanted: string): HTMLElement {
    const made = button(test.add, "small", () => {
      add(wanted);
      made.disabled = true;
      made.textContent = test.isIn;
    });
    return made;
  }

  function show(tested: TestedCase[]): void {
    cases.replaceChildren(...tested.map(caseItem));
    const failed = tested.filter(({ verdict }) => verdict !== "passed").length;
    summary.className = `verdict ${tested.length === 0 ? "" : failed > 0 ? "bad" : "good"}`;
    summary.textContent = test.summary(tested.length, failed);
  }

  function showMutants(tested: TestedMutant[], says: string): void {
    const survive = tested.filter(({ status }) => status === "not noticed");
    const rest = tested.filter(({ status }) => status !== "not noticed");
    mutants.replaceChildren(...survive.map(mutantItem));
    others.hidden = rest.length === 0;
    others.replaceChildren(h("summary", {}, test.others(rest.length)), h("ul", { class: "tested" }, ...rest.map(mutantItem)));
    score.textContent = says;
  }

  async function run(withMutants = false): Promise<void> {
    body.replaceChildren(summary, cases, score, mutants, others, answers);
    for (const part of [cases, mutants, answers]) clear(part);
    others.hidden = true;
    summary.textContent = score.textContent = "";
    const { limit } = bench.work.settings;
    const request = { ...bench.request("test"), files: bench.work.data, all: true, mutants: withMutants, ...(limit > 0 ? { limit } : {}) };
    delete request.data;
    const tested: TestedCase[] = [];
    const planted: TestedMutant[] = [];
    const answer = await bench.start<TestResult>(request, (one) => {
      if (one.type !== "progress") return;
      const { case: done, mutant, of } = one as TestProgress & { type: string };
      if (done) tested.push(done);
      if (mutant) planted.push(mutant);
      show(tested);
      if (mutant) showMutants(planted, test.planted(planted.length, of));
    });
    if (!answer) answers.append(h("p", { class: "quiet" }, texts.stopped));
    else if (answer.type === "failure") answers.append(diagnostics(answer.diagnostics, bench));
    else {
      show(answer.cases);
      if (answer.mutants) showMutants(answer.mutants, answer.score ?? "");
    }
  }

  return {
    id: "test",
    title: test.title,
    action: test.action,
    options,
    body,
    run: () => run(),
    changed: () => {
      if (!isAdding) body.classList.add("stale");
    },
  };
}
