// Fits wide and scrolled contents to paper before printing.

import { h } from "./dom";

/**
 * The width of the text on paper, in pixels, in portrait and in landscape: the smaller of A4 and Letter, within the
 * margins of the style sheet.
 */
const [UPRIGHT, ACROSS] = [690, 950];
/** Print in landscape if tables would be scaled below this. */
const LEAST = 0.8;
/** A table of data is scaled into a column up to this ratio of their widths. */
const SQUEEZED = 1.2;

/** The scale of an element on paper. */
const zoomOf = (element: Element): number => Number(getComputedStyle(element).getPropertyValue("--on-paper")) || 1;

/** Scales wide tables for printing, in landscape if necessary, and prints the texts of editors in full. */
export function fitToPaper(texts: () => [editor: Element, text: string][] = () => []): void {
  let undo: (() => void)[] = [];
  addEventListener("beforeprint", () => {
    const root = document.documentElement;
    // Apply the print rules that change widths before measuring.
    root.classList.add("on-paper");
    undo.push(() => root.classList.remove("on-paper", "across"));
    for (const [editor, text] of texts()) {
      const printed = h("pre", { class: "printed" }, text.trimEnd());
      editor.before(printed);
      undo.push(() => printed.remove());
    }
    // Hidden tables have no width.
    const tables = [...document.querySelectorAll<HTMLElement>(".play table, .parameters table")].filter((one) => one.offsetWidth > 0);
    const sizes = tables.map((table) => {
      const part = table.closest<HTMLElement>(".parameters, .play") ?? table;
      return { table, width: table.scrollWidth * zoomOf(part) };
    });
    const widest = Math.max(0, ...sizes.filter(({ table }) => table.closest(".play")).map(({ width }) => width));
    const isAcross = UPRIGHT / widest < LEAST;
    root.classList.toggle("across", isAcross);
    const paper = isAcross ? ACROSS : UPRIGHT;
    const column = paper / 3 - 12;
    for (const { table, width } of sizes) {
      const parameter = table.closest(".parameter");
      // Data are printed in columns; a table that is much wider than a column gets the full width.
      const isWide = parameter !== null && width > SQUEEZED * column;
      parameter?.classList.toggle("wide", isWide);
      const room = parameter === null || isWide ? paper : column;
      table.style.setProperty("zoom", String(Math.min(1, room / width)));
      undo.push(() => (table.style.removeProperty("zoom"), parameter?.classList.remove("wide")));
    }
  });
  addEventListener("afterprint", () => {
    for (const one of undo) one();
    undo = [];
  });
}
