// Tabs after the ARIA practices: the arrow keys move between them, and only one of them is in the tab order.

import { h } from "./dom";

export interface Tab {
  id: string;
  title: string;
  panel: HTMLElement;
}

export class Tabs {
  readonly list: HTMLElement;
  current: string;
  #buttons = new Map<string, HTMLButtonElement>();
  #tabs: Tab[];
  #onChange: (id: string) => void;

  constructor(label: string, tabs: Tab[], onChange: (id: string) => void) {
    this.#tabs = tabs;
    this.#onChange = onChange;
    this.current = tabs[0]?.id ?? "";
    this.list = h("div", { class: "tabs", role: "tablist", "aria-label": label });
    for (const { id, title, panel } of tabs) {
      const tab = h(
        "button",
        { id: `tab-${id}`, class: "tab", role: "tab", "aria-controls": `panel-${id}`, onclick: () => this.turnTo(id) },
        title,
      );
      panel.id = `panel-${id}`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
      this.#buttons.set(id, tab);
      this.list.append(tab);
    }
    this.list.addEventListener("keydown", (event) => {
      const at = tabs.findIndex(({ id }) => id === this.current);
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const target = step ? tabs[(at + step + tabs.length) % tabs.length] : { Home: tabs[0], End: tabs.at(-1) }[event.key];
      if (!target) return;
      event.preventDefault();
      this.turnTo(target.id);
      this.#buttons.get(target.id)?.focus();
    });
    this.#draw();
  }

  turnTo(id: string): void {
    if (id === this.current) return;
    this.current = id;
    this.#draw();
    this.#onChange(id);
  }

  #draw(): void {
    for (const { id, panel } of this.#tabs) {
      const chosen = id === this.current;
      const tab = this.#buttons.get(id);
      tab?.setAttribute("aria-selected", String(chosen));
      if (tab) tab.tabIndex = chosen ? 0 : -1;
      panel.hidden = !chosen;
    }
  }
}
