// The page of `campaign report`: contradictions, a sortable table, and plots of times.

import { button, choice, drawn, h, scrolled, table, type Child } from "../dom";
import { number } from "../numbers";
import { dataOf, type CampaignData } from "./data";

const data = dataOf<CampaignData>();
const colour = (at: number) => `var(--c${at % 8})`;

/** Formats a time in seconds. */
function inSeconds(time: number | null): string {
  if (time === null) return "–";
  return time < 100 ? time.toFixed(time < 10 ? 2 : 1) : number(Math.round(time));
}

const list = (title: string, items: string[], name: string) =>
  items.length > 0 && h("section", { class: name }, h("h2", {}, title), h("ul", {}, ...items.map((item) => h("li", {}, item))));

// ---- The table ----

/** The columns as members of a row and headings; the first two are texts. */
const COLUMNS = [
  ...[["family", "Family"], ["setting", "Setting"], ["tasks", "Tasks"], ["solved", "Answers"], ["time", "Time limit"]],
  ...[["memory", "Memory limit"], ["other", "Unknown or error"], ["open", "No result"], ["par2", "PAR2 in s"], ["median", "Median in s"]],
];
const families = scrolled("Results by family and setting", "surface");

function shown(key: string, value: string | number | null): string {
  if (typeof value === "string") return value;
  return key === "par2" || key === "median" ? inSeconds(value) : number(value ?? 0);
}

/** Sorts the table by a column. */
function sort(by: number, ascending: boolean): void {
  const value = (row: CampaignData["rows"][0]) => (by < 0 ? 0 : (row[COLUMNS[by][0]] ?? Infinity));
  const compare = (one: number | string, other: number | string) => (one < other ? -1 : one > other ? 1 : 0) * (ascending ? 1 : -1);
  const rows = data.rows.toSorted((one, other) => compare(value(one), value(other)));
  const headings = COLUMNS.map(([, title], at) => button(title, "", () => sort(at, by !== at || !ascending)));
  const cells = rows.map((row) => COLUMNS.map(([key]) => shown(key, row[key])));
  const made = table(headings, cells, [2, COLUMNS.length - 1]);
  made.id = "families";
  families.replaceChildren(made);
  headings[by]?.parentElement?.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  headings[by]?.focus();
}

// ---- The plots ----

const HEIGHT = 400;
const [LEFT, TOP, BOTTOM] = [46, 10, 40];
const least = Math.min(data.limit / 10, ...data.curves.flatMap(({ points }) => points.map(([, time]) => Math.max(time, 0.001))));
const [low, high] = [10 ** Math.floor(Math.log10(least)), data.limit * 1.6];
const decades: number[] = [];
for (let power = low; power <= high; power *= 10) decades.push(Number(power.toPrecision(1)));

/** The position of a time between two ends, on a logarithmic scale. */
const along = (time: number, from: number, to: number) =>
  from + ((to - from) * Math.log(Math.max(time, low) / low)) / Math.log(high / low);
const up = (time: number) => along(time, HEIGHT - BOTTOM, TOP);

const plot = (width: number, label: string) => drawn("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": label });
const line = (name: string, x1: number, y1: number, x2: number, y2: number, more = {}) => drawn("line", { class: name, x1, y1, x2, y2, ...more });
const label = (text: string, x: number, y: number, anchor: "start" | "middle" | "end", more = {}) =>
  drawn("text", { x, y, "text-anchor": anchor, ...more }, text);
/** A line of the grid with its label below. */
const upright = (x: number, text: string) => [line("grid", x, TOP, x, HEIGHT - BOTTOM), label(text, x, HEIGHT - BOTTOM + 16, "middle")];
const across = (y: number, to: number, text: string) => [line("grid", LEFT, y, to, y), label(text, LEFT - 6, y + 4, "end")];

function cactus(): SVGSVGElement {
  const [width, end] = [460, 356];
  const most = Math.max(1, ...data.curves.map(({ points }) => points.at(-1)?.[0] ?? 0));
  const x = (count: number) => LEFT + ((end - LEFT) * count) / most;
  const svg = plot(width, "For each setting, the number of runs with an answer within a time");
  svg.append(...decades.flatMap((time) => across(up(time), end, `${time} s`)));
  const step = Math.max(1, 10 ** Math.floor(Math.log10(most)));
  const every = most / step > 5 ? step * 2 : most / step > 2 ? step : Math.max(1, step / 2);
  for (let count = 0; count <= most; count += every) svg.append(...upright(x(count), number(count)));
  svg.append(line("axis", LEFT, up(data.limit), end, up(data.limit), { "stroke-dasharray": "2 4" }));
  svg.append(label("runs with an answer", (LEFT + end) / 2, HEIGHT - 4, "middle"));
  const labels: { at: number; setting: string; x: number; y: number }[] = [];
  for (const [at, { setting, points }] of data.curves.entries()) {
    const last = points.at(-1);
    if (!last) continue;
    const d = `M${points.map(([count, time]) => `${x(count).toFixed(1)} ${up(time).toFixed(1)}`).join("L")}`;
    const dashes = at > 0 ? ["9 3 2 3", "7 3", "2 3"][at % 3] : "none";
    const title = drawn("title", {}, `${setting}: ${number(last[0])} answers`);
    svg.append(drawn("path", { class: "curve", d, stroke: colour(at), "stroke-linejoin": "round", "stroke-dasharray": dashes }, title));
    svg.append(drawn("circle", { cx: x(last[0]), cy: up(last[1]), r: 3.5, fill: colour(at) }));
    labels.push({ at, setting, x: x(last[0]) + 8, y: up(last[1]) + 4 });
  }
  labels.sort((one, other) => one.y - other.y);
  for (const [index, one] of labels.entries()) {
    if (index > 0) one.y = Math.max(one.y, labels[index - 1].y + 14);
    const text = one.setting.length > 14 ? `${one.setting.slice(0, 13)}…` : one.setting;
    svg.append(label(text, one.x, Math.min(one.y, HEIGHT - 6), "start", { class: "name", style: `fill: ${colour(one.at)}` }));
  }
  return svg;
}

