// A form for one parameter, made from its domain. It shows a value and reports changes; it does not use the engine.

import { announce, button, clear, h } from "../dom";
import type { Json } from "../../../npm/src/protocol";
import { axes, columns, compact, completed, type Domain, empty, flattened, fromCompact, isMap, isScalar, listed, memberOf, normal, pathOf, rowsOf, same, type Scalar } from "./domains";
import { clocked, minutesOf } from "./clock";
import { label, words } from "./words";

/** A choice among up to this many values is a list; above it the value is typed. */
const MOST_CHOICES = 200;
/** A set with up to this many candidates is a row of switches. */
const MOST_SWITCHES = 60;
/** Headings with more letters in total are rotated, to keep the columns narrow. */
const MOST_LETTERS = 36;
/** A grid with more cells than this becomes a list of entries. */
const MOST_CELLS = 2500;

export class Field {
  readonly element = h("div", { class: "control" });
  /** The inputs of the parts, by their paths. */
  readonly #inputs = new Map<string, HTMLElement>();
  #value: Json;

  constructor(
    readonly domain: Domain,
    readonly name: string,
    value: Json,
    readonly onChange: (value: Json) => void,
    /** True if the numbers are minutes after midnight. */
    readonly isClock = false,
  ) {
    this.#value = value;
    this.#build();
  }

  get value(): Json {
    return this.#value;
  }

  /** Shows a new value, but leaves the input alone that the user is typing in. */
  show(value: Json): void {
    if (same(value, this.#value)) return;
    this.#value = value;
    this.#rebuild();
  }

  #rebuild(): void {
    const active = document.activeElement;
    const path = [...this.#inputs].find(([, input]) => input === active)?.[0];
    this.#build();
    if (path !== undefined) this.#inputs.get(path)?.focus();
  }

  #change(value: Json, rebuild = false): void {
    this.#value = value;
    if (rebuild) this.#rebuild();
    this.onChange(value);
  }

  /** Marks the part with this path, or the nearest part around it that has an input; without one, the whole field. */
  mark(path: string | undefined, message: string): void {
    for (let at = path; at !== undefined; at = at.includes("/") ? at.slice(0, at.lastIndexOf("/")) : at === "" ? undefined : "") {
      const key = at;
      const found = this.#inputs.get(key) ?? [...this.#inputs].find(([inner]) => inner.startsWith(`${key}/`) && key !== "")?.[1];
      if (found) {
        found.classList.add("wrong");
        found.title = message;
        found.setAttribute("aria-invalid", "true");
        return;
      }
    }
  }

  unmark(): void {
    for (const input of this.#inputs.values()) {
      if (!input.classList.contains("wrong")) continue;
      input.classList.remove("wrong");
      input.removeAttribute("aria-invalid");
      input.title = "";
    }
  }

  #build(): void {
    this.#inputs.clear();
    clear(this.element);
    this.element.append(this.#control());
  }

  #control(): HTMLElement {
    const { domain } = this;
    if (domain.kind === "type") return this.#names();
    if (isScalar(domain)) return this.#leaf(domain, "", label(this.name), this.#value, (value) => this.#change(value));
    if (domain.kind === "tuple" || domain.kind === "record") return this.#columnsAsFields();
    const flat = flattened(domain);
    if (isMap(flat)) {
      const lists = axes(flat.parts?.[0] ?? domain);
      const cells = (lists ?? []).reduce((product, list) => product * list.length, 1);
      if (lists && cells <= MOST_CELLS) return this.#grid(flat, lists);
    }
    const member = memberOf(flat);
    if (domain.kind === "set" && isScalar(member)) {
      const all = listed(member);
      if (all && all.length <= MOST_SWITCHES) return this.#switches([all], false);
    }
    if (domain.kind === "relation" || (domain.kind === "set" && member.kind === "tuple")) {
      const lists = axes(member);
      if (lists?.length === 2 && lists.every((list) => list.length <= 31)) return this.#switches(lists, true);
    }
    if (["set", "mset", "sequence", "relation", "function", "matrix"].includes(domain.kind)) return this.#rows(flat, member);
    return this.#text(domain, "", label(this.name), this.#value, (value) => this.#change(value));
  }

