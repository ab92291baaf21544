// The forms of all parameters: their values, the errors at each field, and tables that become values.

import { button, clear, contents, h, iconButton } from "../dom";
import { ask } from "../engine";
import { sheetOf, TABLES, tablesIn, WORKBOOKS } from "../workbook";
import type { Answer, CheckResult, Diagnostic, Json, Outline, Place, Request, Text } from "../../../npm/src/protocol";
import { clocked } from "./clock";
import { completed, empty, type Form, isMissing, isScalar, normal, type Parameter, partAt, renamed, scaled, write, type Written } from "./domains";
import type { Directives } from "./directives";
import { Field } from "./form";
import { paragraphs, prose, upper } from "./prose";
import { words } from "./words";

export interface Values {
  [name: string]: Json;
}

export interface ParameterHooks {
  model(): Text;
  /** The model's directives for the page. */
  about(): Directives;
  /** Called when the user has entered a value. */
  entered(name: string): void;
}

/** The result of a check of the data. */
export interface Checked {
  /** True if they are complete and right. */
  isUsable: boolean;
  /** The parameters without a value, if nothing else is wrong. */
  missing: Parameter[];
  /** The errors that prevented the check. */
  failed: Diagnostic[];
}

interface Shown {
  field: Field;
  box: HTMLElement;
  problem: HTMLElement;
  /** The errors in the table or the text that the value should come from. */
  unread: string;
  /** The domain for which the field was made. */
  domain: string;
}

/** A prefix, because the name of a text must differ from the name of the model. */
const FILE = "data ";

/** The parameter whose value a text contains. */
export const parameterIn = (file: string): string | undefined => (file.startsWith(FILE) ? file.slice(FILE.length) : undefined);

/** Forms with at least this many parameters have an index. */
const MOST_WITHOUT_INDEX = 7;

/** Lay out at most this many inputs in one frame. */
const MOST_AT_ONCE = 120;

/** Resolves at the end of the next frame, or after a moment if the page is hidden: then there are no frames. */
const frame = (): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(done, 0);
    });
  });

/** A number outside its domain: `40 is not in int(0..9), in the image of tomato`. */
const OUTSIDE = /^(-?[\d.]+) is not in `int\((-?\d[\d.]*?)?\.\.(-?\d[\d.]*)?\)`(?:, in (.+))?$/;

/** The message of an error, with its part about a place. */
function sentence({ message }: Diagnostic, at: Place | undefined): string {
  const [, value, low, high, part] = OUTSIDE.exec(at?.text ?? "") ?? [];
  const [, of] = /^the (?:image of|element at) (.+)$/.exec(part ?? "") ?? [];
  if (value !== undefined) {
    const wanted = low === undefined ? words.upTo(Number(high)) : high === undefined ? words.from(Number(low)) : words.between(Number(low), Number(high));
    return `${of === undefined ? "" : `${of}: `}${words.please(wanted, value)}`;
  }
  return at?.text && !message.includes(at.text) ? `${message}: ${at.text}` : message;
}

/** The JSON object in a text; `null` if there is none. */
function objectIn(text: string): Values | null {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === "object" && !Array.isArray(value) ? (value as Values | null) : null;
  } catch {
    return null;
  }
}

/** True if an error makes a text of data unreadable as a whole, not only one of its values. */
export const isUnreadable = ({ severity, code }: Diagnostic, text: string): boolean => severity === "error" && /^E01/.test(code) && !(code === "E0107" && objectIn(text));