const chosen = [0, Math.min(1, data.settings.length - 1)];
const plotted = h("div", { id: "scatter" });
const differences = h("div");

/** Plots two settings against each other, run by run, and lists the largest differences. */
function scatter(): void {
  const [one, other] = chosen.map((setting) => data.settings[setting]);
  const [side, end] = [400, 390];
  const right = (time: number) => along(time, LEFT, end);
  const svg = plot(side, `The time of ${one} and of ${other} for each run; a table of the largest differences follows`);
  svg.append(...decades.flatMap((time) => [...across(up(time), end, `${time}`), ...upright(right(time), `${time}`)]));
  svg.append(line("axis", right(low), up(low), right(high), up(high), { "stroke-dasharray": "4 4" }));
  svg.append(label(`seconds of ${one}`, (LEFT + side) / 2, side - 6, "middle"));
  svg.append(label(`seconds of ${other}`, 0, 0, "middle", { transform: `translate(11 ${(side - BOTTOM) / 2}) rotate(-90)` }));
  // A negative time marks a run without an answer.
  const place = (time: number) => (time < 0 ? data.limit * 1.3 : time);
  const said = (time: number) => (time < 0 ? "no answer" : `${inSeconds(time)} s`);
  const pairs = data.runs.flatMap(([name, ...times]) => {
    const [x, y] = chosen.map((setting) => times[setting]);
    return x === null || y === null ? [] : [{ name, x, y, ratio: Math.abs(Math.log(Math.max(place(x), low) / Math.max(place(y), low))) }];
  });
  for (const { name, x, y } of pairs) {
    const title = drawn("title", {}, `${name}: ${said(x)}, ${said(y)}`);
    svg.append(drawn("circle", { class: x < 0 || y < 0 ? "point limit" : "point", cx: right(place(x)), cy: up(place(y)), r: 4 }, title));
  }
  plotted.replaceChildren(svg);
  const large = pairs.filter(({ ratio }) => chosen[0] !== chosen[1] && ratio > Math.log(1.5));
  const largest = large.sort((one, other) => other.ratio - one.ratio).slice(0, 10);
  const rows = largest.map(({ name, x, y }) => [name, said(x), said(y)]);
  const listed = scrolled("The largest differences", "surface", table(["Run", one, other], rows, [1, 2]));
  differences.replaceChildren(...(rows.length > 0 ? [h("h2", {}, "The largest differences"), listed] : []));
}

const figure = (caption: string, ...parts: Child[]) => h("figure", { class: "surface" }, h("figcaption", {}, caption), ...parts);
const settings = data.settings.map((setting, at): [string, string] => [String(at), setting]);
const chooser = (which: number) =>
  choice(which === 0 ? "Across:" : "Up:", settings, String(chosen[which]), (value) => ((chosen[which] = Number(value)), scatter()));
const contradictions = data.contradictions.length === 1 ? "A contradiction" : `${data.contradictions.length} contradictions`;
const MEANING = "PAR2 is the mean time, where a run without a definite answer counts twice the time limit. The median is of the runs with one.";
const charts = h("div", { class: "charts" }, figure("How many runs have an answer within a time", h("div", { id: "cactus" }, cactus())));
if (data.settings.length > 1) charts.append(figure("Two settings, run by run", h("div", {}, chooser(0), chooser(1)), plotted));
const wrong = list(contradictions, data.contradictions, "bad");
document.body.append(
  h(
    "main",
    { class: "sheet" },
    ...[h("h1", {}, data.title), h("p", { class: "lead" }, data.summary), wrong, list("Instances in cubes", data.cubes, "")],
    ...[h("h2", {}, "Families and settings"), h("p", { class: "lead" }, MEANING), families, h("h2", {}, "Times"), charts, differences],
  ),
);
sort(-1, true);
if (data.settings.length > 1) scatter();
