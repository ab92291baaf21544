// The tables of a decision variable: its axes are its indices, arguments and members, and its values if they are few.

import { axis, isSettable, type Placed, shownValue } from "./cells";
import type { Domain } from "./domains";

/** At most this many values are columns. */
const MOST_VALUES = 12;
/** At most this many letters fit above all columns together. */
const MOST_LETTERS = 72;
/** A table has at most this many places. */
const MOST_PLACES = 3000;

/** Positions of axes: the one of the rows, of the columns, and of the tables below each other. */
export interface Layout {
  rows: number;
  columns: number;
  blocks: number | null;
}

/** An axis: the name of a type, or a position counted from 1; and the order of its labels, if not the model's. */
export interface WantedAxis {
  name: string;
  order: "by name" | "reversed" | undefined;
}

/** The model's directives about the table of a variable. */
export interface Wanted {
  view?: "table" | "list";
  axes?: WantedAxis[];
  colour?: string;
}

/** A place of a table: a cell, or one of its values. */
interface Entry {
  cell: Placed;
  option: number | null;
}

const texts = (cell: Placed): string[] => cell.values.map((_, option) => shownValue(cell, option, ["✓", "–"]));

/** The names of the types along the axes of a domain; empty for integers. The last one is the type of the values. */
export function axisNames(domain: Domain): string[] {
  const [first, second] = domain.parts ?? [];
  const inner = (part: Domain | undefined) => (part ? axisNames(part) : []);
  const arguments_ = (part: Domain | undefined) => (part?.kind === "tuple" ? (part.parts ?? []).map(({ name }) => name ?? "") : [part?.name ?? ""]);
  if (domain.kind === "matrix" || domain.kind === "function") return [...arguments_(first), ...inner(second)];
  if (domain.kind === "relation") return (domain.parts ?? []).map(({ name }) => name ?? "");
  // Positions have no name.
  if (domain.kind === "sequence") return ["", ...inner(first)];
  if (domain.kind === "set") return arguments_(first);
  // Both members of a pair.
  if (domain.kind === "partition") return Array.from({ length: 2 }, () => first?.name || domain.kind);
  return [domain.name ?? ""];
}

/** The tables of one variable. */
export class Axes {
  readonly #labels: string[][];
  /** The number of labels of each cell; the values are the axis with this position. */
  readonly #depth: number;
  readonly #hasValues: boolean;

  constructor(
    readonly cells: Placed[],
    readonly names: string[],
    readonly wanted: Wanted = {},
  ) {
    this.#depth = cells[0]?.labels.length ?? 0;
    const values = [...new Set(cells.flatMap(texts))];
    this.#hasValues = this.#depth > 0 && this.#depth < 3 && cells.every((cell) => isSettable(cell) && !cell.toggle) && values.length <= MOST_VALUES && cells.length * values.length <= MOST_PLACES;
    this.#labels = [...Array.from({ length: this.#depth }, (_, at) => axis(cells, at)), this.#hasValues ? values : []];
    for (const { name, order } of wanted.axes ?? []) {
      const labels = this.#labels[this.#position(name) ?? -1];
      if (order === "by name") labels?.sort((one, other) => one.localeCompare(other, undefined, { numeric: true }));
      else if (order === "reversed") labels?.reverse();
    }
  }

  /** The axis that a directive names; `null` if the variable does not have it. */
  #position(wanted: string): number | null {
    const at = /^\d+$/.test(wanted) ? Number(wanted) - 1 : this.names.indexOf(wanted);
    return at >= 0 && (this.#labels[at]?.length ?? 0) > 0 ? at : null;
  }

