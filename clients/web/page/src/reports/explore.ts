// The page of `explore`: the reader fixes values, and the page shows what is left of the space of solutions.
//
// `choices` and `position` are the state of the page: an action changes them and calls `render`, which draws the page.
// Counts are about the solutions on the page, which may be a sample, whereas `possible` is about all solutions; texts
// must not confuse the two. src/explore/space_page.rs writes the data. `npm run reports` writes page.js there.

import { button, copyable, drawn, h } from "../dom";
import { DIRECTIONS, nearest, onKeys } from "../keys";
import { number, plural } from "../numbers";
import { dataOf, drawing, type ExploreData, type Rectangle } from "./data";
import { box, fitting, letters, middle, sign } from "./slots";

const data = dataOf<ExploreData>();

/** Above this many values, a slot shows only their number, and a row only the first ones. */
const [MOST_IN_SLOT, MOST_IN_ROW] = [25, 60];
const UNKNOWN = 2;

/** The name and the options of each cell, and its option in each solution. */
const cells = data.cells.map(([name, options], at) => ({
  name,
  options: options.map(([shown, is, possible]) => ({ shown, is, possible })),
  has: Uint16Array.from({ length: data.here }, (_, solution) => data.columns[at].charCodeAt(solution) - 65),
}));

/** The choices in their order. */
let choices: [cell: number, option: number][] = [];
/** The solutions that agree with the choices. */
let left: number[] = [];
/** The index into `left` of the visible solution; -1 to show all of them together. */
let position = -1;
/** For each cell, how many of the visible solutions have each option. */
let counts: Uint32Array[] = [];

function compute(): void {
  left = [];
  for (let solution = 0; solution < data.here; solution++)
    if (choices.every(([cell, option]) => cells[cell].has[solution] === option)) left.push(solution);
  if (position >= left.length) position = -1;
  const counted = position < 0 ? left : [left[position]];
  counts = cells.map(({ has, options }) => {
    const count = new Uint32Array(options.length);
    for (const solution of counted) count[has[solution]]++;
    return count;
  });
}

const total = () => (position < 0 ? left.length : 1);
const share = (cell: number, option: number) => (total() > 0 ? counts[cell][option] / total() : 0);
const chosen = (cell: number) => choices.find(([other]) => other === cell)?.[1];

/** The visible options of a cell: those of the remaining solutions; without choices, all possible ones. */
function alive(cell: number): number[] {
  const all = choices.length === 0 && position < 0;
  const { options } = cells[cell];
  return [...options.keys()].filter((option) => counts[cell][option] > 0 || (all && options[option].possible !== 0));
}

function choose(wanted: typeof choices): void {
  choices = wanted;
  position = -1;
  render();
}

function toggle(cell: number, option: number): void {
  const others = choices.filter(([other]) => other !== cell);
  choose(chosen(cell) === option ? others : [...others, [cell, option]]);
}

const undo = () => choose(choices.slice(0, -1));
const reset = () => choose([]);

function step(by: number): void {
  if (left.length === 0) return;
  position = position < 0 && by < 0 ? left.length - 1 : position + by;
  if (position >= left.length) position = -1;
  render();
}

/** Shows one solution. */
function show(solution: number): void {
  choices = [];
  compute();
  position = left.indexOf(solution);
  render();
  picture.scrollIntoView({ block: "nearest" });
}

/** The text about an option. */
function words(cell: number, option: number): string {
  const { is, possible } = cells[cell].options[option];
  const count = counts[cell][option];
  if (count === 0) return `${is}: ${possible === UNKNOWN ? "not known to be possible" : "possible, but not in the sample"}`;
  return `${is}: ${count === total() ? "in all" : `in ${number(count)} of`} ${plural(total(), "solution")}`;
}

// ---- The picture ----

/** The clickable elements of the picture. The key identifies the slot and the option. */
let targets: { key: string; element: SVGElement; x: number; y: number }[] = [];
/** The key of the element that Tab reaches. */
let current = "";

