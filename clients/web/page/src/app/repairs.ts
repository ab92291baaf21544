// The engine's repairs of the data, in the words of forms.

import type { Json } from "../../../npm/src/protocol";
import { same } from "./domains";
import { words } from "./words";

const shown = (value: Json): string => (Array.isArray(value) ? value.map(shown).join(", ") : typeof value === "boolean" ? (value ? words.yes : words.no) : String(value));

/** True if a list has entries with keys: the arguments of a function. */
const isMap = (list: Json[]): list is [Json, Json][] => list.length > 0 && list.every((one) => Array.isArray(one) && one.length === 2);

/** The difference between a value and a changed one: `tomato: 4 → 1`, `without Ada, 3`. */
export function difference(before: Json, after: Json): string {
  if (Array.isArray(before) && Array.isArray(after)) {
    const gone = before.filter((one) => !after.some((other) => same(one, other)));
    if (after.length < before.length) return words.without(gone.map((one) => shown(one)).join("; "));
    const at = before.findIndex((one, at) => !same(one, after[at] ?? null));
    const [old, now] = [before[at] ?? null, after[at] ?? null];
    if (isMap(before) && isMap(after)) return `${shown((old as [Json, Json])[0])}: ${difference((old as [Json, Json])[1], (now as [Json, Json])[1])}`;
    return difference(old, now);
  }
  if (before && after && typeof before === "object" && typeof after === "object") {
    const keys = Object.keys(before);
    const gone = keys.filter((key) => !(key in after));
    if (gone.length > 0) return words.without(gone.join(", "));
    const key = keys.find((key) => !same((before as { [key: string]: Json })[key] ?? null, (after as { [key: string]: Json })[key] ?? null)) ?? "";
    return `${key}: ${difference((before as { [key: string]: Json })[key] ?? null, (after as { [key: string]: Json })[key] ?? null)}`;
  }
  return `${shown(before)} → ${shown(after)}`;
}
