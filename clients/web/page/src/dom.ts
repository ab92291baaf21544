// Creates elements. Text is always set as text, so that no name, comment or value is parsed as markup.

export type Child = Node | string | null | undefined | false;
type Attributes = { [name: `${"aria" | "data"}-${string}`]: string | undefined; role?: string };
type Properties<Name extends keyof HTMLElementTagNameMap> = Partial<Omit<HTMLElementTagNameMap[Name], "role" | "style">> & {
  class?: string;
};

/**
 * Creates an element with properties, attributes (names with a dash, and `role`), and children. Buttons do not submit
 * forms.
 */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties<Name> & Attributes = {} as Properties<Name>,
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (element instanceof HTMLButtonElement) element.type = "button";
  const { class: classes, ...rest } = properties as Properties<"div">;
  if (classes) element.className = classes;
  for (const [key, value] of Object.entries(rest)) {
    if (key === "role" || key.includes("-")) element.setAttribute(key, String(value));
    else Object.assign(element, { [key]: value });
  }
  element.append(...children.filter(isShown));
  return element;
}

const isShown = (child: Child): child is Node | string => child !== null && child !== undefined && child !== false;

/** Creates an SVG element. */
export function drawn<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | number> = {},
  ...children: Child[]
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children.filter(isShown));
  return element;
}

export function button(label: string, classes: string, onClick: () => void, title?: string): HTMLButtonElement {
  return h("button", { class: classes, onclick: onClick, ...(title ? { title } : {}) }, label);
}

const ICONS: Record<string, string> = {
  play: "M7 4.5v15l12-7.5z",
  stop: "M6 6h12v12H6z",
  previous: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  share: "M12 15V3m0 0L7.5 7.5M12 3l4.5 4.5M5 12v7.5h14V12",
  history: "M3.5 12a8.5 8.5 0 1 0 2.6-6.1L3.5 8.2m0-5v5h5M12 7.5V12l3 2",
  new: "M13.5 3.5H6v17h12V8zm0 0V8H18M12 11.5v6m-3-3h6",
  open: "M3.5 19V5h6l2 2.5h9V19z",
  save: "M12 3v12m0 0l-4.5-4.5M12 15l4.5-4.5M5 16v4h14v-4",
  grid: "M4 4h7v7H4zm9 0h7v7h-7zM4 13h7v7H4zm9 0h7v7h-7z",
  book: "M12 6.5C10 5 7 4.5 4 4.5v14c3 0 6 .5 8 2 2-1.5 5-2 8-2v-14c-3 0-6 .5-8 2zm0 0v14",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  settings: "M4 7h9m4 0h3M4 17h3m4 0h9M15 4.5v5M9 14.5v5",
  undo: "M8 4.5L4 8.5l4 4M4.5 8.5H14a5.5 5.5 0 0 1 0 11H9",
  redo: "M16 4.5l4 4-4 4m3.5-4H10a5.5 5.5 0 0 0 0 11h5",
  print: "M7 9V3.5h10V9M7 17H4V9h16v8h-3M7 14h10v6.5H7z",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  format: "M4 6h16M4 10.5h10M4 15h16M4 19.5h10",
};

/** An icon hidden from screen readers: the button around it has a name. */
export function icon(name: keyof typeof ICONS): SVGSVGElement {
  const attributes = { viewBox: "0 0 24 24", class: `icon icon-${name}`, "aria-hidden": "true" };
  return drawn("svg", attributes, drawn("path", { d: ICONS[name] ?? "" }));
}

/** A button with an icon, and with its label or the first words of the label as text. */
export function iconButton(name: string, label: string, classes: string, onClick: () => void, withText: boolean | string = true): HTMLButtonElement {
  const text = withText === true ? label : withText;
  const made = h("button", { class: classes, onclick: onClick }, icon(name), text && h("span", { class: "label" }, text));
  // Narrow screens hide the text of many icons.
  made.title = label;
  if (text !== label) made.setAttribute("aria-label", label);
  return made;
}