function target(key: string, cell: number, option: number, place: Rectangle, name: string, inside: SVGElement): SVGElement {
  const [x, y] = middle(place);
  const [label, pressed] = [words(cell, option), String(chosen(cell) === option)];
  const attributes = { class: `value ${name}`, role: "button", tabindex: -1, "aria-label": label, "aria-pressed": pressed };
  const element = drawn("g", attributes, drawn("title", {}, label), box(place, 1, "hit"), inside);
  element.addEventListener("click", () => ((current = key), toggle(cell, option)));
  element.addEventListener("focus", () => (current = key));
  targets.push({ key, element, x, y });
  return element;
}

/** The remaining values in a slot. */
function inside([cell, option, mark, , label]: ExploreData["boxes"][0], slot: number, place: Rectangle): SVGElement[] {
  const [x, y, width, height] = place;
  const here = alive(cell);
  const { options } = cells[cell];
  if (option !== null) {
    const part = share(cell, option);
    if (!here.includes(option)) return [];
    const drawing = sign(mark, place, data.queen);
    drawing.setAttribute("opacity", String(part === 1 ? 1 : 0.12 + 0.6 * part));
    return [target(`${slot}`, cell, option, place, part === 1 ? "sure" : "", drawing)];
  }
  const shown = (one: number, at: Rectangle, most: number, name: string, opacity: number) => {
    const text = options[one].shown;
    const size = fitting(text, at[2] * 0.95, most);
    return target(`${slot}:${one}`, cell, one, at, name, letters(text, middle(at), size, "", { opacity }));
  };
  if (here.length === 1) return [shown(here[0], place, height * 0.62, "sure", 1)];
  if (options.length > MOST_IN_SLOT) {
    const text = `${here.length} values`;
    return [drawn("g", { class: "value" }, letters(text, middle(place), fitting(text, width * 0.95, height * 0.31)))];
  }
  const columns = label ? options.length : Math.ceil(Math.sqrt(options.length));
  const [wide, high] = [width / columns, height / Math.ceil(options.length / columns)];
  return here.map((one) => {
    const at: Rectangle = [x + (one % columns) * wide, y + Math.floor(one / columns) * high, wide, high];
    return shown(one, at, high * 0.84, "", 0.4 + 0.6 * share(cell, one));
  });
}

function slot(slot: ExploreData["boxes"][0], at: number): SVGGElement {
  const [cell, option, , place, label] = slot;
  // Below a name there is room for only one row.
  const room: Rectangle = label && option === null ? [place[0], place[1] + place[3], place[2], 16] : place;
  const name = chosen(cell) === undefined ? "slot" : "slot fixed";
  return drawn("g", { class: name }, box(room, 0, ""), ...inside(slot, at, room));
}

const overlay = drawn("g");

function drawStage(): void {
  const focused = overlay.contains(document.activeElement);
  targets = [];
  overlay.replaceChildren(...data.boxes.map(slot));
  const beside = ({ key }: { key: string }) => key.split(":")[0] === current.split(":")[0];
  const reached = targets.find(({ key }) => key === current) ?? targets.find(beside) ?? targets[0];
  reached?.element.setAttribute("tabindex", "0");
  if (focused) reached?.element.focus({ preventScroll: true });
}

overlay.addEventListener("keydown", (event) => {
  const from = targets.find(({ element }) => element === document.activeElement);
  if (!from || !(event.key in DIRECTIONS || event.key === "Enter" || event.key === " ")) return;
  event.preventDefault();
  if (!(event.key in DIRECTIONS)) return void from.element.dispatchEvent(new MouseEvent("click"));
  const to = nearest(from, targets, event.key);
  if (!to) return;
  from.element.setAttribute("tabindex", "-1");
  to.element.setAttribute("tabindex", "0");
  to.element.focus();
});

const stage = drawing("stage");
if (stage) {
  stage.append(overlay);
  stage.setAttribute("role", "group");
  stage.setAttribute("aria-label", "The picture of the model");
  stage.style.width = `${Math.min(740, 1.6 * stage.viewBox.baseVal.width)}px`;
}

// ---- The rows ----

