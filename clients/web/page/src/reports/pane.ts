// Steps through one run: the step in words, the values, the tree, the graph, and the buttons.

import { drawn, h, type Child } from "../dom";
import { number } from "../numbers";
import { filled } from "./cells";
import { drawing } from "./data";
import { ConstraintGraph } from "./graph";
import { data, nameOf, summary, valuesOf } from "./network";
import { taken, Trace, type Look } from "./trace";
import { SearchTree } from "./tree";

/** At most this many variables are listed, and this many values listed one by one. */
const [LISTED, SPELT] = [400, 40];
/** Steps per second. */
const SPEEDS = [0.5, 1, 2, 4, 8, 16, 30, 60, 120];

/** The variables that the picture does not show. */
const inPicture = new Set<unknown>(data.boxes.map(([of]) => of));
const others = data.variables.map((_, variable) => variable).filter((variable) => !inPicture.has(variable));

function picture(cells: SVGGElement): HTMLElement | null {
  const stage = inPicture.size > 0 ? drawing("stage") : null;
  if (!stage) return null;
  const { width, height } = stage.viewBox.baseVal;
  for (const name of ["width", "height"]) stage.removeAttribute(name);
  stage.setAttribute("role", "img");
  stage.setAttribute("aria-label", "The picture of the model with the values that are left");
  // Do not enlarge small pictures beyond what a projector needs.
  stage.style.maxWidth = `${Math.round(width * 2.2)}px`;
  stage.style.aspectRatio = `${width} / ${height}`;
  stage.append(cells);
  return h("div", { class: "stage" }, stage);
}

const legend = (...items: [mark: string, words: string][]) =>
  h("p", { class: "legend" }, ...items.map(([mark, words]) => h("span", {}, h("i", { class: mark }), words)));

const choose = (label: string, title: string, words: string[], onchange: () => void = () => undefined) =>
  h("select", { "aria-label": label, title, onchange, hidden: words.length < 2 }, ...words.map((word) => h("option", {}, word)));

export class Pane {
  readonly element: HTMLElement;
  trace!: Trace;
  step = 0;
  #playing = false;
  #cells = drawn("g");
  #text = h("div", { class: "step", "aria-live": "polite" });
  #counts = h("dl", { class: "counts" });
  #objective = h("div", { class: "objective", hidden: !data.objective });
  #rest = h("div", { class: "rest", tabIndex: 0 });
  #tree = new SearchTree((step) => this.go(step));
  #graph = data.points && new ConstraintGraph(data.points);
  #play = this.#button("▶ play", "play or pause (space)", () => this.toggle());
  #slide = () => this.go(Number(this.#slider.value));
  #slider = h("input", { type: "range", min: "0", "aria-label": "step", title: "steps of the whole run", oninput: this.#slide });
  #position = h("span", { class: "position" });
  #speed = choose("speed", "steps a second (+ and -)", SPEEDS.map((speed) => `${speed}/s`));
  #whole = h("button", { class: "secondary", title: "show what is still to come (w)", onclick: () => this.toggleWhole() }, "whole tree");
  #choice = choose("run", "which run", data.runs.map(({ strategy }) => strategy), () => this.load(this.index));

