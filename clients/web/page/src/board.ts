// A board to fill in: the cells of the decision variables, with what is given and what one has entered.

import { h, picture } from "./dom";
import { conceal, reveal, spots, type Spot } from "./drawing";
import { indexMembers } from "./indices";
import { DIRECTIONS, nearest } from "./keys";
import type { Json, Solution } from "../../npm/src/protocol";
import { texts } from "./texts";

/** One part of a variable that has a value, as Essence names it: `board[1, 2]`. */
export interface Cell {
  name: string;
  input: HTMLInputElement;
  given: boolean;
  /** Its value in the solution that the board was made from. */
  solution: string;
}

const KEY = /^-?[\p{L}\p{N}_']+$/u;
/** Boards with more cells than this are not shown. */
const MOST_CELLS = 2500;
/** Variables with more values than this have no buttons for them. */
const MOST_VALUES = 16;

const isScalar = (value: Json | undefined): value is string | number | boolean => ["string", "number", "boolean"].includes(typeof value);

/** The entries of a collection whose parts have names; lists are indexed from 1. */
function entries(value: Json | undefined): [string, Json][] | null {
  if (Array.isArray(value)) return value.map((one, index) => [String(index + 1), one]);
  if (typeof value !== "object" || value === null) return null;
  const pairs = Object.entries(value);
  return pairs.length > 0 && pairs.every(([key]) => KEY.test(key)) ? pairs : null;
}

/** Values without blanks, so that what the engine says and what is typed can be compared. */
const plain = (text: string) => text.replace(/\s+/g, "");

export class Board {
  readonly element = h("div", { class: "board" });
  readonly cells = new Map<string, Cell>();
  #keys = h("div", { class: "keypad", hidden: true, role: "group", "aria-label": texts.hint.values });
  #current: Cell | undefined;
  #onChange: () => void;
  #members: ReturnType<typeof indexMembers>;
  /** The variables with their cells. */
  #boxes = new Map<HTMLElement, Cell[]>();
  #shown: { drawing: Document; box: HTMLElement; spots: Map<string, Spot> } | undefined;

  /** A solution gives the shape; its values are not shown. */
  constructor(shape: Solution, sources: string[], onChange: () => void) {
    this.#onChange = onChange;
    this.#members = indexMembers([...sources, shape.essence]);
    for (const [name, written] of Object.entries(shape.values)) this.#variable(name, shape.json[name] ?? null, written);
    if (shape.svg) for (const [box, cells] of this.#boxes) if (this.#draw(shape.svg, box, cells)) break;
    this.element.append(this.#keys);
  }

  /** Puts the cells of a variable into the picture of the puzzle, from which the solution is taken out. */
  #draw(svg: string, variable: HTMLElement, cells: Cell[]): boolean {
    const drawing = new DOMParser().parseFromString(svg, "image/svg+xml");
    const root = drawing.documentElement;
    const [width, height] = [Number(root.getAttribute("width")), Number(root.getAttribute("height"))];
    // Few values may stand somewhere by chance.
    const values = cells.map(({ solution }) => solution);
    const found = values.length < 4 ? null : spots(drawing, values);
    if (!found || !(width > 0 && height > 0)) return false;
    const box = h("div", { class: "drawn" });
    box.style.setProperty("--width", String(width));
    box.style.setProperty("--height", String(height));
    for (const [index, { input }] of cells.entries()) {
      const spot = found[index];
      if (!spot) continue;
      conceal(spot);
      input.style.left = `${(100 * spot.x) / width}%`;
      input.style.top = `${(100 * spot.y) / height}%`;
      input.style.setProperty("--w", `${(100 * spot.width) / width}%`);
      input.style.setProperty("--h", `${(100 * spot.height) / height}%`);
      input.style.setProperty("--size", String(spot.size));
      box.append(input);
    }
    this.#shown = { drawing, box, spots: new Map(cells.map(({ name }, index) => [name, found[index] as Spot])) };
    this.#redraw();
    variable.replaceWith(box);
    const others = [...this.#boxes.keys()].filter((one) => one !== variable);
    if (others.length > 0) this.element.append(h("details", {}, h("summary", {}, texts.hint.others), ...others));
    this.element.prepend(box);
    return true;
  }

  #redraw(): void {
    if (!this.#shown) return;
    const { drawing, box } = this.#shown;
    box.querySelector("img")?.remove();
    box.prepend(picture(new XMLSerializer().serializeToString(drawing), ""));
  }

  #variable(name: string, value: Json, written: string): void {
    const box = h("div", { class: "variable" }, h("h3", {}, name));
    const before = this.cells.size;
    const isMatrix = written.startsWith("[");
    const isIndexed = isMatrix || written.startsWith("function") || written.startsWith("sequence");
    const members = this.#members.get(name);
    const index = (key: string, level: number) => (isMatrix && members?.[level]?.[Number(key) - 1]) || key;
    const at = (...keys: string[]) => {
      const list = keys.map(index).join(", ");
      return isMatrix ? `${name}[${list}]` : `${name}(${list})`;
    };
    const rows = isIndexed ? entries(value) : null;
    const isRecord = written.startsWith("[record");
    const columnName = (key: string) => (isRecord ? key : index(key, 1));
    const inner = isRecord || written.startsWith("[[") ? rows?.map(([, row]) => entries(row)) : undefined;
    if (this.cells.size > MOST_CELLS) return;
    if (rows && inner?.every((row) => row?.every(([, cell]) => isScalar(cell)))) {
      const columns = inner[0] ?? [];
      const valuesOf = (chosen: (column: string) => boolean) =>
        distinct(inner.flatMap((row) => (row ?? []).filter(([key]) => chosen(key)).map(([, cell]) => cell)));
      const all = valuesOf(() => true);
      const named = [columns.map(([key]) => columnName(key)), rows.map(([key]) => index(key, 0))].some((keys) =>
        keys.some((key, at) => key !== String(at + 1)),
      );
      const table = h("table", { class: "cells" });
      if (named) table.append(h("tr", {}, h("td", {}), ...columns.map(([key]) => h("th", { scope: "col" }, columnName(key)))));
      for (const [line, [key]] of rows.entries()) {
        const row = h("tr", {}, named ? h("th", { scope: "row" }, index(key, 0)) : null);
        for (const [column, cell] of inner[line] ?? []) {
          const part = isRecord
            ? this.#cell(
                `${at(key)}[${column}]`,
                valuesOf((one) => one === column),
                cell,
              )
            : this.#cell(at(key, column), all, cell);
          row.append(h("td", {}, part));
        }
        table.append(row);
      }
      box.append(table);
    } else if (rows?.every(([, cell]) => isScalar(cell))) {
      const values = distinct(rows.map(([, cell]) => cell));
      const line = h("div", { class: "cells line" });
      for (const [key, cell] of rows) line.append(h("label", {}, h("span", {}, index(key, 0)), this.#cell(at(key), values, cell)));
      box.append(line);
    } else if (rows) {
      for (const [key, part] of rows)
        box.append(h("label", { class: "part" }, h("span", {}, at(key)), this.#cell(at(key), [], part, true)));
    } else {
      box.append(this.#cell(name, isScalar(value) && typeof value === "boolean" ? ["true", "false"] : [], value, !isScalar(value)));
    }
    this.#boxes.set(box, [...this.cells.values()].slice(before));
    this.element.append(box);
  }

  #cell(name: string, values: string[], value: Json, wide = false): HTMLInputElement {
    const input = h("input", {
      type: "text",
      class: wide ? "cell wide" : "cell",
      autocomplete: "off",
      spellcheck: false,
      "aria-label": name,
    });
    const longest = Math.max(1, ...values.map((value) => value.length));
    if (values.includes("true")) input.classList.add("bool");
    else if (!wide) input.style.setProperty("--length", String(Math.min(longest, 12)));
    const cell: Cell = { name, input, given: false, solution: String(value) };
    input.addEventListener("input", () => {
      input.classList.remove("advised", "wrong");
      this.#onChange();
    });
    input.addEventListener("focus", () => this.#choose(cell, values));
    input.addEventListener("keydown", (event) => this.#move(event, input));
    this.cells.set(name, cell);
    return input;
  }

  #choose(cell: Cell, values: string[]): void {
    this.#current?.input.classList.remove("current");
    this.#current = cell;
    cell.input.classList.add("current");
    cell.input.select();
    const offered = values.length <= MOST_VALUES && !cell.given ? values : [];
    this.#keys.hidden = offered.length === 0;
    const key = (label: string, value: string, name = label) =>
      h(
        "button",
        {
          tabIndex: -1,
          "aria-label": name,
          onpointerdown: (event: Event) => event.preventDefault(),
          onclick: () => this.set(cell.name, value, true),
        },
        label,
      );
    this.#keys.replaceChildren(
      ...offered.map((value) => key(value, value)),
      ...(offered.length > 0 ? [key("⌫", "", texts.hint.erase)] : []),
    );
  }

  #move(event: KeyboardEvent, input: HTMLInputElement): void {
    if (this.#shown && input.closest(".drawn")) {
      this.#moveInDrawing(event, input);
      return;
    }
    const td = input.closest("td");
    const row = td?.parentElement;
    const [dx, dy] = DIRECTIONS[event.key] ?? [0, 0];
    if (dx === 0 && dy === 0) return;
    if (td && row instanceof HTMLTableRowElement && td instanceof HTMLTableCellElement) {
      const table = row.closest("table");
      const target = table?.rows[row.rowIndex + dy]?.cells[td.cellIndex + dx]?.querySelector("input");
      if (!target) return;
      event.preventDefault();
      target.focus();
    } else if (dx !== 0 && input.classList.contains("cell") && !input.classList.contains("wide")) {
      const label = input.closest("label");
      const target = (dx === 1 ? label?.nextElementSibling : label?.previousElementSibling)?.querySelector("input");
      target?.focus();
    }
  }

  /** The nearest cell in the direction of the key. */
  #moveInDrawing(event: KeyboardEvent, input: HTMLInputElement): void {
    const place = ({ input }: Pick<Cell, "input">) => ({ x: parseFloat(input.style.left), y: parseFloat(input.style.top), input });
    const others = [...this.cells.values()].filter(({ input: other }) => other.closest(".drawn"));
    const target = nearest(place({ input }), others.map(place), event.key);
    if (!target) return;
    event.preventDefault();
    target.input.focus();
  }

  set(name: string, value: string, byUser = false): void {
    const cell = this.cells.get(name);
    if (!cell || (cell.given && byUser)) return;
    cell.input.value = value;
    cell.input.classList.remove("wrong", "advised");
    if (byUser) this.#onChange();
  }

  /** Fixes the cells of facts such as `board[1, 1] = 2`. */
  give(facts: string[]): void {
    for (const fact of facts) {
      const [cell, value] = this.read(fact) ?? [];
      if (!cell || value === undefined) continue;
      cell.input.value = value;
      cell.input.readOnly = true;
      cell.input.classList.add("given");
      cell.given = true;
      const spot = this.#shown?.spots.get(cell.name);
      if (spot && cell.solution === value) reveal(spot);
    }
    this.#redraw();
  }

  /** The cell and the value of a fact. */
  read(fact: string): [Cell, string] | null {
    const [, name, value] = /^(.*?\S) = (\S.*)$/.exec(fact) ?? [];
    if (name && value !== undefined) {
      for (const cell of this.cells.values()) if (plain(cell.name) === plain(name)) return [cell, value];
      return null;
    }
    // Booleans are stated by themselves or denied.
    const stated = fact.replace(/^!/, "");
    for (const cell of this.cells.values()) if (plain(cell.name) === plain(stated)) return [cell, String(stated === fact)];
    return null;
  }

  clearMarks(): void {
    for (const { input } of this.cells.values()) input.classList.remove("advised", "wrong", "reason");
  }

  erase(): void {
    for (const cell of this.cells.values()) if (!cell.given) this.set(cell.name, "");
    this.clearMarks();
    this.#onChange();
  }

  /** Marks the cells that texts mention. */
  mark(mentioned: string[], as: "advised" | "reason" | "wrong"): void {
    const all = mentioned.map(plain);
    for (const { name, input } of this.cells.values())
      if (all.some((text) => (name.length > 2 ? text.includes(plain(name)) : text === name))) input.classList.add(as);
  }

  /** What has been entered, as constraints. */
  known(): string {
    const facts = [...this.cells.values()]
      .filter(({ input, given }) => !given && input.value.trim())
      .map(({ name, input }) => `    ${name} = ${input.value.trim()}`);
    return facts.length > 0 ? `such that\n${facts.join(",\n")}\n` : "";
  }

  /** The empty cells with their values in the solution. */
  open(): [string, string][] {
    return [...this.cells.values()].filter(({ input }) => !input.value.trim()).map(({ name, solution }) => [name, solution]);
  }

  get full(): boolean {
    return [...this.cells.values()].every(({ input }) => input.value.trim() !== "");
  }
}

function distinct(values: Json[]): string[] {
  const found = [...new Set(values.map(String))];
  if (found.every((value) => value === "true" || value === "false")) return ["true", "false"];
  return found.every((value) => /^-?\d+$/.test(value)) ? found.sort((one, other) => Number(one) - Number(other)) : found.sort();
}