function row({ name, options }: (typeof cells)[0], cell: number): HTMLElement {
  const here = alive(cell);
  const option = (one: number) => {
    const fill = h("span", { class: "fill" });
    fill.style.width = `${100 * share(cell, one)}%`;
    const [title, pressed] = [words(cell, one), String(chosen(cell) === one)];
    const shown = h("span", { "aria-hidden": "true" }, options[one].shown, " ", h("small", {}, number(counts[cell][one])));
    const properties = { title, onclick: () => toggle(cell, one), "aria-pressed": pressed, "data-key": `${cell}:${one}` };
    return h("button", properties, fill, shown, h("span", { class: "hidden" }, title));
  };
  const more = here.length > MOST_IN_ROW && h("span", { class: "quiet" }, `and ${here.length - MOST_IN_ROW} more`);
  const shown = h("div", { class: "options" }, ...here.slice(0, MOST_IN_ROW).map(option), more);
  return h("tr", { class: here.length === 1 ? "sure" : "" }, h("th", { scope: "row" }, name), h("td", {}, shown));
}

function drawRows(): void {
  if (!parts.open) return;
  const focused = (document.activeElement as HTMLElement | null)?.dataset.key;
  rows.replaceChildren(...cells.map(row));
  if (focused) rows.querySelector<HTMLElement>(`[data-key="${focused}"]`)?.focus();
}

// ---- The page ----

/** A condition in Essence: `f(x) is undefined` becomes `!(x in defined(f))`. */
function statement(is: string): string {
  const [, name, argument] = is.match(/^(.*)\((.*)\) is undefined$/s) ?? [];
  return argument ? `!(${argument.includes(",") ? `(${argument})` : argument} in defined(${name}))` : is;
}

function render(): void {
  compute();
  drawStage();
  drawRows();
  count.textContent = number(left.length);
  // Qualify the word "solutions" if the page does not have all of them.
  const sort = { all: "", sample: " of the sample", first: " of the first ones" }[data.extent];
  const noun = `${left.length === 1 ? "solution" : "solutions"}${sort}`;
  if (choices.length === 0) says.textContent = `${noun}${sort ? "" : " in all"}. Fix values to see which solutions are left.`;
  else if (left.length > 0) says.textContent = `${noun} with your choices.`;
  else says.textContent = "No solution of the sample has these values. Add the constraint below to the model and explore again.";
  const texts = choices.map(([cell, option]) => cells[cell].options[option].is);
  const takeBack = (text: string, at: number) => button(`${text} ✕`, "small", () => toggle(...choices[at]), "Take this choice back");
  chips.replaceChildren(...texts.map((text, at) => h("li", {}, takeBack(text, at))));
  undoButton.disabled = resetButton.disabled = choices.length === 0 && position < 0;
  before.disabled = after.disabled = left.length === 0;
  shown.textContent = position < 0 ? "all together" : `solution ${number(position + 1)} of ${number(left.length)}`;
  essence.value = `such that\n    ${texts.map(statement).join(",\n    ")}`;
  inEssence.hidden = choices.length === 0;
}

/** The size of the space, and the part of it on this page. */
function summary(): string {
  const { found, here, estimate, extent } = data;
  const sure = cells.filter(({ options }) => options.filter(({ possible }) => possible !== 0).length === 1).length;
  const unknown = cells.some(({ options }) => options.some(({ possible }) => possible === UNKNOWN));
  const round = (value: number) => (value < 1e6 ? number(Math.round(value)) : value.toExponential(2).replace("e+", " · 10^"));
  const solutions = plural(found, "solution");
  const all = found === 1 ? `There is exactly ${solutions}, and this page has it.` : `There are exactly ${solutions}, and this page has all of them.`;
  const sentences = [extent === "all" ? all : `There are at least ${solutions}.`];
  if (estimate) {
    const [likely, factor, confidence] = estimate;
    const [low, high] = [likely / factor, likely * factor].map((bound) => round(Math.max(found, bound)));
    const sure = `with a probability of at least ${Math.round(confidence * 100)}%, it is between ${low} and ${high}`;
    sentences.push(`Their number is estimated at ${round(likely)}: ${sure}.`);
  }
  if (extent !== "all") {
    const kind = extent === "sample" ? "a random sample of" : "the first";
    sentences.push(`This page has ${kind} ${number(here)}; how often values occur is about these.`);
    sentences.push(unknown ? "Some possible values are not known, because a limit ended the search." : "Which values are possible is exact.");
  }
  const same = `${plural(sure, "part")} of ${cells.length} ${sure === 1 ? "has" : "have"} the same value in all solutions.`;
  return [...sentences, `${unknown ? "At least " : ""}${same}`].join(" ");
}

