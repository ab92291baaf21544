// The search of the documentation. The build writes the index of words; it is fetched when the user starts to search.

import type MiniSearch from "minisearch";
import { clear, h } from "./dom";
import { texts } from "./texts";

/** A section of a page of the documentation. */
export interface Section {
  page: string;
  /** The title of the page. */
  title: string;
  id: string;
  heading: string;
  words: string;
}

const MOST = 12;

async function load(): Promise<{ index: MiniSearch<Section>; sections: Section[] }> {
  const [{ default: Index }, response] = await Promise.all([import("minisearch"), fetch("search.json")]);
  const sections = (await response.json()) as Section[];
  const options = { prefix: true, fuzzy: 0.15, boost: { heading: 4, title: 3 } };
  const index = new Index<Section>({ fields: ["title", "heading", "words"], idField: "at", searchOptions: options });
  index.addAll(sections.map((section, at) => ({ ...section, at })));
  return { index, sections };
}

/** Adds the field to the page, with the results below it. */
export function addSearch(place: Element): void {
  let loading: ReturnType<typeof load> | undefined;
  const input = h("input", { type: "search", "aria-label": texts.docs.search, placeholder: texts.docs.search, autocomplete: "off" });
  const count = h("p", { class: "unseen", role: "status" });
  const list = h("ul", { hidden: true });
  place.append(input, count, list);

  const show = async () => {
    const wanted = input.value.trim();
    const { index, sections } = await (loading ??= load());
    if (input.value.trim() !== wanted) return;
    const found = wanted ? index.search(wanted).slice(0, MOST) : [];
    clear(list);
    list.hidden = !wanted;
    count.textContent = wanted ? texts.docs.found(found.length) : "";
    if (wanted && found.length === 0) list.append(h("li", { class: "nothing" }, texts.docs.found(0)));
    for (const { id: at } of found) {
      const { page, title, id, heading } = sections[at as number] as Section;
      const link = h("a", { href: `${page}.html${heading === title ? "" : `#${id}`}` }, heading, heading === title ? "" : h("small", {}, title));
      list.append(h("li", {}, link));
    }
  };
  const close = () => {
    list.hidden = true;
  };
  input.addEventListener("focus", () => void (loading ??= load()));
  input.addEventListener("input", () => void show());
  place.addEventListener("keydown", (event) => {
    const { key } = event as KeyboardEvent;
    const stops = [input, ...list.querySelectorAll("a")];
    const at = stops.indexOf(document.activeElement as HTMLInputElement);
    if (key === "Escape") {
      close();
      input.focus();
    } else if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      stops[(at + (key === "ArrowDown" ? 1 : stops.length - 1)) % stops.length]?.focus();
    } else if (key === "Enter" && at === 0) {
      list.querySelector("a")?.click();
    }
  });
  // A link within this page does not load a page, so the list must be closed.
  list.addEventListener("click", close);
  place.addEventListener("focusout", (event) => {
    if (!place.contains((event as FocusEvent).relatedTarget as Node | null)) close();
  });
  input.addEventListener("focus", () => {
    if (input.value.trim()) void show();
  });
  document.addEventListener("keydown", (event) => {
    const inField = (event.target as Element).closest("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || inField || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}
