// Explains why there is no solution, why a solution is wrong, and if a constraint is implied.

import type { Bench, Part } from "../bench";
import { choice, clear, h } from "../dom";
import type { ExplainResult, Progress } from "../../../npm/src/protocol";
import { diagnostics, explanation } from "../results";
import { texts } from "../texts";

export function whyPart(bench: Bench): Part {
  let question = "none";
  const body = h("div", {});
  const expected = h("textarea", {
    class: "code",
    rows: 6,
    spellcheck: false,
    placeholder: texts.why.expectedExample,
    "aria-label": texts.why.expected,
  });
  const constraint = h("input", {
    class: "code",
    type: "text",
    spellcheck: false,
    placeholder: texts.why.constraintExample,
    "aria-label": texts.why.constraint,
  });
  constraint.addEventListener("keydown", (event) => {
    if (event.key === "Enter") bench.turnTo("why");
  });
  const more = h("div", { class: "more" });
  const options = h(
    "div",
    { class: "options" },
    choice(texts.why.question, texts.why.questions, question, (value) => {
      question = value;
      more.replaceChildren(...(value === "expected" ? [expected] : value === "forced" ? [constraint] : []));
    }),
    more,
  );

  async function run(): Promise<void> {
    clear(body);
    const request = bench.request(question === "forced" ? "forced" : "why");
    if (question === "better") request.better = true;
    if (question === "forced") request.constraint = constraint.value;
    if (question === "expected") request.expected = { name: "mine.solution", text: expected.value };
    const { limit } = bench.work.settings;
    if (limit > 0) request.limit = limit;
    const answer = await bench.start<ExplainResult>(request, (line) => {
      if (line.type === "progress") body.replaceChildren(explanation((line as Progress).answer, bench));
    });
    if (!answer) {
      body.append(h("p", { class: "quiet" }, texts.stopped));
    } else if (answer.type === "failure") {
      body.replaceChildren(diagnostics(answer.diagnostics, bench));
    } else {
      body.replaceChildren(explanation(answer.answer, bench, answer.solution ?? undefined));
      if (!answer.complete) body.append(h("p", { class: "quiet" }, answer.says));
      if (answer.warnings?.length) body.append(diagnostics(answer.warnings, bench));
    }
  }

  body.append(h("div", { class: "empty" }, h("p", {}, texts.why.empty)));
  return { id: "why", title: texts.why.title, action: texts.why.action, options, body, run };
}
