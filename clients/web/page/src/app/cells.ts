// The cells of the engine's `board`, and their places: `rota[Ada, 1]` is in the row of Ada and the column 1.

import type { BoardCell } from "../../../npm/src/protocol";

export type { BoardCell } from "../../../npm/src/protocol";

/** A cell with its place in a table. */
export interface Placed extends BoardCell {
  /** True if the cell is a yes or no: a member of a set, a Boolean. */
  toggle: boolean;
  /** Its position among all cells. */
  number: number;
}

export function placed(cell: BoardCell, number: number): Placed {
  const { values } = cell;
  const isTruth = values.every(([shown]) => shown === "true" || shown === "false") || (values.length <= 2 && values.every(([shown, says]) => shown === says));
  return { ...cell, toggle: values.length > 0 && isTruth, number };
}

/** True if users can set the cell, because its values are listed. */
export const isSettable = ({ values }: BoardCell): boolean => values.length > 0;

/** The text of a cell's value for users. */
export function shownValue(cell: Placed, option: number, [yes, no]: [string, string]): string {
  const [shown = "", says = ""] = cell.values[option] ?? [];
  if (!cell.toggle) return shown === "undefined" ? "–" : shown;
  return shown === "false" || (shown === says && says.startsWith("!")) ? no : yes;
}

/** True if this value of a toggle means yes. */
export const isYes = (cell: Placed, option: number): boolean => shownValue(cell, option, ["yes", "no"]) === "yes";

/** The labels in the order of their first use; numbers are sorted. */
export function axis(cells: Placed[], which: number): string[] {
  const all = [...new Set(cells.map(({ labels }) => labels[which] ?? ""))];
  return all.every((one) => /^-?\d+(\.\d+)?$/.test(one)) ? all.sort((one, other) => Number(one) - Number(other)) : all;
}