  #keep<Input extends HTMLElement>(path: string, input: Input, name: string): Input {
    this.#inputs.set(path, input);
    input.dataset.path = path;
    input.setAttribute("aria-label", name);
    return input;
  }

  /** An input for a scalar; any other value is a text. */
  #leaf(domain: Domain, path: string, name: string, value: Json, set: (value: Json) => void, mayBeOpen = false): HTMLElement {
    if (domain.kind === "bool") {
      const input = this.#keep(path, h("input", { type: "checkbox", checked: value === true, role: "switch" }), name);
      input.addEventListener("change", () => set(input.checked));
      return input;
    }
    const choices = domain.kind === "enum" ? listed(domain, MOST_CHOICES) : null;
    if (choices) {
      const select = this.#keep(path, h("select", {}), name);
      if (value === null || mayBeOpen) select.append(h("option", { value: "" }, words.none));
      for (const one of choices) select.append(h("option", { value: String(one) }, String(one)));
      select.value = value === null ? "" : String(value);
      select.addEventListener("change", () => set(select.value === "" ? null : select.value));
      return select;
    }
    if (domain.kind !== "int") return this.#text(domain, path, name, value, set);
    const input = this.#keep(path, h("input", { type: "text", inputMode: domain.unit ? "decimal" : "numeric", class: "number", autocomplete: "off" }), name);
    const places = domain.unit?.split(".")[1]?.length ?? 0;
    const number = typeof value === "number" ? value.toFixed(places) : String(value);
    input.value = value === null ? "" : this.isClock ? clocked(number) : number;
    if (this.isClock) input.inputMode = "text";
    const widest = Math.max(...(domain.ranges ?? []).flat().map((end) => String(end ?? "").length), input.value.length, 2);
    input.style.setProperty("--digits", String(Math.min(widest, 9)));
    input.addEventListener("input", () => {
      const text = input.value.trim();
      const isNumber = (domain.unit ? /^-?\d+([.,]\d+)?$/ : /^-?\d+$/).test(text);
      const minutes = this.isClock ? minutesOf(text) : null;
      set(text === "" ? null : minutes !== null ? minutes : isNumber ? Number(text.replace(",", ".")) : text);
    });
    input.addEventListener("keydown", (event) => this.#step(event, input, domain, set));
    return input;
  }

  /** The arrow keys change a lone number, and move between the cells of a grid. */
  #step(event: KeyboardEvent, input: HTMLInputElement, domain: Domain, set: (value: Json) => void): void {
    const by = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    const td = input.closest("td");
    if (td && (by !== 0 || event.key === "Enter")) {
      const row = td.parentElement as HTMLTableRowElement;
      const table = row.closest("table") as HTMLTableElement;
      const other = table.rows[row.rowIndex + (event.key === "Enter" ? 1 : -by)]?.cells[td.cellIndex]?.querySelector<HTMLInputElement>("input, select");
      if (other) {
        event.preventDefault();
        other.focus();
        if (other instanceof HTMLInputElement) other.select();
      }
      return;
    }
    if (by === 0 || domain.unit || !/^-?\d*$/.test(input.value)) return;
    const next = Number(input.value) + by;
    if (!domain.ranges?.some(([low, high]) => next >= (low ?? -Infinity) && next <= (high ?? Infinity))) return;
    event.preventDefault();
    input.value = String(next);
    set(next);
  }

  #text(domain: Domain, path: string, name: string, value: Json, set: (value: Json) => void): HTMLElement {
    const input = this.#keep(path, h("input", { type: "text", class: "wide", autocomplete: "off" }), name);
    input.value = compact(domain, value);
    input.addEventListener("input", () => set(fromCompact(domain, input.value)));
    return input;
  }

  #columnsAsFields(): HTMLElement {
    const box = h("div", { class: "fields" });
    for (const { label: name, domain, path } of columns(this.domain)) {
      const at = path.reduce<string>((before, key) => pathOf(before, key), "");
      const set = (value: Json) => this.#change(replaced(this.#value ?? empty(this.domain), path, value));
      box.append(h("label", {}, h("span", {}, label(name)), this.#leaf(domain, at, label(name), part(this.#value, path), set)));
    }
    return box;
  }

  /** The list of the members of a type. */
  #names(): HTMLElement {
    const names = Array.isArray(this.#value) ? (this.#value as string[]) : [];
    const list = h("ul", { class: "names" });
    const put = (names: string[], rebuild: boolean) => this.#change(names, rebuild);
    for (const [at, name] of names.entries()) {
      const input = this.#keep(String(at), h("input", { type: "text", value: name, autocomplete: "off" }), `${label(this.name)} ${at + 1}`);
      input.addEventListener("change", () => {
        const lines = input.value.split(/\s*[\n\t]\s*/).filter(Boolean);
        const twice = lines.filter((one) => one !== name && names.includes(one));
        if (twice.length > 0) {
          announce(words.twice(twice.join(", ")));
          input.value = name;
          return;
        }
        put(names.toSpliced(at, 1, ...(lines.length > 0 ? lines : [])), true);
      });
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter") this.element.querySelector<HTMLInputElement>(".new-name")?.focus();
      });
      const remove = button("×", "quiet tiny", () => put(names.toSpliced(at, 1), true));
      remove.setAttribute("aria-label", words.removeRow(name));
      list.append(h("li", {}, input, remove));
    }
    const fresh = h("input", { type: "text", class: "new-name", placeholder: words.add, autocomplete: "off", "aria-label": `${words.add}: ${label(this.name)}` });
    const add = (texts: string[]) => {
      const entered = texts.map((one) => one.trim()).filter(Boolean);
      const others = entered.filter((one) => !names.includes(one));
      const twice = entered.filter((one, at) => names.includes(one) || entered.indexOf(one) < at);
      if (twice.length > 0) announce(words.twice([...new Set(twice)].join(", ")));
      if (others.length === 0) {
        fresh.select();
        return;
      }
      put([...names, ...new Set(others)], true);
      this.element.querySelector<HTMLInputElement>(".new-name")?.focus();
    };
    fresh.addEventListener("change", () => add([fresh.value]));
    fresh.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (!/[\n\t,;]/.test(text)) return;
      event.preventDefault();
      add(rowsOf(text).flat());
    });
    list.append(h("li", {}, fresh));
    return list;
  }

  /** A cell for each argument or index. */
  #grid(domain: Domain, [rows = [], across]: Scalar[][]): HTMLElement {
    const image = domain.parts?.[1] ?? domain;
    const total = domain.total === true || domain.kind === "matrix";
    const value = (completed(domain, this.#value ?? []) ?? []) as [Json, Json][];
    const positions = new Map(value.map(([key], at) => [JSON.stringify(key), at]));
    const inner = isScalar(image) ? [{ label: "", domain: image, path: [] }] : columns(image);
    const cell = (key: Json, name: string) => {
      const at = positions.get(JSON.stringify(key)) ?? -1;
      const current = at < 0 ? null : (value[at]?.[1] ?? null);
      return inner.map(({ label: column, domain: leaf, path }) => {
        const inside = path.reduce<string>((before, one) => pathOf(before, one), `${at}/1`);
        const set = (one: Json) => {
          const now = (completed(domain, this.#value ?? []) ?? []) as [Json, Json][];
          const entry = now.find(([other]) => same(other, key));
          const whole = replaced(entry?.[1] ?? empty(image), path, one);
          const others = now.filter((other) => other !== entry);
          const isGone = whole === null && !total;
          if (entry) this.#change((isGone ? others : now.map((other) => (other === entry ? [key, whole] : other))) as Json);
          else if (!isGone) this.#change([...now, [key, whole]] as Json);
        };
        const control = this.#leaf(leaf, at < 0 ? `?${JSON.stringify(key)}/${inside}` : inside, column ? `${name}, ${column}` : name, part(current, path), set, !total);
        return h("td", {}, control);
      });
    };
    const table = h("table", { class: across ? "grid" : "list" });
    if (across) {
      const head = (one: Scalar) => h("th", { scope: "col", colSpan: inner.length }, String(one));
      table.append(h("thead", {}, h("tr", {}, h("td", {}), ...across.map(head))));
    } else if (inner.length > 1) {
      table.append(h("thead", {}, h("tr", {}, h("td", {}), ...inner.map((one) => h("th", { scope: "col" }, label(one.label))))));
    }
    const body = h("tbody", {});
    for (const row of rows) {
      const cells = across ? across.flatMap((column) => cell([row, column], `${row}, ${column}`)) : cell(row, String(row));
      body.append(h("tr", {}, h("th", { scope: "row" }, String(row)), ...cells));
    }
    table.append(body);
    table.addEventListener("paste", (event) => this.#pasteIntoGrid(event, table));
    return h("div", { class: "scrolled" }, table);
  }

  /** Pastes a table into the cells, from the focused one on. */
  #pasteIntoGrid(event: ClipboardEvent, table: HTMLTableElement): void {
    const rows = rowsOf(event.clipboardData?.getData("text/plain") ?? "");
    const td = (event.target as Element).closest("td");
    if (!td || (rows.length < 2 && (rows[0]?.length ?? 0) < 2)) return;
    event.preventDefault();
    const top = (td.parentElement as HTMLTableRowElement).rowIndex;
    for (const [down, cells] of rows.entries())
      for (const [right, text] of cells.entries()) {
        const target = table.rows[top + down]?.cells[td.cellIndex + right]?.querySelector<HTMLInputElement | HTMLSelectElement>("input, select");
        if (!target) continue;
        if (target instanceof HTMLInputElement && target.type === "checkbox") target.checked = /^(1|x|true|yes|ja)$/i.test(text);
        else target.value = text;
        target.dispatchEvent(new Event(target instanceof HTMLInputElement && target.type === "text" ? "input" : "change"));
      }
  }

  /** A switch for each value that a set can contain, or for each pair of a relation. */
  #switches([rows = [], across]: Scalar[][], pairs: boolean): HTMLElement {
    const members = () => (Array.isArray(this.#value) ? this.#value : []);
    const positions = new Map(members().map((one, at) => [JSON.stringify(one), at]));
    const toggle = (member: Json, name: string) => {
      const at = positions.get(JSON.stringify(member)) ?? -1;
      const input = this.#keep(at < 0 ? `?${JSON.stringify(member)}` : String(at), h("input", { type: "checkbox", checked: at >= 0 }), name);
      input.addEventListener("change", () => {
        const others = members().filter((one) => !same(one, member));
        this.#change(input.checked ? [...others, member] : others);
      });
      return input;
    };
    if (!pairs || !across) {
      const chip = (one: Scalar) => h("label", { class: "chip" }, toggle(one, String(one)), h("span", {}, String(one)));
      return h("div", { class: "chips" }, ...rows.map(chip));
    }
    const head = h("thead", {}, h("tr", {}, h("td", {}), ...across.map((one) => h("th", { scope: "col" }, String(one)))));
    const line = (row: Scalar) => {
      const cells = across.map((column) => h("td", {}, h("label", { class: "tick" }, toggle([row, column], `${row}, ${column}`), h("span", {}))));
      return h("tr", {}, h("th", { scope: "row" }, String(row)), ...cells);
    };
    const isWide = across.some((one) => String(one).length > 2) && across.join("").length > MOST_LETTERS;
    return h("div", { class: "scrolled" }, h("table", { class: isWide ? "grid ticks upright" : "grid ticks" }, head, h("tbody", {}, ...rows.map(line))));
  }

  /** A row for each member. */
  #rows(domain: Domain, member: Domain): HTMLElement {
    const shown = columns(member);
    const members = () => (Array.isArray(this.#value) ? (this.#value as Json[]) : []);
    const names = shown.map((one, at) => label(one.label || (isMap(domain) && at === shown.length - 1 ? this.name : "")));
    const head = h("tr", {}, ...names.map((one) => h("th", { scope: "col" }, one)), h("td", {}));
    const body = h("tbody", {});
    for (const [at, one] of members().entries()) {
      const cells = shown.map(({ domain: leaf, path }, column) => {
        const set = (value: Json) => this.#change(members().map((other, index) => (index === at ? replaced(other, path, value) : other)));
        const inside = path.reduce<string>((before, key) => pathOf(before, key), String(at));
        return h("td", {}, this.#leaf(leaf, inside, `${names[column] || label(this.name)}, ${words.row(at + 1)}`, part(one, path), set));
      });
      const remove = button("×", "quiet tiny", () => this.#change(members().toSpliced(at, 1), true));
      remove.setAttribute("aria-label", words.removeRow(words.row(at + 1)));
      body.append(h("tr", {}, ...cells, h("td", {}, remove)));
    }
    const add = button(words.add, "small", () => {
      this.#change([...members(), empty(member)], true);
      body.querySelector<HTMLElement>("tr:last-child input, tr:last-child select")?.focus();
    });
    const paste = button(words.paste, "small quiet", () => area.hidden ? open() : (area.hidden = true));
    const text = h("textarea", { rows: 5, placeholder: words.pasteHere, "aria-label": words.pasteHere });
    const problem = h("p", { class: "problem", role: "alert" });
    const area = h("div", { class: "pasting", hidden: true }, text, problem, button(words.pasteUse, "small", () => use()));
    const open = () => {
      area.hidden = false;
      text.focus();
    };
    const use = () => {
      const rows = rowsOf(text.value);
      const read = (row: string[]) => shown.map(({ domain: leaf }, at) => cellOf(leaf, row[at] ?? ""));
      // Skip a row of headings: it does not fit the columns, but the next one does.
      if (rows.length > 1 && read(rows[0] ?? []).some((one) => one === null) && read(rows[1] ?? []).every((one) => one !== null)) rows.shift();
      const found: Json[] = [];
      for (const row of rows) {
        const cells = read(row);
        const wrong = cells.indexOf(null);
        if (wrong >= 0) {
          problem.textContent = words.pasteWrong(row[wrong] ?? "", names[wrong] || String(wrong + 1));
          return;
        }
        found.push(shown.reduce<Json>((whole, { path }, at) => replaced(whole, path, cells[at] ?? null), empty(member)));
      }
      this.#change([...members(), ...found], true);
    };
    const table = h("table", { class: "rows" }, names.some(Boolean) && members().length > 0 ? h("thead", {}, head) : null, body);
    return h("div", { class: "table-of-rows" }, h("div", { class: "scrolled" }, table), h("div", { class: "row-actions" }, add, paste), area);
  }
}

/** The value of a cell of a spreadsheet; `null` if it does not fit. */
function cellOf(domain: Domain, text: string): Json {
  if (domain.kind === "bool") return /^(1|x|true|yes|ja)$/i.test(text.trim());
  if (domain.kind === "enum") return domain.members?.find((one) => one.toLowerCase() === text.trim().toLowerCase()) ?? null;
  return isScalar(domain) ? normal(domain, domain.unit ? text.trim().replace(",", ".") : text.trim()) : fromCompact(domain, text);
}

function part(value: Json, path: (string | number)[]): Json {
  return path.reduce<Json>((inner, key) => (typeof inner === "object" && inner !== null ? ((inner as { [key: string]: Json })[key] ?? null) : null), value);
}

/** The value with the part at a path replaced. */
function replaced(value: Json, path: (string | number)[], by: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((one, at) => (at === Number(key) ? replaced(one, rest, by) : one));
  const record = (value ?? {}) as { [key: string]: Json };
  return { ...record, [key]: replaced(record[key] ?? null, rest, by) };
}
