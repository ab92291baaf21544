// The cells that the engine's `board` tells, and where they stand: `rota[Ada, 1]` in the row of Ada and the column 1.

import type { BoardCell } from "../../../npm/src/protocol";

export type { BoardCell } from "../../../npm/src/protocol";

/** A cell with its place in a table. */
export interface Placed extends BoardCell {
  /** Whether the cell only says whether something is so: a member of a set, a Boolean. */
  toggle: boolean;
  /** Its position among all cells. */
  number: number;
}

export function placed(cell: BoardCell, number: number): Placed {
  const { values } = cell;
  const isTruth = values.every(([shown]) => shown === "true" || shown === "false") || (values.length <= 2 && values.every(([shown, says]) => shown === says));
  return { ...cell, toggle: values.length > 0 && isTruth, number };
}

/** Whether people can set a cell: its values are listed. */
export const isSettable = ({ values }: BoardCell): boolean => values.length > 0;

/** The value of a cell as people read it. */
export function shownValue(cell: Placed, option: number, [yes, no]: [string, string]): string {
  const [shown = "", says = ""] = cell.values[option] ?? [];
  if (!cell.toggle) return shown === "undefined" ? "–" : shown;
  return shown === "false" || (shown === says && says.startsWith("!")) ? no : yes;
}

/** Whether a value of a toggle says yes. */
export const isYes = (cell: Placed, option: number): boolean => shownValue(cell, option, ["yes", "no"]) === "yes";

/** The positions of labels, in the order of their first use; numbers ascend. */
export function axis(cells: Placed[], which: number): string[] {
  const all = [...new Set(cells.map(({ labels }) => labels[which] ?? ""))];
  return all.every((one) => /^-?\d+(\.\d+)?$/.test(one)) ? all.sort((one, other) => Number(one) - Number(other)) : all;
}