/** The errors about the values in the text of a request, by the names of the parameters. */
export async function mistakesIn(asked: Request): Promise<Map<string, string>> {
  const [text] = asked.data ?? [];
  const mistakes = new Map<string, string>();
  if (!text) return mistakes;
  // Each JSON value becomes a separate text, whose name identifies the parameter of an error. In Essence, the position
  // of the error does.
  const object = objectIn(text.text);
  const data = object ? Object.entries(object).map(([name, value]) => ({ name: FILE + name, text: JSON.stringify({ [name]: value }) })) : [text];
  const outline = object ? null : await ask<{ symbols: Outline[] }>({ ...asked, verb: "symbols", text: text.name }, `symbols of ${text.name}`);
  const symbols = outline?.type === "result" ? outline.symbols : [];
  const checked = await ask<CheckResult>({ ...asked, data, verb: "check" }, `values of ${text.name}`);
  for (const one of checked?.diagnostics ?? []) {
    const [at] = one.labels;
    if (one.severity !== "error" || !at || !data.some(({ name }) => name === at.file)) continue;
    const name = parameterIn(at.file) ?? symbols.find(({ from, to }) => from <= at.from && at.to <= to)?.name ?? "";
    if (!mistakes.has(name)) mistakes.set(name, `${upper(sentence(one, at))}.`);
  }
  return mistakes;
}

function bounds({ domain, unit }: Parameter, isClock: boolean): string {
  if (unit) return words.inUnits(unit);
  if (domain.kind !== "int") return "";
  const [first] = domain.ranges ?? [];
  if (!first || (domain.ranges?.length ?? 0) > 1) return words.whole;
  const [low, high] = first.map((one) => (one !== null && isClock ? clocked(String(one)) : one));
  return low != null && high != null ? words.between(low, high) : low != null ? words.from(low) : high != null ? words.upTo(high) : words.whole;
}

export class ParameterForm {
  /** The forms, and errors about several parameters together. */
  readonly element = h("div", { class: "parameters" });
  readonly #fields = new Map<string, Shown>();
  readonly #form = h("div", { class: "form" });
  readonly #index = h("div");
  /** The names in the index. */
  #indexed = "";
  readonly #general = h("div", { class: "general" });
  readonly #headings = new Map<string, HTMLElement>();
  #written = new Map<string, Written>();
  /** The errors in the texts that belong to no field. */
  #elsewhere: string[] = [];
  #round = 0;

