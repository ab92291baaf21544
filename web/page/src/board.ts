// A board to fill in: the cells of the decision variables, with what is given and what one has entered.

import { h } from "./dom";
import type { Json, Solution } from "./protocol";
import { texts } from "./texts";

/** One part of a variable that has a value, as Essence names it: `board[1, 2]`. */
export interface Cell {
  name: string;
  input: HTMLInputElement;
  given: boolean;
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
  #keys = h("div", { class: "keypad", hidden: true, attributes: { role: "group", "aria-label": texts.hint.values } });
  #current: Cell | undefined;
  #onChange: () => void;

  /** The shape is that of any solution. */
  constructor(shape: Solution, onChange: () => void) {
    this.#onChange = onChange;
    for (const [name, value] of Object.entries(shape.json)) this.#variable(name, value, shape.values[name] ?? "");
    this.element.append(this.#keys);
  }

  #variable(name: string, value: Json, written: string): void {
    const box = h("div", { class: "variable" }, h("h3", {}, name));
    const isMatrix = written.startsWith("[");
    const isIndexed = isMatrix || written.startsWith("function") || written.startsWith("sequence");
    const at = (...keys: string[]) => (isMatrix ? `${name}[${keys.join(", ")}]` : `${name}(${keys.join(", ")})`);
    const rows = isIndexed ? entries(value) : null;
    const inner = isMatrix ? rows?.map(([, row]) => entries(row)) : undefined;
    if (this.cells.size > MOST_CELLS) return;
    if (rows && inner?.every((row) => row?.every(([, cell]) => isScalar(cell)))) {
      const columns = inner[0] ?? [];
      const values = distinct(inner.flatMap((row) => (row ?? []).map(([, cell]) => cell)));
      const named = columns.some(([key], index) => key !== String(index + 1)) || rows.some(([key], index) => key !== String(index + 1));
      const table = h("table", { class: "cells" });
      if (named) table.append(h("tr", {}, h("td", {}), ...columns.map(([key]) => h("th", { attributes: { scope: "col" } }, key))));
      for (const [index, [key]] of rows.entries()) {
        const row = h("tr", {}, named ? h("th", { attributes: { scope: "row" } }, key) : null);
        for (const [column] of inner[index] ?? []) row.append(h("td", {}, this.#cell(at(key, column), values)));
        table.append(row);
      }
      box.append(table);
    } else if (rows?.every(([, cell]) => isScalar(cell))) {
      const values = distinct(rows.map(([, cell]) => cell));
      const line = h("div", { class: "cells line" });
      for (const [key] of rows) line.append(h("label", {}, h("span", {}, key), this.#cell(at(key), values)));
      box.append(line);
    } else {
      box.append(this.#cell(name, isScalar(value) && typeof value === "boolean" ? ["true", "false"] : [], !isScalar(value)));
    }
    this.element.append(box);
  }

  #cell(name: string, values: string[], wide = false): HTMLInputElement {
    const input = h("input", { type: "text", class: wide ? "cell wide" : "cell", autocomplete: "off", spellcheck: false, attributes: { "aria-label": name } });
    const longest = Math.max(1, ...values.map((value) => value.length));
    if (!wide) input.style.setProperty("--length", String(Math.min(longest, 12)));
    const cell: Cell = { name, input, given: false };
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
      h("button", { type: "button", tabIndex: -1, attributes: { "aria-label": name }, on: { pointerdown: (event: Event) => event.preventDefault(), click: () => this.set(cell.name, value, true) } }, label);
    this.#keys.replaceChildren(...offered.map((value) => key(value, value)), ...(offered.length > 0 ? [key("⌫", "", texts.hint.erase)] : []));
  }

  #move(event: KeyboardEvent, input: HTMLInputElement): void {
    const td = input.closest("td");
    const row = td?.parentElement;
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if (dx === 0 && dy === 0) return;
    if (td && row instanceof HTMLTableRowElement && td instanceof HTMLTableCellElement) {
      const table = row.closest("table");
      const target = table?.rows[row.rowIndex + (dy ?? 0)]?.cells[td.cellIndex + (dx ?? 0)]?.querySelector("input");
      if (!target) return;
      event.preventDefault();
      target.focus();
    } else if (dx !== 0 && input.classList.contains("cell") && !input.classList.contains("wide")) {
      const label = input.closest("label");
      const target = (dx === 1 ? label?.nextElementSibling : label?.previousElementSibling)?.querySelector("input");
      target?.focus();
    }
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
    }
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
    for (const { name, input } of this.cells.values()) if (all.some((text) => (name.length > 2 ? text.includes(plain(name)) : text === name))) input.classList.add(as);
  }

  /** What has been entered, as constraints. */
  known(): string {
    const facts = [...this.cells.values()].filter(({ input, given }) => !given && input.value.trim()).map(({ name, input }) => `    ${name} = ${input.value.trim()}`);
    return facts.length > 0 ? `such that\n${facts.join(",\n")}\n` : "";
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