  /** The axes that can be rows. */
  get #all(): number[] {
    return this.#labels.flatMap((labels, at) => (labels.length > 0 ? [at] : []));
  }

  /** True if the values are names and few, like the arguments. */
  get #isFewToFew(): boolean {
    const values = this.#labels[this.#depth] ?? [];
    return values.length > 1 && this.cells.length > 1 && values.join("").length <= MOST_LETTERS && !values.every((one) => /^[-–\d.:]*$/.test(one));
  }

  /** The table at first; `null` if the cells are shown in a list. */
  usual(): Layout | null {
    const { view, axes } = this.wanted;
    const depth = this.#depth;
    if (view === "list" || depth === 0 || depth > 3) return null;
    const chosen = (axes ?? []).map(({ name }) => this.#position(name)).filter((one) => one !== null);
    const [rows, columns, blocks] = [...new Set(chosen)];
    if (rows !== undefined) {
      const table = columns === undefined ? this.turned(rows) : { rows, columns, blocks: blocks ?? null };
      // Each cell of three axes needs all of them.
      if (table && (depth < 3 || table.blocks !== null)) return table;
    }
    if (depth === 1) return this.#hasValues && (view === "table" || this.#isFewToFew) ? { rows: 0, columns: 1, blocks: null } : null;
    return depth === 2 ? { rows: 0, columns: 1, blocks: null } : { rows: 1, columns: 2, blocks: 0 };
  }

  /** The table with an axis as rows. */
  turned(rows: number): Layout | null {
    const others = this.#all.filter((one) => one !== rows);
    if (this.#depth < 3) {
      // The values are columns only if the other axis is not free.
      const columns = this.#depth === 1 || rows === this.#depth ? others.at(-1) : others[0];
      return columns === undefined ? null : { rows, columns, blocks: null };
    }
    const [blocks, columns] = others;
    return blocks === undefined || columns === undefined ? null : { rows, columns, blocks };
  }

  /**
   * The axes that can be the rows of a table, with their names; the values of numbers have the title of the variable.
   * Names do not distinguish axes of the same type, such as the two persons of a pair, so there is nothing to choose.
   */
  turns(title: string, nameOf: (type: string) => string): [rows: number, name: string][] {
    const named = (at: number) => {
      const [labels = [], name] = [this.#labels[at], this.names[at]];
      if (at === this.#depth && !name) return title;
      return name ? nameOf(name) : [...new Set([labels[0], labels.at(-1)])].join(" … ");
    };
    const turns = this.#all.map((at): [number, string] => [at, named(at)]);
    return new Set(turns.map(([, name]) => name)).size === turns.length ? turns : [];
  }

  /** The labels of an axis. */
  labels(at: number): string[] {
    return this.#labels[at] ?? [];
  }

  /** The entries of each place of a table, by its row, its column and its block. */
  entries({ rows, columns, blocks }: Layout): Map<string, Entry[]> {
    const found = new Map<string, Entry[]>();
    const withValues = [rows, columns, blocks].includes(this.#depth);
    for (const cell of this.cells) {
      const values = withValues ? texts(cell) : [null];
      for (const [option, value] of values.entries()) {
        const label = (at: number | null) => (at === null ? "" : at === this.#depth ? (value ?? "") : (cell.labels[at] ?? ""));
        const key = JSON.stringify([label(rows), label(columns), label(blocks)]);
        found.set(key, [...(found.get(key) ?? []), { cell, option: withValues ? option : null }]);
      }
    }
    return found;
  }

  /** The labels of a cell that are neither in its row, its column nor its block. */
  rest(cell: Placed, { rows, columns, blocks }: Layout): string {
    return cell.labels.filter((_, at) => ![rows, columns, blocks].includes(at)).join(", ");
  }

  /** The position, on an axis that a directive names, of a cell with this value. */
  tone(cell: Placed, option: number, wanted: string): number | null {
    const at = this.#position(wanted);
    if (at === null) return null;
    const label = at === this.#depth ? texts(cell)[option] : cell.labels[at];
    const tone = this.labels(at).indexOf(label ?? "");
    return tone < 0 ? null : tone;
  }

  /** The axis of the colours, if the variable has it. */
  toned(wanted: string): string[] {
    const at = this.#position(wanted);
    return at === null ? [] : this.labels(at);
  }
}
