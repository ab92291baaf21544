// Questions that settle which of several models is meant: "Is this allowed?", with the answers so far.

import type { Bench } from "../bench";
import { button, clear, h, iconButton } from "../dom";
import type { AskedQuestion, AskResult, GivenAnswer, Request } from "../../../npm/src/protocol";
import { block, candidate, diagnostics } from "../results";
import { texts } from "../texts";

/** The keys of the answers, as long as the focus is in the question. */
const KEYS: [key: string, answer: string, label: string][] = [
  ["y", "yes", texts.ask.yes],
  ["n", "no", texts.ask.no],
  ["c", "cannot happen", texts.ask.cannotHappen],
  ["d", "don't know", texts.ask.unknown],
];

export class Questions {
  readonly element = h("div", { class: "asking" });
  /** Adds test cases to the model; absent if it is read-only. */
  add: ((cases: string) => void) | undefined;
  #bench: Bench;
  #asks: object;
  #refers: (models: number) => string;
  #given: GivenAnswer[] = [];
  #question: AskedQuestion | null = null;

  /** `asks` are the further members of the request, and `refers` says how many models remain. */
  constructor(bench: Bench, asks: object, refers: (models: number) => string) {
    this.#bench = bench;
    this.#asks = asks;
    this.#refers = refers;
    this.element.addEventListener("keydown", (event) => {
      const [, answer] = KEYS.find(([key]) => key === event.key) ?? [];
      if (answer && this.#question && !event.ctrlKey && !event.metaKey && !event.altKey) void this.#answer(answer);
    });
  }

  async start(asks = this.#asks): Promise<void> {
    this.#asks = asks;
    this.#given = [];
    await this.#next();
  }

  async #answer(answer: string): Promise<void> {
    const { data, solution, best } = this.#question ?? { data: [], solution: "", best: false };
    this.#question = null;
    this.#given.push({ data, solution, best, answer });
    await this.#next();
  }

  async #back(): Promise<void> {
    this.#given.pop();
    await this.#next();
  }

  async #next(): Promise<void> {
    const hadFocus = this.element.contains(document.activeElement);
    const { limit } = this.#bench.work.settings;
    const request: Request = { ...this.#bench.request("ask"), ...this.#asks, answers: this.#given, ...(limit > 0 ? { limit } : {}) };
    for (const one of this.element.querySelectorAll("button")) one.disabled = true;
    const answer = await this.#bench.start<AskResult>(request);
    clear(this.element);
    if (!answer) this.element.append(h("p", { class: "quiet" }, texts.stopped), this.#backButton());
    else if (answer.type === "failure") this.element.append(diagnostics(answer.diagnostics, this.#bench));
    else {
      this.#question = answer.question;
      this.element.append(...(answer.question ? this.#asked(answer, answer.question) : this.#end(answer)));
    }
    if (hadFocus) this.element.querySelector<HTMLElement>(".replies button, button")?.focus();
  }

  #backButton(): HTMLElement {
    const made = iconButton("undo", texts.ask.back, "quiet small", () => void this.#back());
    made.hidden = this.#given.length === 0;
    return made;
  }

  #asked({ left }: AskResult, question: AskedQuestion): Node[] {
    const given = question.data.map(({ text }) => text).join("\n").trim();
    const answers = KEYS.map(([key, answer, label]) => {
      const made = button(label, answer === "yes" || answer === "no" ? "secondary" : "quiet", () => void this.#answer(answer), texts.ask.key(key));
      made.setAttribute("aria-keyshortcuts", key);
      return made;
    });
    return [
      h("p", { class: "quiet", role: "status" }, texts.ask.number(this.#given.length + 1), " ", this.#refers(left.length)),
      ...(given ? [h("h3", {}, texts.ask.on), block(given)] : []),
      h("h3", { class: "asks" }, question.asks),
      ...candidate(question.solution, question.svg),
      h("div", { class: "replies", role: "group", "aria-label": question.asks }, ...answers),
      this.#backButton(),
    ];
  }

  #end({ says, refuted, cases }: AskResult): Node[] {
    const add = button(texts.test.addAll, "small", () => {
      this.add?.(cases);
      add.disabled = true;
    });
    return [
      h("p", { class: "verdict", role: "status" }, says),
      ...(refuted.length > 0 ? [h("ul", { class: "refuted" }, ...refuted.map(({ model, answer }) => h("li", {}, texts.ask.refuted(model, answer))))] : []),
      ...(cases ? [h("h3", {}, texts.ask.cases), h("pre", { class: "block" }, cases.trim()), ...(this.add ? [add] : [])] : []),
      this.#backButton(),
    ];
  }
}
