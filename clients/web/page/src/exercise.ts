// The page of an exercise: an editor for the answer, and feedback on it.

import { button, clear, h, iconButton } from "./dom";
import { checker, Editor } from "./editor";
import { run, type Run } from "./engine";
import type { Failure, Graded, GradeResult, Request, Text } from "../../npm/src/protocol";
import { block, diagnostics, refusal } from "./results";
import { unpack } from "./sharing";
import { keep, kept } from "./storage";
import { texts } from "./texts";

/** The data for checking answers to an exercise. */
export interface Exercise {
  title: string;
  /** The initial text of an answer. */
  start: string;
  reference: Text;
  instances: Text[];
  /** The number of small instances to generate, besides the given ones. */
  made_up: number;
  /** Seconds for each instance. */
  limit: number;
  /** Hints by the kind of mistake. */
  hints: { [kind: string]: string };
}

const isText = (value: unknown): value is Text =>
  typeof (value as Text | null)?.name === "string" && typeof (value as Text | null)?.text === "string";

/** A packed exercise; `null` if it is broken. */
export async function exerciseIn(packed: string): Promise<Exercise | null> {
  const { title, start, reference, instances, made_up, limit, hints } = ((await unpack(packed)) ?? {}) as Record<string, unknown>;
  if (!isText(reference) || !Array.isArray(instances) || !instances.every(isText)) return null;
  const said = typeof hints === "object" ? Object.entries(hints ?? {}) : [];
  return {
    title: String(title ?? ""),
    start: String(start ?? ""),
    reference,
    instances,
    made_up: Number(made_up ?? 0),
    limit: Number(limit ?? 5),
    hints: Object.fromEntries(said.map(([kind, hint]) => [kind, String(hint)])),
  };
}

/** Fills a section with an editor for the answer, which is stored under `name`. */
export function answerTo(section: HTMLElement, exercise: Exercise, name: string): void {
  const place = `exercise:${name}`;
  const box = h("div", { class: "editor" });
  const output = h("div", { class: "graded", role: "region", "aria-live": "polite", "aria-label": texts.exercise.check });
  const request = (verb: string): Request => ({ verb, model: { name: "answer.essence", text: editor.text }, data: [] });
  const ask = () => request("check");
  const mark = checker(ask, (found) => editor.mark(found), `answer-${name}`);
  const editor: Editor = new Editor(box, kept(place) ?? exercise.start, {
    label: texts.exercise.label,
    name: () => "answer.essence",
    request,
    onEdits: (edits) => editor.edit(edits),
    onChange: () => {
      keep(place, editor.text);
      mark();
    },
  });
  let going: Run<GradeResult> | null = null;
  const check = iconButton("play", texts.exercise.check, "primary", () => void start());
  const reset = button(texts.exercise.reset, "quiet", () => {
    if (editor.text !== exercise.start && !confirm(texts.exercise.resetQuestion)) return;
    editor.change(exercise.start);
    clear(output);
  });
  section.append(box, h("div", { class: "bar" }, check, reset), output);

  async function start(): Promise<void> {
    const label = check.querySelector(".label");
    if (going) return going.stop();
    clear(output);
    const progress = h("p", { class: "quiet" }, texts.running(0));
    output.append(progress);
    const { reference, instances, made_up, limit } = exercise;
    going = run<GradeResult>({ ...request("grade"), reference, instances, made_up, limit }, (line) => {
      const { graded, of } = line as unknown as { graded?: number; of?: number };
      if (graded !== undefined && of !== undefined) progress.textContent = texts.exercise.checking(graded, of);
    });
    if (label) label.textContent = texts.stop;
    const answer = await going.answer;
    going = null;
    if (label) label.textContent = texts.exercise.check;
    clear(output);
    if (!answer) output.append(h("p", { class: "quiet" }, texts.stopped));
    else if (answer.type === "failure") output.append(diagnostics((answer as unknown as Failure).diagnostics));
    else output.append(...verdict(answer, exercise.hints));
  }
}

function verdict(graded: GradeResult, hints: { [kind: string]: string }): Node[] {
  const { exercise } = texts;
  const hint = (text: string | null | undefined) => (text ? [h("blockquote", { class: "hint" }, text.trim())] : []);
  if (graded.rejected) {
    const says = h("p", { class: "verdict bad" }, exercise.rejected[graded.rejected] ?? "");
    return [says, diagnostics(graded.diagnostics ?? []), ...hint(hints[graded.rejected])];
  }
  const right = graded.results.filter(({ result }) => result === "right").length;
  const isRight = right === graded.instances;
  const nodes: Node[] = [
    h("p", { class: `verdict ${isRight ? "good" : "bad"}` }, isRight ? exercise.right(right) : exercise.wrong(right, graded.instances)),
  ];
  if (graded.results.some(({ result, complete }) => result === "right" && !complete)) nodes.push(h("p", {}, exercise.incomplete));
  // One example for each kind of mistake.
  const shown = new Set(["right"]);
  for (const one of graded.results) {
    if (shown.has(one.result)) continue;
    shown.add(one.result);
    nodes.push(...example(one, graded.instances > 1), ...hint(one.hint), ...hint(hints[one.result]));
  }
  if (graded.instances > 1 && !isRight)
    nodes.push(h("ul", { class: "outcomes" }, ...graded.results.map(({ name, result }) => h("li", {}, exercise.instances(name, exercise.results[result] ?? result)))));
  return nodes;
}

/** An instance with the solution that shows the mistake. */
function example(one: Graded, isNamed: boolean): Node[] {
  const { exercise } = texts;
  const nodes: Node[] = [];
  const data = block(one.data);
  const lines = data.textContent?.split("\n").length ?? 0;
  if (isNamed) nodes.push(h("h3", {}, exercise.on(one.name)), ...(lines <= 12 ? [data] : []));
  const introduction = { allows: exercise.allows, refuses: exercise.refuses, objective: exercise.objective, slow: exercise.slow, interface: exercise.interface }[one.result];
  nodes.push(h("h3", {}, introduction ?? one.result));
  if (one.solution) nodes.push(block(one.solution));
  if (one.because) nodes.push(h("h3", {}, exercise.yourModelSays), refusal(one.because));
  if (one.objectives) {
    const [own, other] = one.objectives;
    const says = own === null ? exercise.noObjective : other === null || own === other ? exercise.direction : exercise.objectives(own, other);
    nodes.push(h("p", {}, says));
  }
  if (one.diagnostics) nodes.push(diagnostics(one.diagnostics));
  return nodes;
}