  constructor(
    readonly hooks: ParameterHooks,
    /** The engine's description of the model and the data. */
    public form: Form,
    public values: Values = {},
  ) {
    this.element.append(this.#index, this.#form, this.#general);
  }

  /** The initial values of the forms. */
  initial(given?: Values): Values {
    const read = ({ name, domain, value }: Parameter) => [name, scaled(domain, normal(domain, given?.[name] ?? value)) ?? empty(domain)];
    return Object.fromEntries(this.form.parameters.map(read)) as Values;
  }

  valueOf({ name, domain }: Parameter): Json {
    return completed(domain, this.values[name] ?? null);
  }

  /** The parameters that have a value. */
  known(): Parameter[] {
    return this.form.parameters.filter((one) => !isMissing(one.domain, this.valueOf(one)));
  }

  /** The data as texts, one for each parameter that has a value. */
  texts(): Text[] {
    this.#written = new Map(this.form.parameters.map((one) => [one.name, write(one.name, one.domain, this.valueOf(one))]));
    return this.known().map(({ name }) => ({ name: FILE + name, text: this.#written.get(name)?.text ?? "" }));
  }

  request(verb: string): Request {
    return { verb, model: this.hooks.model(), data: this.texts() };
  }

  /** Scrolls to the first field with an error and focuses it. */
  goToProblem(): void {
    const problem = this.element.querySelector(".parameter .problem:not(:empty)");
    const parameter = problem?.closest(".parameter");
    parameter?.scrollIntoView({ block: "center", behavior: "smooth" });
    parameter?.querySelector<HTMLElement>(".wrong:is(input, select), input:placeholder-shown, input, select, textarea, button")?.focus({ preventScroll: true });
  }

  /** Drops the fields; `show` makes them again. */
  reset(): void {
    this.#fields.clear();
    this.#indexed = "";
    clear(this.#index);
    clear(this.#form);
    clear(this.#general);
  }

  get #shown(): Parameter[] {
    const { isHidden, placeOf } = this.hooks.about();
    return this.form.parameters.filter(({ name }) => !isHidden(name)).sort((one, other) => placeOf(one.name) - placeOf(other.name));
  }

  show(): void {
    this.#round += 1;
    this.#fill();
  }

  #fill(): void {
    const shown = this.#shown;
    for (const [name, { box }] of this.#fields) {
      if (shown.some((one) => one.name === name)) continue;
      box.remove();
      this.#fields.delete(name);
    }
    if (shown.length === 0) this.#form.replaceChildren(h("p", { class: "help" }, words.noData));
    else if (this.#fields.size === 0) clear(this.#form);
    for (const one of shown) this.#showOne(one);
    // The fields keep the order of the model, or that of the directives, below the headings of their groups.
    const { groupOf } = this.hooks.about();
    const boxes = shown.flatMap(({ name }, at) => {
      const group = groupOf(name);
      const box = this.#fields.get(name)?.box as HTMLElement;
      return group === undefined || group === groupOf(shown[at - 1]?.name) ? [box] : [this.#heading(group), box];
    });
    if (boxes.some((box, at) => this.#form.children[at] !== box)) this.#form.replaceChildren(...boxes);
    const sections = shown.map(({ name }): [string, Element] => [this.hooks.about().nameOf(name), this.#fields.get(name)?.box as HTMLElement]);
    const names = sections.map(([title]) => title).join("\n");
    if (names === this.#indexed) return;
    this.#indexed = names;
    this.#index.replaceChildren(...(sections.length < MOST_WITHOUT_INDEX ? [] : [contents(words.contents, sections)]));
  }

  /** Shows all fields for the first time, some in each frame, since all at once would block the page. */
  async unfold(): Promise<void> {
    let room = 0;
    for (const one of this.#shown) {
      // Let the page around the fields be painted first.
      if (room <= 0) {
        await frame();
        room = MOST_AT_ONCE;
      }
      room -= this.#showOne(one).querySelectorAll("td, li, option").length;
    }
    // The values have not changed, so that a running check stays valid.
    this.#fill();
  }

  #heading(group: string): HTMLElement {
    const heading = this.#headings.get(group) ?? h("h3", { class: "group" }, group);
    this.#headings.set(group, heading);
    return heading;
  }

  #showOne(one: Parameter): HTMLElement {
    const { name, domain, comment } = one;
    const { nameOf, isClock, isFixed } = this.hooks.about();
    const signature = JSON.stringify([domain, comment, nameOf(name)]);
    const old = this.#fields.get(name);
    if (old?.domain === signature) {
      old.field.show(this.valueOf(one));
      return old.box;
    }
    const field = new Field(domain, name, this.valueOf(one), (value) => this.enter(name, value), isClock(name));
    const problem = h("p", { class: "problem", role: "alert" });
    const hint = bounds(one, isClock(name));
    const opener = isScalar(domain) || isFixed(name) ? null : iconButton("open", words.openTable, "quiet tiny", () => this.#chooseTable(name), false);
    const heading = h("h3", {}, nameOf(name), hint ? h("span", { class: "bounds" }, hint) : null, opener);
    const help = comment ? h("div", { class: "help" }, ...paragraphs(comment)) : null;
    const small = domain.kind === "int" || domain.kind === "bool" ? " small" : "";
    const box = h("div", { class: `parameter${small}`, role: "group", "aria-label": nameOf(name) }, heading, help, isFixed(name) ? h("fieldset", { disabled: true }, field.element) : field.element, problem);
    box.dataset.parameter = name;
    if (old) old.box.replaceWith(box);
    else this.#form.append(box);
    this.#fields.set(name, { field, box, problem, unread: old?.unread ?? "", domain: signature });
    return box;
  }

  enter(name: string, value: Json): void {
    const parameter = this.form.parameters.find((one) => one.name === name);
    if (parameter?.domain.kind === "type") this.#renameMembers(name, (this.values[name] as string[] | null) ?? [], value as string[]);
    this.values[name] = value;
    const shown = this.#fields.get(name);
    if (shown) shown.unread = "";
    this.#round += 1;
    this.hooks.entered(name);
  }

  /** Renames the members of a type in all values; values that mention a removed member lose that part. */
  #renameMembers(type: string, before: string[], after: string[]): void {
    const names = (member: string) => {
      if (after.includes(member)) return member;
      const at = before.indexOf(member);
      // Exactly one name was replaced, in place: a renaming, not a removal.
      return before.length === after.length && at >= 0 && !before.includes(after[at] ?? "") ? (after[at] ?? null) : null;
    };
    for (const { name, domain } of this.form.parameters) this.values[name] = renamed(domain, this.values[name] ?? null, type, names) ?? empty(domain);
  }

  // ---- Tables ----

  #chooseTable(name: string): void {
    const file = h("input", { type: "file", accept: [...TABLES, ...WORKBOOKS, ".txt", ".json"].join() });
    file.onchange = async () => {
      const [chosen] = file.files ?? [];
      if (!chosen) return;
      try {
        const tables = await tablesIn(chosen.name, new Uint8Array(await chosen.arrayBuffer()));
        const called = tables.length > 1 ? tables.find((table) => sheetOf(table) === name) : tables[0];
        if (called) await this.takeTable(name, called);
        else this.#offerSheets(name, chosen.name, tables);
      } catch (error) {
        this.#say(name, `${upper((error as Error).message)}.`);
      }
    };
    file.click();
  }

  /** Offers the sheets of a workbook as buttons below the field. */
  #offerSheets(name: string, file: string, tables: Text[]): void {
    const buttons = tables.map((table) => button(sheetOf(table) ?? "", "secondary small", () => void this.takeTable(name, table)));
    this.#say(name, words.whichSheet(file));
    this.#fields.get(name)?.problem.append(" ", ...buttons.flatMap((one) => [one, " "]));
  }

  /** Shows a message about the table at the field of a parameter. */
  #say(name: string, says: string): void {
    const shown = this.#fields.get(name);
    if (!shown) return;
    shown.unread = says;
    shown.problem.replaceChildren(...prose(says));
  }

  /** Reads the value of a parameter from a table, as the program does, with the errors in the table. */
  async readTable(name: string, table: Text): Promise<{ value: Json; isRefused: boolean; says: string }> {
    const asked = this.request("form");
    asked.data = [...this.texts().filter((one) => one.name !== FILE + name), { ...table, parameter: name } as Text];
    const checked = await ask<CheckResult>({ ...asked, verb: "check" }, `check ${name} in ${table.name}`);
    const answer = await ask<Form>(asked, `open ${name} in ${table.name}`);
    const diagnostics = checked?.diagnostics ?? [];
    const mistakes = diagnostics.filter(({ message }) => message.includes(table.name));
    const mistake = mistakes.find(({ severity }) => severity === "error") ?? mistakes[0];
    const read = answer?.type === "result" ? answer.parameters.find((one) => one.name === name) : undefined;
    const isRefused = read?.value == null || mistake?.severity === "error";
    const says = mistake ? `${upper(mistake.message)}.` : isRefused ? words.cannotRead(table.name) : "";
    return { value: read && !isRefused ? scaled(read.domain, normal(read.domain, read.value)) : null, isRefused, says };
  }

  /** Makes a table the value of a parameter, or shows its errors at the field. */
  async takeTable(name: string, table: Text): Promise<void> {
    const { value, isRefused, says } = await this.readTable(name, table);
    const shown = this.#fields.get(name);
    if (!isRefused) {
      shown?.field.show(value);
      this.enter(name, value);
    }
    this.#say(name, says);
  }

  /** Shows errors in texts that give no values at their fields, until values are entered. */
  tell(mistakes: Map<string, string>): void {
    for (const [name, shown] of this.#fields) shown.unread = mistakes.get(name) ?? "";
    this.#elsewhere = [...mistakes].flatMap(([name, says]) => (this.#fields.has(name) ? [] : [says]));
  }

  // ---- Errors ----

  /** Has the engine check the values; returns `null` if they have changed meanwhile. */
  async check(): Promise<Checked | null> {
    const mine = this.#round;
    const answer = await ask<Form>(this.request("form"), "form");
    if (mine !== this.#round || !answer) return null;
    if (answer.type === "failure") return { isUsable: false, missing: [], failed: answer.diagnostics };
    this.form = { ...this.form, parameters: answer.parameters, essence: answer.essence };
    this.show();
    const shown = this.#round;
    this.#unmark();
    const missing = this.form.parameters.filter((one) => isMissing(one.domain, this.valueOf(one)));
    const checked: Answer<CheckResult> | null = await ask<CheckResult>(this.request("check"), "check data");
    if (shown !== this.#round || !checked) return null;
    const diagnostics = checked.type === "failure" ? checked.diagnostics : checked.diagnostics.filter(({ severity }) => severity === "error");
    const known = new Set(this.form.parameters.map(({ name }) => name));
    const others = diagnostics.filter(({ message }) => missing.length === 0 || !/^there is no value|needs? a value|has no value|missing/i.test(message));
    for (const { name } of missing) {
      const field = this.#fields.get(name);
      if (field && !field.unread) field.problem.textContent = words.missing;
    }
    for (const one of others) this.#place(one, known);
    return { isUsable: missing.length === 0 && diagnostics.length === 0, missing: others.length === 0 ? missing : [], failed: [] };
  }

  #unmark(): void {
    for (const { field, problem, unread } of this.#fields.values()) {
      field.unmark();
      problem.replaceChildren(...prose(unread));
      if (unread) field.mark("", unread);
    }
    this.#general.replaceChildren(...this.#elsewhere.map((says) => h("div", { class: "problem-box", role: "alert" }, h("p", {}, ...prose(says)))));
  }

  /** Shows an error at the field that it is about. */
  #place(one: Diagnostic, known: Set<string>): void {
    const inData = one.labels.find(({ file }) => known.has(parameterIn(file) ?? ""));
    const name = inData ? parameterIn(inData.file) : [...one.message.matchAll(/`([^`]+)`/g)].map(([, inner]) => inner ?? "").find((inner) => known.has(inner));
    const said = sentence(one, inData);
    const field = name === undefined ? undefined : this.#fields.get(name);
    if (field) {
      field.problem.replaceChildren(...prose(`${field.problem.textContent ? `${field.problem.textContent} ` : ""}${upper(said)}.`));
      const written = this.#written.get(name ?? "");
      field.field.mark((inData && written && partAt(written, inData.from, inData.to)) ?? "", said);
      return;
    }
    // A condition on the parameters: in the words of its comment, with the values that it mentions.
    const [at] = one.labels;
    const rule = at && this.form.requirements.find(({ first_line, last_line }) => first_line <= at.line && at.line <= last_line);
    const source = at ? this.hooks.model().text.slice(at.from, at.to) : "";
    const box = h("div", { class: "problem-box", role: "alert" });
    box.append(h("p", {}, ...prose(upper(rule?.comment || one.message))));
    if (source) box.append(h("pre", {}, source));
    for (const note of one.notes) box.append(h("p", { class: "help" }, note));
    this.#general.append(box);
    for (const name of known)
      if (new RegExp(`(?<![\\p{L}\\p{N}_])${name.replace(/\W/g, "\\$&")}(?![\\p{L}\\p{N}_])`, "u").test(source)) this.#fields.get(name)?.field.mark("", one.message);
  }
}
