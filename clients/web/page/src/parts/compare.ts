// Compares the model with others: differences, reviews, and questions that settle which model is meant.

import type { Bench, Part } from "../bench";
import { button, clear, h, iconButton } from "../dom";
import type { CompareResult, Request, ReviewedInstance, ReviewResult, Text } from "../../../npm/src/protocol";
import { block, diagnostics, differing, prose } from "../results";
import { keep, kept } from "../storage";
import { texts } from "../texts";
import { Questions } from "./ask";

/** The storage key of the other models: a list of texts in JSON, or one text. */
const PLACE = "reference";

function keptModels(): string[] {
  const text = kept(PLACE) ?? "";
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.every((one) => typeof one === "string")) return list;
  } catch {
    // An older version of the page stored the text itself.
  }
  return [text];
}

export function comparePart(bench: Bench): Part {
  const { compare, review } = texts;
  const answers = h("div", { class: "comparing" });
  const boxes: HTMLTextAreaElement[] = [];
  const fields = h("div", {});
  const more = iconButton("plus", compare.more, "quiet small", () => addBox("").focus());
  const body = h("div", {}, fields, more, answers);
  answers.append(h("p", { class: "quiet" }, compare.empty));
  const questions = new Questions(bench, {}, compare.refers);
  if (bench.add) questions.add = (cases) => bench.add?.(cases);
  const options = h("div", { class: "options" }, button(review.action, "secondary", () => void runReview()), button(texts.ask.action, "secondary", () => void ask()));

  function addBox(text: string): HTMLTextAreaElement {
    const label = compare.other(boxes.length);
    const box = h("textarea", { class: "code other", rows: 8, spellcheck: false, placeholder: compare.placeholder, "aria-label": label, autocomplete: "off", value: text });
    box.addEventListener("input", () => keep(PLACE, JSON.stringify(boxes.map(({ value }) => value))));
    boxes.push(box);
    fields.append(h("label", { class: "other" }, label, box));
    return box;
  }
  for (const text of keptModels()) addBox(text);

  /** The other models; if there is none, the reader is asked for one. */
  function others(): Text[] {
    clear(answers);
    const given = boxes.flatMap(({ value }, at) => (value.trim() ? [{ name: compare.file(at), text: value }] : []));
    if (given.length === 0) {
      answers.append(h("p", { class: "quiet", role: "alert" }, compare.missing));
      boxes[0]?.focus();
    }
    return given;
  }

  function limited(request: Request): Request {
    const { limit } = bench.work.settings;
    return limit > 0 ? { ...request, limit } : request;
  }

  /** Asks about each other model in turn; `show` renders its result. */
  async function each<Result>(request: (other: Text) => Request, show: (answer: Result) => Node[]): Promise<void> {
    const given = others();
    for (const other of given) {
      const answer = await bench.start<Result>(limited(request(other)));
      if (given.length > 1) answers.append(h("h3", {}, other.name));
      if (!answer) answers.append(h("p", { class: "quiet" }, texts.stopped));
      else answers.append(...(answer.type === "failure" ? [diagnostics(answer.diagnostics, bench)] : show(answer)));
      if (!answer) return;
    }
  }

  const run = () =>
    each<CompareResult>(
      (reference) => ({ ...bench.request("compare"), reference }),
      ({ same, difference, instance, text }) => [
        h("p", { class: `verdict ${same ? "good" : "bad"}` }, same ? compare.same : compare.different),
        ...(difference && instance?.made_up ? [h("h3", {}, compare.madeUp), block(instance.text)] : []),
        ...(difference ? differing(difference, compare, bench) : [h("p", {}, text.trim())]),
      ],
    );

  function reviewed({ name, made_up, gained, lost, objective, says, diagnostics: list }: ReviewedInstance): HTMLElement {
    const parts = [gained, lost, objective].flatMap((one) => (one ? differing(one, review, bench) : []));
    return h(
      "section",
      { class: "reviewed" },
      name && h("h3", {}, name),
      made_up && block(made_up),
      ...parts,
      ...says.map((one) => h("p", {}, one)),
      list.length > 0 && diagnostics(list, bench),
    );
  }

  const runReview = () =>
    each<ReviewResult>(
      (old) => ({ ...bench.request("review"), old }),
      ({ different, says, interface: changes, instances }) => [
        h("p", { class: `verdict ${different ? "" : "good"}` }, says),
        ...(changes.length > 0 ? [h("h3", {}, review.interface), h("ul", { class: "refuted" }, ...changes.map((one) => h("li", {}, prose(one))))] : []),
        ...instances.map(reviewed),
      ],
    );

  async function ask(): Promise<void> {
    const candidates = others();
    if (candidates.length === 0) return;
    answers.append(questions.element);
    await questions.start({ candidates });
  }

  return { id: "compare", title: compare.title, action: compare.action, options, body, run };
}
