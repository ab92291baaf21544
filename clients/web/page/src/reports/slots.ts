// Draws values in the slots of a picture, for `search` and `explore`.

import { drawn } from "../dom";
import type { Mark, Rectangle } from "./data";

export type Point = [x: number, y: number];

export const middle = ([x, y, width, height]: Rectangle): Point => [x + width / 2, y + height / 2];

/** The font size with which a text fits into a width. */
export const fitting = (text: string, width: number, most: number): number =>
  Math.max(3, Math.min(most, width / Math.max(1, text.length) / 0.62));

/** A text centred at a point. */
export const letters = (text: string, [x, y]: Point, size: number, name = "", attributes = {}): SVGTextElement =>
  drawn("text", { class: name, x, y: y + 0.35 * size, "text-anchor": "middle", "font-size": size.toFixed(1), ...attributes }, text);

/** A rectangle inside another one. */
export function box([x, y, width, height]: Rectangle, inset: number, name: string, rx = 3): SVGRectElement {
  const size = { width: Math.max(1, width - 2 * inset), height: Math.max(1, height - 2 * inset) };
  return drawn("rect", { class: name, x: x + inset, y: y + inset, ...size, rx });
}

/** The sign for a part that has the value of the slot: a queen, a dot, or a filled slot. */
export function sign(mark: Mark | "member", place: Rectangle, queen: string, name = ""): SVGElement {
  const [x, y] = middle(place);
  const size = Math.min(place[2], place[3]);
  if (mark === "queen") return drawn("path", { class: `queen ${name}`, d: queen, transform: `translate(${x - 22.5} ${y - 22.5})` });
  if (mark === "dot" || mark === "text") return drawn("circle", { class: `sign ${name}`, cx: x, cy: y, r: size / 5 });
  return box(place, 0, `sign ${mark} ${name}`, mark === "member" ? place[3] / 2 : 0);
}
