// Keyboard shortcuts: their actions, the table that lists them, and navigation by arrow keys.

import { h } from "./dom";

export const DIRECTIONS: Record<string, [dx: number, dy: number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The nearest place in the direction of an arrow key. */
export function nearest<Place extends { x: number; y: number }>(from: Place, places: Iterable<Place>, key: string): Place | undefined {
  const [dx, dy] = DIRECTIONS[key] ?? [0, 0];
  let best: { place: Place; cost: number } | undefined;
  for (const place of places) {
    const [right, down] = [place.x - from.x, place.y - from.y];
    const along = right * dx + down * dy;
    const cost = along + 4 * Math.abs(right * dy + down * dx);
    if (along > 0.1 && (!best || cost < best.cost)) best = { place, cost };
  }
  return best?.place;
}

/** Calls the action of a key, unless the key is for a field, a button or a dialog. */
export function onKeys(actions: { [key: string]: () => void }): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    const action = actions[event.key];
    const meant = event.key === " " ? "select, textarea, button" : "select, textarea";
    if (!action || (event.target as Element).closest(meant)) return;
    event.preventDefault();
    action();
  });
}

export function keyTable(rows: [keys: string | string[], what: string][]): HTMLTableElement {
  const kbd = (key: string) => [h("kbd", {}, key), " "];
  const row = ([keys, what]: (typeof rows)[0]) => h("tr", {}, h("td", {}, ...[keys].flat().flatMap(kbd)), h("td", {}, what));
  return h("table", { class: "keys" }, h("tbody", {}, ...rows.map(row)));
}
