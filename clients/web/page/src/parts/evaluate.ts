// Evaluates expressions: alone, or with the names of the model, its data and the visible solution.

import type { Bench, Part } from "../bench";
import { clear, h } from "../dom";
import type { EvaluateResult } from "../../../npm/src/protocol";
import { diagnostics, essence } from "../results";
import { texts } from "../texts";

export function evaluatePart(bench: Bench): Part {
  const answers = h("ol", { class: "answers" });
  const body = h("div", {}, h("div", { class: "empty" }, h("p", {}, texts.evaluate.empty)));
  const expression = h("input", {
    class: "code",
    type: "text",
    spellcheck: false,
    placeholder: texts.evaluate.example,
    "aria-label": texts.evaluate.expression, autocomplete: "off",
  });
  expression.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) bench.turnTo("evaluate");
  });
  const options = h("div", { class: "options" }, h("div", { class: "more" }, expression));

  async function run(): Promise<void> {
    const asked = expression.value.trim();
    const request = { ...bench.request("evaluate"), expression: asked };
    if (!bench.work.model.trim()) delete request.model;
    if (bench.solution !== null) Object.assign(request, { solution: { name: "shown.solution", text: bench.solution } });
    const answer = await bench.start<EvaluateResult>(request);
    if (!answer) return;
    if (!answers.isConnected) {
      clear(body);
      body.append(answers);
    }
    const value =
      answer.type === "failure"
        ? diagnostics(answer.diagnostics, bench)
        : h("p", { class: "value" }, h("code", {}, essence(answer.essence)), h("span", { class: "quiet" }, ` ${answer.of_type}`));
    answers.prepend(h("li", {}, h("p", { class: "asked" }, h("code", {}, essence(asked))), value));
  }

  return { id: "evaluate", title: texts.evaluate.title, action: texts.evaluate.action, options, body, run };
}