function figure(solution: number, caption: string): HTMLElement {
  const drawn = h("div", { class: "white", role: "img", "aria-label": `Solution ${number(solution + 1)}` }, drawing(solution));
  return h("figure", {}, drawn, h("figcaption", {}, caption), button("Show above", "secondary small", () => show(solution)));
}

function gallery(title: string, about: string, figures: HTMLElement[]): HTMLElement {
  const words = h("p", { class: "quiet" }, about);
  return h("section", { class: "panel surface" }, h("h2", {}, title), words, h("div", { class: "gallery" }, ...figures));
}

function* galleries(): Generator<HTMLElement> {
  const { different, classes, classCount, symmetries, here } = data;
  if (different.length > 1) {
    const distance = (one: number, other: number) => cells.filter(({ has }) => has[one] !== has[other]).length;
    const caption = (solution: number, at: number) => {
      const least = Math.min(...different.slice(0, at).map((other) => distance(solution, other)));
      return at === 0 ? "The first one" : `Differs from the ones before in at least ${least} of ${plural(cells.length, "part")}`;
    };
    const about = "Chosen one after the other: each differs from the ones before in as many parts as possible.";
    yield gallery("Solutions that differ most", about, different.map((one, at) => figure(one, caption(one, at))));
  }
  if (classes && classCount !== null && symmetries > 0 && here > 1) {
    const some = classes.length < classCount ? `the first ${classes.length}` : "them";
    const about =
      "The model shows values, rows or columns that can be exchanged. Solutions that are images of each other form one class: " +
      `there ${classCount === 1 ? "is" : "are"} ${plural(classCount, "class", "classes")}. One solution of each of ${some} is drawn.`;
    yield gallery("Classes under symmetry", about, classes.map(([solution, size]) => figure(solution, plural(size, "solution"))));
  }
}

const ABOUT =
  "Small values are possible: the darker, the more solutions have them. Large values are the same in all solutions that are left. " +
  "Click a value to fix it; with the keyboard, use the arrow keys and Enter.";
const picture = h(
  "section",
  { class: "panel surface", hidden: data.boxes.length === 0, "aria-label": "Possible values, drawn on the picture of the model" },
  h("p", { class: "quiet" }, ABOUT),
  h("div", { class: "stage" }, stage),
);
const count = h("div", { class: "count", id: "left" });
const says = h("p", { class: "quiet", role: "status" });
const chips = h("ul", { class: "chips" });
const undoButton = button("Undo", "secondary", undo, "Undo the last choice (u)");
const resetButton = button("Reset", "secondary", reset, "Forget all choices (Escape)");
const arrow = (sign: string, title: string, key: string, by: number) =>
  h("button", { class: "secondary", title: `${title} (${key})`, "aria-label": title, onclick: () => step(by) }, sign);
const [before, after] = [arrow("◀", "The solution before", ",", -1), arrow("▶", "The next solution", ".", 1)];
const shown = h("span", { id: "shown", "aria-live": "polite" });
const [essence, copy] = copyable("Your choices as a constraint", "", 3);
const inEssence = h("section", { class: "panel surface" }, h("h2", {}, "In Essence"), essence, copy);
const rows = h("tbody", { id: "rows" });
const inRows = h("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "All parts" }, h("table", {}, rows));
// Open the list if the picture does not show all parts.
const open = new Set(data.boxes.map(([cell]) => cell)).size < cells.length;
const parts = h("details", { open, ontoggle: drawRows }, h("summary", {}, "All parts and their values"), inRows);
const steps = [h("div", { class: "bar" }, undoButton, resetButton), h("div", { class: "bar" }, before, shown, after)];
const yours = h("section", { class: "panel surface", "aria-label": "Your choices" }, count, says, chips, ...steps);
const main = h(
  "main",
  { class: "sheet" },
  ...[h("h1", {}, `Solutions of ${data.title}`), h("p", { class: "lead" }, summary())],
  h("div", { class: "columns" }, picture, h("aside", {}, yours, inEssence)),
  h("section", { class: "panel surface" }, parts),
);
document.body.append(main);
onKeys({ u: undo, Escape: reset, ",": () => step(-1), ".": () => step(1) });
render();
// Draw the galleries further down after the picture.
requestAnimationFrame(() => setTimeout(() => main.append(...galleries())));