/** An index of the sections of a long pane: a click scrolls to a section. */
export function contents(name: string, sections: [title: string, box: Element][]): HTMLElement {
  const entry = ([title, box]: [string, Element]) => button(title, "small", () => box.scrollIntoView({ block: "start", behavior: "smooth" }));
  return h("nav", { class: "index", "aria-label": name }, ...sections.map(entry));
}

export function clear(element: Element): void {
  element.replaceChildren();
}

/** A picture of the engine. An image runs no scripts and loads nothing, whatever the SVG contains. */
export function picture(svg: string, description: string): HTMLImageElement {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const image = h("img", { class: "picture", src: url, alt: description });
  image.addEventListener("load", () => URL.revokeObjectURL(url), { once: true });
  return image;
}

/** A menu for one value, with a label before it. */
export function choice(
  label: string,
  options: [value: string, text: string][],
  value: string,
  onChange: (value: string) => void,
): HTMLLabelElement {
  const select = h(
    "select",
    { onchange: () => onChange(select.value) },
    ...options.map(([key, text]) => h("option", { value: key }, text)),
  );
  select.value = value;
  return h("label", { class: "choice" }, h("span", {}, label), select);
}

/** A table. The first cell of each row is its heading; `numbers` is the range of the columns with numbers. */
export function table(columns: Child[], rows: Child[][], numbers: [first: number, last: number], classes = ""): HTMLTableElement {
  const kind = (at: number) => (at >= numbers[0] && at <= numbers[1] ? "number" : "");
  const cell = (one: Child, at: number) => (at === 0 ? h("th", { scope: "row" }, one) : h("td", { class: kind(at) }, one));
  const head = columns.map((one, at) => h("th", { scope: "col", class: kind(at) }, one));
  const body = rows.map((row) => h("tr", {}, ...row.map(cell)));
  return h("table", { class: classes }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...body));
}

/** A container that scrolls wide contents. */
export const scrolled = (label: string, classes: string, ...children: Child[]): HTMLElement =>
  h("div", { class: `scrolled ${classes}`, tabIndex: 0, role: "region", "aria-label": label }, ...children);

let messageTimer: ReturnType<typeof setTimeout> | undefined;

/** Shows a message that disappears; screen readers read it. */
export function announce(message: string, action?: { label: string; run: () => void }): void {
  let box = document.querySelector<HTMLElement>("#messages");
  if (!box) {
    box = h("div", { id: "messages", role: "status", "aria-live": "polite" });
    document.body.append(box);
  }
  box.replaceChildren(h("p", { class: "message" }, message, action ? button(action.label, "plain", action.run) : null));
  clearTimeout(messageTimer);
  if (!action) messageTimer = setTimeout(() => box.replaceChildren(), 5000);
}

/** A dialog over the page. Escape and a click outside close it. */
export function dialog(title: string, classes: string, ...children: Child[]): HTMLDialogElement {
  const heading = h("h2", { id: `dialog-${Math.random().toString(36).slice(2)}` }, title);
  const made = h(
    "dialog",
    { class: `dialog ${classes}`, "aria-labelledby": heading.id },
    h(
      "div",
      { class: "dialog-head" },
      heading,
      iconButton("close", "Close", "quiet", () => made.close(), false),
    ),
    h("div", { class: "dialog-body" }, ...children),
  );
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close();
  });
  made.addEventListener("close", () => made.remove());
  document.body.append(made);
  made.showModal();
  return made;
}

/** Copies a text. If the browser denies access to the clipboard, copies the selection of `shown` instead. */
export async function copy(text: string, shown?: HTMLTextAreaElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    shown?.select();
    if (!document.execCommand("copy")) return;
  }
  announce("Copied.");
}

/** A text with a button that copies it. */
export function copyable(label: string, text: string, rows: number): [HTMLTextAreaElement, HTMLButtonElement] {
  const area = h("textarea", { class: "code", rows, readOnly: true, value: text, "aria-label": label });
  area.addEventListener("focus", () => area.select());
  return [area, button("Copy", "secondary", () => void copy(area.value, area))];
}

export const copied = (label: string, text: string, rows: number): HTMLElement =>
  h("div", { class: "copied" }, h("h3", {}, label), ...copyable(label, text, rows));
