// The cells that the engine's `board` tells, and where they stand: `rota[Ada, 1]` in the row of Ada and the column 1.

import type { BoardCell } from "../../../npm/src/protocol";
import { inUnit } from "./domains";

export type { BoardCell } from "../../../npm/src/protocol";

/** A cell with its place in a table. */
export interface Placed extends BoardCell {
  /** The labels of the axes. */
  at: string[];
  /** Whether the cell only says whether something is so: a member of a set, a Boolean. */
  toggle: boolean;
  /** Its position among all cells. */
  number: number;
  /** The unit of its numbers. */
  unit: string | null;
}

/** The parts of a list, such as `(Ada, 1), 2`, at its top level. */
export function listed(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const one = text[at] as string;
    if (one === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
    } else if ("([{".includes(one)) depth++;
    else if (")]}".includes(one)) depth--;
    else if (one === "," && depth === 0) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  const last = text.slice(start).trim();
  return last ? [...parts, last] : parts;
}

/** A name without the quotation marks that Essence needs around some names. */
export function plain(text: string): string {
  if (!/^".*"$/s.test(text)) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}

/** A tuple in parentheses as its parts. */
const untupled = (text: string): string[] => (/^\(.*\)$/s.test(text) ? listed(text.slice(1, -1)) : [text]);

/** What follows the name of a variable: `[1, 2]`, `((Ada, 3))`. */
function indices(rest: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < rest.length; at++) {
    const one = rest[at] as string;
    if (one === '"') {
      for (at++; at < rest.length && rest[at] !== '"'; at++) if (rest[at] === "\\") at++;
    } else if ("([{".includes(one) && depth++ === 0) start = at + 1;
    else if (")]}".includes(one) && --depth === 0) found.push(...listed(rest.slice(start, at)).flatMap(untupled));
  }
  return found;
}

export function placed(cell: BoardCell, number: number, unit: string | null = null): Placed {
  const { name, variable, values } = cell;
  const shown = values.map(([one]) => one);
  const toggle = shown.every((one) => one === "true" || one === "false") || (values.length <= 2 && values.every(([one, says]) => one === says));
  let at: string[];
  const inside = name.lastIndexOf(` in ${variable}`);
  const call = /^(together|freq|image)\(/.exec(name);
  if (name.startsWith(variable)) at = indices(name.slice(variable.length));
  else if (inside >= 0) at = [...indices(name.slice(inside + 4 + variable.length)), ...untupled(name.slice(0, inside))];
  else if (call) {
    const [first = "", second = ""] = listed(name.slice(call[0].length, -1));
    const [of, values] = call[1] === "together" ? [second, listed(first.slice(1, -1))] : [first, untupled(second)];
    at = [...indices(of.slice(variable.length)), ...values];
  } else at = [name];
  return { ...cell, at: at.map(plain), toggle, number, unit };
}

/** The value of a cell as people read it. */
export function shownValue(cell: Placed, option: number, [yes, no]: [string, string]): string {
  const [shown = "", says = ""] = cell.values[option] ?? [];
  if (!cell.toggle && cell.unit && /^-?\d+$/.test(shown)) return inUnit(Number(shown), cell.unit);
  // Most values are plain words.
  if (!cell.toggle) return shown === "undefined" ? "–" : /^["(]/.test(shown) ? untupled(shown).map(plain).join(", ") : shown;
  return shown === "false" || (shown === says && says.startsWith("!")) ? no : yes;
}

/** Whether a value of a toggle says yes. */
export const isYes = (cell: Placed, option: number): boolean => shownValue(cell, option, ["yes", "no"]) === "yes";

/** The positions of labels, in the order of their first use; numbers ascend. */
export function axis(cells: Placed[], which: number): string[] {
  const all = [...new Set(cells.map(({ at }) => at[which] ?? ""))];
  return all.every((one) => /^-?\d+$/.test(one)) ? all.sort((one, other) => Number(one) - Number(other)) : all;
}
