// Draws variables as nodes and constraints as edges.

import { drawn } from "../dom";
import { clipped, data, equation, nameOf, valuesOf } from "./network";
import { fitting, letters, middle, type Point } from "./slots";
import { size, type Look } from "./trace";

/** Above this many nodes, names are omitted. */
const NAMED = 40;

/** The positions of the variables: as in the picture, if each has one cell there and they are not on one line. */
function places(points: Point[]): Point[] {
  const slots = data.boxes.flatMap(([of, , , place]): [number, Point][] => (typeof of === "number" ? [[of, middle(place)]] : []));
  const centres = new Map(slots);
  const apart = (axis: number) => new Set(slots.map(([, point]) => point[axis])).size > 1;
  if (centres.size === slots.length && centres.size === points.length && apart(0) && apart(1))
    return points.map((point, variable) => centres.get(variable) ?? point);
  return points.map(([x, y]) => [x * 112, y * 84]);
}

export class ConstraintGraph {
  readonly svg: SVGSVGElement;
  #points: Point[];
  #lit = drawn("g");
  #nodes = drawn("g");

  constructor(points: Point[]) {
    this.#points = places(points);
    const [xs, ys] = [0, 1].map((axis) => this.#points.map((point) => point[axis]));
    const side = points.length <= NAMED ? 64 : 24;
    const [left, top] = [Math.min(...xs) - side, Math.min(...ys) - 24];
    const pairsOf = (scope: number[]) => scope.flatMap((from, index) => scope.slice(index + 1).map((to) => [from, to].sort().join()));
    const pairs = new Set(data.constraints.flatMap(([, scope]) => pairsOf(scope)));
    const line = (pair: string) => this.#line("edge", ...pair.split(",").map((variable) => this.#points[Number(variable)]));
    const lines = drawn("g", { opacity: pairs.size > 400 ? 0.4 : 1 }, ...[...pairs].map(line));
    const viewBox = `${left} ${top} ${Math.max(...xs) - left + side} ${Math.max(...ys) - top + 48}`;
    const label = "variables as nodes, constraints as lines";
    this.svg = drawn("svg", { viewBox, role: "img", "aria-label": label }, lines, this.#lit, this.#nodes);
  }

  #line = (name: string, ...points: Point[]) => drawn("path", { class: name, d: `M${points.join("L")}` });

  show({ kind, left, assigned, scope }: Look): void {
    const points = scope.map((variable) => this.#points[variable]);
    const hub = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length) as Point;
    const lines: SVGElement[] = scope.length === 2 ? [this.#line("lit", ...points)] : points.map((point) => this.#line("lit", point, hub));
    if (scope.length > 2) lines.push(drawn("circle", { class: "hub", cx: hub[0], cy: hub[1], r: 7 }));
    this.#lit.replaceChildren(...(scope.length > 1 ? lines : []));
    const node = ([x, y]: Point, variable: number) => {
      // The value is in the circle, the number of remaining values below the name.
      const [position, count] = [assigned[variable], size(left[variable])];
      const value = position >= 0 ? valuesOf(variable)[position] : null;
      const state = count === 1 ? "1 value is left" : `${count} values are left`;
      const circle = drawn("circle", { class: kind(variable) || (scope.includes(variable) ? "scope" : ""), cx: x, cy: y, r: 15 });
      const title = drawn("title", {}, value === null ? `${nameOf(variable)}: ${state}` : equation(variable, position));
      const made = drawn("g", {}, circle, title, value !== null && letters(value, [x, y], fitting(value, 26, 15), "value"));
      if (this.#points.length > NAMED) return made;
      made.append(letters(clipped(nameOf(variable), 16), [x, y + 23], 11, "name"));
      if (value === null) made.append(letters(`${count} left`, [x, y + 35], 11, "name"));
      return made;
    };
    this.#nodes.replaceChildren(...this.#points.map(node));
  }
}
