// The dividers between the parts of the page.

import { h } from "./dom";
import { texts } from "./texts";

/** A divider between two parts, which can be moved, also with the arrow keys. */
export function divider(direction: "row" | "column"): HTMLElement {
  let share = direction === "row" ? 64 : 60;
  const line = h("div", {
    class: `divider ${direction}`,
    tabIndex: 0,
    role: "separator",
    "aria-orientation": direction === "row" ? "horizontal" : "vertical",
    "aria-label": texts.divider[direction],
    "aria-valuenow": String(share),
    "aria-valuemin": "15",
    "aria-valuemax": "85",
  });
  const set = (percent: number) => {
    share = Math.min(85, Math.max(15, percent));
    line.setAttribute("aria-valuenow", String(Math.round(share)));
    line.parentElement?.style.setProperty(`--first-${direction}`, `${share}%`);
  };
  line.addEventListener("pointerdown", (event) => {
    line.setPointerCapture(event.pointerId);
    const box = line.parentElement?.getBoundingClientRect();
    const move = (moved: PointerEvent) => {
      if (box) set(direction === "row" ? (100 * (moved.clientY - box.top)) / box.height : (100 * (moved.clientX - box.left)) / box.width);
    };
    line.addEventListener("pointermove", move);
    line.addEventListener("lostpointercapture", () => line.removeEventListener("pointermove", move), { once: true });
  });
  line.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -4, ArrowLeft: -4, ArrowDown: 4, ArrowRight: 4 }[event.key];
    if (!step) return;
    event.preventDefault();
    set(share + step);
  });
  return line;
}
