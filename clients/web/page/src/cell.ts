// `<essence-cell>` for other pages: a frame with the model inside the element. The script must be served from the
// folder of `embed.html`.
//
//     <essence-cell name="squares" readonly> <script type="text/essence"> … </script> <script type="text/essence-data"> … </script> </essence-cell>
//     <essence-cell example="futoshiki/futoshiki-4" name="A puzzle" view="play"></essence-cell>
//     <essence-cell exercise="1.…" name="Queens"></essence-cell>
//
// A further `<script type="text/essence-set">` has the set values of the board, a constraint on each line.
// `conjure-like embed` packs exercises. With `view="play"`, readers see the puzzle instead of its source. The cell
// follows the theme of the page around it, unless the attribute `theme` is `light` or `dark`.

import { pack } from "./sharing";
import { DEFAULTS } from "./work";

const base = (document.currentScript as HTMLScriptElement).src;

/**
 * The theme of the page around an element: by the background colour behind it, or by the page's colour scheme if no
 * element paints one.
 */
function themeAround(element: Element): string {
  const canvas = document.createElement("canvas").getContext("2d");
  for (let at: Element | null = element; at && canvas; at = at.parentElement) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = getComputedStyle(at).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, opacity = 0] = canvas.getImageData(0, 0, 1, 1).data;
    if (opacity > 127) return 0.3 * red + 0.6 * green + 0.1 * blue < 110 ? "dark" : "light";
  }
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  const isDark = scheme.includes("dark") && (!scheme.includes("light") || matchMedia("(prefers-color-scheme: dark)").matches);
  return isDark ? "dark" : "light";
}

class EssenceCell extends HTMLElement {
  connectedCallback(): void {
    // The element is connected before its children are parsed.
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => void this.#fill(), { once: true });
    else void this.#fill();
  }

  async #fill(): Promise<void> {
    const text = (type: string) =>
      (this.querySelector(`script[type="${type}"]`)?.textContent ?? "").replaceAll("<\\/", "</").replace(/^\s*\n|\s+$/g, "");
    const name = this.getAttribute("name") ?? "";
    const data = text("text/essence-data");
    const set = text("text/essence-set").split("\n").filter((line) => line.trim());
    const work = {
      name,
      model: text("text/essence"),
      data: data ? [{ name: "data.param", text: data }] : [],
      current: 0,
      settings: DEFAULTS,
      ...(set.length > 0 ? { set } : {}),
    };
    const example = this.getAttribute("example");
    const exercise = this.getAttribute("exercise");
    const page = new URL("embed.html", base);
    const theme = () => this.getAttribute("theme") ?? themeAround(this);
    const options = new URLSearchParams({ theme: theme() });
    if ((example || exercise) && name) options.set("name", name);
    if (this.hasAttribute("readonly")) options.set("readonly", "");
    if (this.getAttribute("view") === "play") options.set("view", "play");
    page.hash = `${exercise ? `exercise=${exercise}` : example ? `example=${example}` : await pack(work)}&${options}`;
    const frame = document.createElement("iframe");
    frame.src = page.href;
    frame.title = name || "Essence";
    frame.allow = "clipboard-write";
    frame.loading = "lazy";
    frame.style.cssText = `width: 100%; height: ${Number(this.getAttribute("height")) || 480}px; border: 0`;
    this.replaceChildren(frame);
    // A page changes its theme by an attribute or with the system, and its colours may fade.
    const tell = () => frame.contentWindow?.postMessage({ essenceTheme: theme() }, page.origin);
    const watch = new MutationObserver(tell);
    for (const one of [document.documentElement, document.body, this]) watch.observe(one, { attributes: true });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
    document.addEventListener("transitionend", tell);
    if (this.hasAttribute("height")) return;
    addEventListener("message", ({ source, data }: MessageEvent) => {
      const height = Number(data?.essenceHeight);
      if (source === frame.contentWindow && height > 0) frame.style.height = `${Math.min(height, 4000)}px`;
    });
  }
}

if (!customElements.get("essence-cell")) customElements.define("essence-cell", EssenceCell);
