// Compares the model with another one.

import type { Bench, Part } from "../bench";
import { clear, h } from "../dom";
import type { CompareResult } from "../../../npm/src/protocol";
import { block, diagnostics, refusal } from "../results";
import { keep, kept } from "../storage";
import { texts } from "../texts";

/** The storage key of the other model. */
const PLACE = "reference";

export function comparePart(bench: Bench): Part {
  const answers = h("div", { class: "comparing" });
  const other = h("textarea", {
    class: "code other",
    rows: 8,
    spellcheck: false,
    placeholder: texts.compare.placeholder,
    "aria-label": texts.compare.other, autocomplete: "off",
  });
  other.value = kept(PLACE) ?? "";
  other.addEventListener("input", () => keep(PLACE, other.value));
  const body = h("div", {}, h("label", { class: "other" }, texts.compare.other, other), answers);
  answers.append(h("p", { class: "quiet" }, texts.compare.empty));

  async function run(): Promise<void> {
    clear(answers);
    if (!other.value.trim()) {
      answers.append(h("p", { class: "quiet", role: "alert" }, texts.compare.missing));
      other.focus();
      return;
    }
    const request = { ...bench.request("compare"), reference: { name: "other.essence", text: other.value } };
    const { limit } = bench.work.settings;
    if (limit > 0) Object.assign(request, { limit });
    const answer = await bench.start<CompareResult>(request);
    if (!answer) {
      answers.append(h("p", { class: "quiet" }, texts.stopped));
    } else if (answer.type === "failure") {
      answers.append(diagnostics(answer.diagnostics, bench));
    } else {
      const kind = answer.same ? "good" : "bad";
      answers.append(h("p", { class: `verdict ${kind}` }, answer.same ? texts.compare.same : texts.compare.different));
      answers.append(...(answer.difference ? difference(answer, answer.difference) : [h("p", {}, answer.text.trim())]));
    }
  }

  function difference({ instance }: CompareResult, { kind, solution, because, objectives }: NonNullable<CompareResult["difference"]>): Node[] {
    const { compare } = texts;
    return [
      ...(instance?.made_up ? [h("h3", {}, compare.madeUp), block(instance.text)] : []),
      h("h3", {}, compare[kind]),
      block(solution),
      ...(because ? [h("h3", {}, kind === "allows" ? compare.otherSays : compare.yoursSays), refusal(because, bench)] : []),
      ...(objectives ? [h("p", {}, compare.objectives(...objectives))] : []),
    ];
  }

  return { id: "compare", title: texts.compare.title, action: texts.compare.action, options: h("div", {}), body, run };
}