  constructor(index: number, readonly onChange: () => void) {
    this.#speed.selectedIndex = 3;
    const bar = [
      this.#play,
      this.#button("|◀", "to the start (Home)", () => this.go(0), "wide"),
      this.#button("◀ step", "one step back (left)", () => this.move(-1)),
      this.#button("step ▶", "one step on (right)", () => this.move(1)),
      this.#button("▶|", "to the end (End)", () => this.go(Infinity), "wide"),
      this.#button("next dead end", "to the next dead end (d)", () => this.jump("dead", 1), "wide"),
      ...[this.#slider, this.#position, this.#speed, this.#whole, this.#choice],
    ];
    const panel = (name: string, label: string, ...parts: Child[]) =>
      h("section", { class: `panel surface ${name}`, "aria-label": label }, ...parts);
    const colours = legend(["open", "being searched"], ["dead", "hopeless"], ["good", "leads to a solution"], ["now", "here"]);
    const values = panel("values", "values", picture(this.#cells), others.length > 0 && this.#rest);
    const tree = panel("search", "search tree", this.#tree.element, colours);
    const meaning = legend(["ring", "in the circle: the value; below the name: how many values are left"]);
    const title = h("h2", {}, "variables and constraints");
    const graph = this.#graph && panel("graph", "constraint graph", title, this.#graph.svg, meaning);
    this.element = h(
      "section",
      { class: "pane", "aria-label": "run" },
      h("div", { class: "said surface" }, this.#text, this.#counts, this.#objective),
      h("div", { class: graph ? "panels" : "panels plain" }, values, tree, graph),
      h("div", { class: "bar", role: "toolbar", "aria-label": "steps" }, ...bar),
    );
    this.load(Math.min(index, data.runs.length - 1));
  }

  #button(text: string, title: string, onclick: () => void, name = ""): HTMLButtonElement {
    return h("button", { class: `secondary ${name}`, title, onclick, "aria-label": title.replace(/ \(.*/, "") }, text);
  }

  get index(): number {
    return this.#choice.selectedIndex;
  }

  load(index: number): void {
    this.stop();
    this.#choice.selectedIndex = data.runs[index] ? index : 0;
    this.trace = new Trace(data.runs[this.index]);
    this.#tree.whole = true;
    this.step = 0;
    this.toggleWhole();
  }

  go(step: number): void {
    const { last } = this.trace;
    this.step = Math.max(0, Math.min(step || 0, last));
    this.#slider.max = String(last);
    this.#slider.value = String(this.step);
    this.#position.textContent = `step ${number(this.step)} of ${number(last)}`;
    this.#slider.setAttribute("aria-valuetext", this.#position.textContent);
    const look = this.trace.look(this.step);
    this.#describe(look);
    if (data.objective) this.#showObjective(data.objective);
    this.#cells.replaceChildren(...data.boxes.map((slot) => filled(slot, look)));
    this.#rest.replaceChildren(listed(look));
    this.#graph?.show(look);
    this.draw();
    this.onChange();
  }

  draw(): void {
    this.#tree.draw(this.trace, this.step);
  }

  /** Moves by a number of stops. */
  move(by: number): void {
    const { stops } = this.trace;
    const at = by > 0 ? taken(stops, this.step) - 1 + by : taken(stops, this.step - 1) + by;
    this.go(stops[Math.max(0, Math.min(at, stops.length - 1))]);
  }

  jump(list: "moves" | "dead" | "solutions", direction: 1 | -1): void {
    const steps = this.trace[list];
    if (direction > 0) this.go(steps.find((at) => at > this.step) ?? Infinity);
    else this.go(steps.findLast((at) => at < this.step) ?? this.step);
  }

  toggleWhole(): void {
    this.#tree.whole = !this.#tree.whole;
    this.#whole.setAttribute("aria-pressed", String(this.#tree.whole));
    this.go(this.step);
  }

  toggle(): void {
    if (this.#playing) return this.stop();
    this.#playing = true;
    this.#play.textContent = "⏸ pause";
    let [last, owed] = [performance.now(), 0];
    const frame = (now: number) => {
      if (!this.#playing) return;
      owed += ((now - last) / 1000) * SPEEDS[this.#speed.selectedIndex];
      last = now;
      const steps = Math.floor(owed);
      owed -= steps;
      if (steps > 0) this.move(steps);
      if (this.step >= this.trace.last) return this.stop();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  stop(): void {
    this.#playing = false;
    this.#play.textContent = "▶ play";
  }

  faster(by: number): void {
    this.#speed.selectedIndex = Math.max(0, Math.min(SPEEDS.length - 1, this.#speed.selectedIndex + by));
  }

  #describe(look: Look): void {
    const [what, why] = this.trace.words(this.step, look);
    const whys = this.step > 0 && this.step === this.trace.last ? [why, this.trace.run.verdict] : [why];
    this.#text.replaceChildren(h("b", {}, what), ...whys.map((text) => h("span", { class: "why" }, text)));
    const counts = this.trace.counts(this.step);
    const shown = counts.map(([key, words, count]) => h("div", { "data-count": key }, h("dt", {}, words), h("dd", {}, number(count))));
    this.#counts.replaceChildren(...shown);
  }

  /** Shows the best solution so far, the bound at the node, and the best objective over the steps. */
  #showObjective({ sense, text }: { sense: string; text: string }): void {
    const { best, bound, points } = this.trace.objective(this.step);
    const values = points.map(([, value]) => value);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const y = (value: number) => (high === low ? 20 : 35 - (30 * (value - low)) / (high - low)).toFixed(1);
    const x = (at: number) => ((300 * at) / this.step).toFixed(1);
    const d = points.map(([at, value], index) => (index > 0 ? `H${x(at)}V${y(value)}` : `M${x(at)} ${y(value)}`)).join("");
    const line = { viewBox: "0 0 300 40", preserveAspectRatio: "none", role: "img", "aria-label": "the best solution over the steps" };
    this.#objective.replaceChildren(
      h("span", {}, `${sense} ${text}`),
      h("span", {}, "best so far ", h("strong", {}, best ?? "–")),
      h("span", {}, `here ${sense === "minimising" ? "at least" : "at most"} `, h("em", {}, bound ?? "–")),
      drawn("svg", line, points.length > 0 && drawn("path", { d: `${d}H300` })),
    );
  }
}

/** A table of the variables outside the picture. */
function listed({ kind, value, has, isFresh, assigned }: Look): HTMLTableElement {
  const shown = (variable: number) => {
    const [values, only] = [valuesOf(variable), value(variable)];
    if (assigned[variable] >= 0) return [h("span", { class: `one ${kind(variable)}` }, values[only])];
    if (values.length > SPELT) return [h("span", {}, summary(variable, has))];
    const left = only >= 0 ? "one" : "";
    const name = (at: number) => (isFresh(variable, at) ? "fresh" : has(variable, at) ? left : "gone");
    return values.map((text, at) => h("span", { class: name(at) }, text));
  };
  const row = (variable: number) =>
    h("tr", {}, h("td", {}, nameOf(variable)), h("td", { class: kind(variable) === "empty" ? "empty" : "" }, ...shown(variable)));
  const more = others.length > LISTED && h("tr", {}, h("td", {}, `and ${others.length - LISTED} other variables`));
  return h("table", {}, ...others.slice(0, LISTED).map(row), more);
}
