// `<essence-cell>` for other pages: a frame with the model that stands in the element. It works where this script stands beside the page
// `embed.html`.
//
//   <essence-cell name="squares" readonly> <script type="text/essence"> … </script> <script type="text/essence-data"> … </script> </essence-cell>
//   <essence-cell example="futoshiki/futoshiki-4"></essence-cell>

import { toFragment } from "./sharing";
import { DEFAULTS } from "./work";

const base = (document.currentScript as HTMLScriptElement).src;

class EssenceCell extends HTMLElement {
  connectedCallback(): void {
    // The children are parsed after the element is connected.
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => void this.#fill(), { once: true });
    else void this.#fill();
  }

  async #fill(): Promise<void> {
    const text = (type: string) =>
      (this.querySelector(`script[type="${type}"]`)?.textContent ?? "").replaceAll("<\\/", "</").replace(/^\s*\n|\s+$/g, "");
    const name = this.getAttribute("name") ?? "";
    const data = text("text/essence-data");
    const work = {
      name,
      model: text("text/essence"),
      data: data ? [{ name: "data.param", text: data }] : [],
      current: 0,
      settings: DEFAULTS,
    };
    const example = this.getAttribute("example");
    const page = new URL("embed.html", base);
    page.hash = (example ? `example=${example}` : await toFragment(work)) + (this.hasAttribute("readonly") ? "&readonly" : "");
    const frame = document.createElement("iframe");
    frame.src = page.href;
    frame.title = name || "Essence";
    frame.allow = "clipboard-write";
    frame.loading = "lazy";
    frame.style.cssText = `width: 100%; height: ${Number(this.getAttribute("height")) || 480}px; border: 0`;
    this.replaceChildren(frame);
    if (this.hasAttribute("height")) return;
    addEventListener("message", ({ source, data }: MessageEvent) => {
      const height = Number(data?.essenceHeight);
      if (source === frame.contentWindow && height > 0) frame.style.height = `${Math.min(height, 4000)}px`;
    });
  }
}

if (!customElements.get("essence-cell")) customElements.define("essence-cell", EssenceCell);
