// The slots of the picture after a step of a search.

import { drawn } from "../dom";
import type { Rectangle, SearchData } from "./data";
import { data, nameOf, summary, valuesOf } from "./network";
import { box, fitting, letters, middle, sign, type Point } from "./slots";
import type { Look } from "./trace";

const cross = ([x, y]: Point, r: number, name = "") =>
  drawn("path", { class: `cross ${name}`, d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}` });

export function filled([of, value, mark, place, label]: SearchData["boxes"][0], look: Look): SVGGElement {
  const cell = drawn("g", { class: "cell" });
  const kind = typeof of === "string" ? "fixed" : look.kind(of);
  const ring = kind === "current" || kind === "empty" ? "ring " : "";
  const round = mark === "tone" && label ? place[3] / 2 - 2 : 3;
  if (mark === "queen" ? ring : kind) cell.append(box(place, 2, `box ${ring}${mark === "queen" ? "" : kind}`, round));
  const shown = label ? "member" : mark;
  const radius = 0.16 * Math.min(place[2], place[3]);
  const there = (name: string) => sign(shown, place, data.queen, name);
  if (typeof of === "string") {
    const text = mark === "tone" && label ? `${label}: ${of}` : of;
    if (value !== null) cell.append(of === value ? there("") : cross(middle(place), radius));
    else cell.append(mark === "tone" ? named(text, place) : large(text, place));
    return cell;
  }
  cell.append(drawn("title", {}, nameOf(of)));
  if (value === null) cell.append(...(mark === "tone" ? toned(of, label, place, look) : written(of, place, look)));
  else {
    const position = valuesOf(of).indexOf(value);
    const { left, assigned } = look;
    if (position < 0) return cell;
    if (assigned[of] === position) cell.append(there(""));
    else if (look.isFresh(of, position)) cell.append(cross(middle(place), 1.4 * radius, "fresh"));
    else if (!left[of][position] || (shown !== "queen" && assigned[of] >= 0)) cell.append(cross(middle(place), radius));
    else if (assigned[of] < 0 && look.value(of) === position) cell.append(there("only"));
  }
  if (look.scope.includes(of) && mark !== "queen") cell.append(box(place, 3, "halo", 4));
  return cell;
}

const large = (text: string, place: Rectangle, name = "big") =>
  letters(text, middle(place), fitting(text, place[2] * 0.78, place[3] * 0.52), name);

const named = (text: string, place: Rectangle, name = "big", more = {}) =>
  letters(text, middle(place), fitting(text, place[2] * 0.9, 15), name, more);

/** A value, or the remaining values, each at its own place. */
function written(of: number, place: Rectangle, { value, has, isFresh, assigned }: Look): SVGElement[] {
  const [x, y, width, height] = place;
  const [values, only] = [valuesOf(of), value(of)];
  const someAreFresh = values.some((_, position) => isFresh(of, position));
  if (assigned[of] >= 0) return [large(values[only], place)];
  if (only >= 0 && !someAreFresh) return [large(values[only], place, "big only")];
  const longest = Math.max(1, ...values.map((text) => text.length));
  // Choose a grid as square as the texts allow: 3 × 3 for nine digits.
  const square = Math.ceil(Math.sqrt((values.length * Math.max(1, longest * 0.7) ** -0.5 * width) / height));
  const columns = Math.min(Math.max(1, square), values.length);
  const [across, down] = [(width - 6) / columns, (height - 6) / Math.ceil(values.length / columns)];
  const size = Math.min(down * 0.9, across / (0.7 * longest), height * 0.4);
  if (size < 6.5) {
    const text = summary(of, has);
    return [letters(text, middle(place), fitting(text, width * 0.92, 13), "many")];
  }
  return values.flatMap((text, position) => {
    const at: Point = [x + 3 + ((position % columns) + 0.5) * across, y + 3 + (Math.floor(position / columns) + 0.5) * down];
    if (isFresh(of, position)) return letters(text, at, size, "fresh");
    return has(of, position) ? letters(text, at, size, "many") : [];
  });
}

/** The colour of a value, or a dot for each remaining colour. */
function toned(of: number, label: string, place: Rectangle, { has, isFresh, assigned, kind }: Look): SVGElement[] {
  const [values, paints] = [valuesOf(of), data.variables[of][2] ?? []];
  const [x, y, width, height] = place;
  if (assigned[of] >= 0) {
    const [fill, ink] = paints[assigned[of]];
    const shape = box(place, 0, `box ${kind(of) === "current" ? "ring" : ""}`, label ? height / 2 : 4);
    shape.style.fill = fill;
    return [shape, named(label || values[assigned[of]], place, "big", { style: `fill: ${ink}` })];
  }
  // Place dots below the name of a node, or in the middle of a cell.
  const top = label ? y + height + 2 : y + height / 2;
  const step = Math.min(18, width / values.length);
  const dots = values.flatMap((text, position) => {
    const fresh = isFresh(of, position);
    if (!fresh && !has(of, position)) return [];
    const [cx, r] = [x + width / 2 + (position - (values.length - 1) / 2) * step, step * 0.4];
    const look = { class: fresh ? "tone fresh" : "tone", cx, cy: top, r, style: `fill: ${paints[position][0]}` };
    const dot = drawn("circle", look, drawn("title", {}, text));
    return fresh ? [dot, cross([cx, top], r + 2, "fresh")] : [dot];
  });
  // The picture shows the name of the node already, unless it is covered.
  return label && kind(of) ? [named(label, place, ""), ...dots] : dots;
}
