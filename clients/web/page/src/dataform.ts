// The data as a form: shows and edits the same text through fields for the parameters. Tables become values of
// parameters.

import { type Directives, directives, NONE } from "./app/directives";
import { asEssence, asName, indexed, isMissing, isScalar, rowsOf } from "./app/domains";
import { isUnreadable, mistakesIn, ParameterForm } from "./app/parameters";
import { delayed } from "./delayed";
import { announce, button, choice, clear, dialog, h } from "./dom";
import { ask } from "./engine";
import type { CheckResult, Form, Json, Outline, Parameter, Request, Text } from "../../npm/src/protocol";
import { diagnostics } from "./results";
import { texts } from "./texts";
import { sheetOf } from "./workbook";

/** Rows of the preview of a table. */
const MOST_ROWS = 5;

export interface DataHooks {
  request(verb: string): Request;
  /** The text of the data, and its name in a request. */
  text(): string;
  name(): string;
  /** Takes a new text of the data. */
  change(text: string): void;
  /** Called when the form has been laid out for the current texts. */
  laid?(form: Form): void;
}

/** The edit that removes a definition from a text, with its `letting` or the comma beside it. */
function removed(text: string, { from, to }: Outline): { from: number; to: number; text: string } {
  const [before, after] = [text.slice(0, from), text.slice(to)];
  const comma = /^\s*,\s*/.exec(after);
  if (comma) return { from, to: to + comma[0].length, text: "" };
  const start = /^letting\s/.test(text.slice(from)) ? from : before.search(/(letting|,)\s+$/);
  return { from: start < 0 ? from : start, to: to + (/^[ \t]*\n/.exec(after)?.[0].length ?? 0), text: "" };
}

export class DataForm {
  readonly element = h("div", { class: "data-form", tabIndex: 0, role: "region", "aria-label": texts.data.form });
  #about: Directives = NONE;
  #parameters: ParameterForm | undefined;
  /** The values in the text. */
  #held = new Map<string, string>();
  /** The texts that the form shows. */
  #shown = "";
  /** The text when the last value was entered. */
  #base = "";
  /** The number of entered values, and how many of them are in the text. */
  #entries = { all: 0, written: 0 };
  readonly #enter = delayed(120, () => void this.#entered());

  constructor(readonly hooks: DataHooks) {}

  /** Shows the current texts, unless the form itself has just written them. Returns true if they can be parsed. */
  async show(): Promise<boolean> {
    const asked = this.hooks.request("form");
    const isShown = () => JSON.stringify(asked) === this.#shown;
    if (isShown()) return true;
    this.#shown = "";
    const answer = await ask<Form>(asked, "form of the data");
    const check = await ask<CheckResult>({ ...asked, verb: "check" }, "check of the data");
    const mistakes = await mistakesIn(asked);
    if (!answer || !check || JSON.stringify(asked) !== JSON.stringify(this.hooks.request("form"))) return false;
    // Do not overwrite a value that is being entered: the form is laid out again when the text contains it.
    if (isShown() || (this.#isPending && this.hooks.text() === this.#base)) return true;
    // Do not overwrite a text that cannot be parsed, nor one with several instances.
    const unread = check.diagnostics.filter((one) => one.labels[0]?.file === this.hooks.name() && isUnreadable(one, this.hooks.text()));
    if (answer.type === "failure" || unread.length > 0) {
      this.#parameters = undefined;
      this.element.replaceChildren(h("p", { class: "quiet" }, texts.data.unread), diagnostics(answer.type === "failure" ? answer.diagnostics : unread));
      return false;
    }
    this.#about = directives(answer);
    const parameters = (this.#parameters ??= this.#made(answer));
    parameters.form = answer;
    parameters.values = parameters.initial();
    parameters.show();
    parameters.tell(mistakes);
    if (parameters.element.parentElement !== this.element) this.element.replaceChildren(parameters.element);
    this.#held = this.#written();
    this.#shown = JSON.stringify(asked);
    this.hooks.laid?.(answer);
    await parameters.check();
    return true;
  }

  #made(form: Form): ParameterForm {
    return new ParameterForm(
      {
        model: () => this.hooks.request("form").model as Text,
        about: () => this.#about,
        entered: () => {
          this.#base = this.hooks.text();
          this.#entries.all += 1;
          this.#enter();
        },
      },
      form,
    );
  }

  /** The values of the form, by their names. */
  #written(): Map<string, string> {
    const { form } = this.#parameters as ParameterForm;
    return new Map(form.parameters.map((one) => [one.name, JSON.stringify(this.#parameters?.valueOf(one))]));
  }

  /** Writes pending values, and then applies an undo or redo of the text. */
  async step(move: () => boolean): Promise<void> {
    if (this.#isPending) await this.#entered();
    if (move()) await this.show();
  }

  get #isPending(): boolean {
    return this.#entries.written < this.#entries.all;
  }

  async #entered(): Promise<void> {
    const parameters = this.#parameters;
    const before = this.hooks.text();
    const { all } = this.#entries;
    // The text has changed in another way since the value was entered, so the value is given up.
    if (!parameters || before !== this.#base) this.#entries.written = all;
    if (!this.#isPending || !parameters || !(await parameters.check())) return;
    const values = this.#written();
    const changed = parameters.form.parameters.filter(({ name }) => values.get(name) !== this.#held.get(name));
    // The text keeps its notation.
    const next = /^\s*\{/.test(before) ? this.#inJson(before, changed) : await this.#inEssence(before, changed);
    // The text or the form may have changed during the requests.
    if (before !== this.hooks.text() || parameters !== this.#parameters) return;
    this.#entries.written = all;
    this.#held = values;
    if (next !== before) this.hooks.change(next);
    this.#base = this.hooks.text();
    // The form may not yet show another change of the text.
    if (this.#shown) this.#shown = JSON.stringify(this.hooks.request("form"));
    else void this.show();
  }

  /** The value of a parameter; `null` if a part is missing. */
  #value(one: Parameter): Json {
    const value = this.#parameters?.valueOf(one) ?? null;
    return isMissing(one.domain, value) ? null : value;
  }

  #inJson(text: string, changed: Parameter[]): string {
    const all = JSON.parse(text) as { [name: string]: Json };
    for (const one of changed) {
      const value = this.#value(one);
      if (value === null) delete all[one.name];
      else all[one.name] = indexed(one.domain, value);
    }
    const members = Object.entries(all).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
    return `{\n${members.join(",\n")}\n}\n`;
  }

  /** The text with new values in the statements of these parameters. Comments and everything else stay. */
  async #inEssence(text: string, changed: Parameter[]): Promise<string> {
    const answer = text.trim() ? await ask<{ symbols: Outline[] }>({ ...this.hooks.request("symbols"), text: this.hooks.name() }, "symbols of the data") : null;
    const old = answer?.type === "result" ? answer.symbols : [];
    const order = this.#parameters?.form.parameters.map(({ name }) => name) ?? [];
    const edits: { from: number; to: number; text: string }[] = [];
    for (const one of changed) {
      const at = old.find(({ name }) => name === one.name);
      const definition = this.#value(one) === null ? null : await this.#definition(one);
      // A new statement goes before those of parameters that come later in the model.
      const later = old.find(({ name }) => order.indexOf(name) > order.indexOf(one.name));
      const before = later && (/^letting\s/.test(text.slice(later.from)) ? later.from : text.slice(0, later.from).search(/letting\s+$/));
      if (at && definition === null) edits.push(removed(text, at));
      // The range of a type is its whole statement.
      else if (at) edits.push({ from: at.from, to: at.to, text: /^letting\s/.test(text.slice(at.from)) ? `letting ${definition}` : (definition ?? "") });
      else if (definition === null) continue;
      else if (before !== undefined && before >= 0) edits.push({ from: before, to: before, text: `letting ${definition}\n` });
      else edits.push({ from: text.length, to: text.length, text: `${text === "" || text.endsWith("\n") ? "" : "\n"}letting ${definition}\n` });
    }
    // Apply edits from the end, so that earlier offsets stay valid; of several at one offset, the last one goes first.
    const sorted = edits.map((edit, at) => ({ ...edit, at })).sort((one, other) => other.from - one.from || other.at - one.at);
    return sorted.reduce((now, { from, to, text }) => now.slice(0, from) + text + now.slice(to), text);
  }

  /** The text after `letting`, in the standard layout. */
  async #definition(one: Parameter): Promise<string> {
    const written = `letting ${asName(one.name)} be ${asEssence(one.domain, this.#value(one))}`;
    const answer = await ask<{ formatted: string }>({ verb: "format", model: { name: "statement", text: written } }, `format ${one.name}`);
    const shown = answer?.type === "result" ? answer.formatted : written;
    return shown.slice(shown.indexOf("letting ") + "letting ".length).trim();
  }

  // ---- Tables ----

  /**
   * Makes a table the value of a parameter: the one with the name of the file, or the one that the reader chooses. Each
   * of several sheets of a workbook becomes the value of the parameter with its name. Without a parameter, the text may
   * be `inserted`.
   */
  async takeTable(tables: Text[], insert?: () => void): Promise<void> {
    if (!(await this.show())) return;
    const parameters = this.#parameters as ParameterForm;
    const fitting = parameters.form.parameters.filter(({ name, domain }) => !isScalar(domain) && !this.#about.isHidden(name));
    const [only] = fitting;
    const [table] = tables;
    if (!table) return;
    const isCalled = (one: Text, name: string) => sheetOf(one) === name || (tables.length === 1 && name === one.name.replace(/\.\w+(#.*)?$/s, ""));
    const named = fitting.flatMap(({ name }) => tables.filter((one) => isCalled(one, name)).map((one) => ({ name, one })));
    const take = (name: string, one: Text) => parameters.takeTable(name, one);
    if (!only) {
      announce(texts.data.table.none);
      insert?.();
    } else if (named.length > 0) for (const { name, one } of named) await take(name, one);
    else if (fitting.length === 1 && tables.length === 1 && !insert) await take(only.name, table);
    else {
      // Suggest the first parameter that the table fits.
      let likely = { name: only.name, one: table };
      search: for (const one of tables) {
        for (const { name } of fitting) {
          if ((await parameters.readTable(name, one)).isRefused) continue;
          likely = { name, one };
          break search;
        }
      }
      this.#chooseParameter(tables, fitting, likely, take, insert);
    }
  }

  #chooseParameter(
    tables: Text[],
    fitting: Parameter[],
    likely: { name: string; one: Text },
    take: (name: string, one: Text) => Promise<void>,
    insert: (() => void) | undefined,
  ): void {
    const body = h("tbody", {});
    const count = h("p", { class: "quiet" });
    let { name: chosen, one: table } = likely;
    const show = (one: Text) => {
      table = one;
      const rows = rowsOf(one.text).filter((row) => row.some(Boolean));
      clear(body);
      body.append(...rows.slice(0, MOST_ROWS).map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, cell)))));
      count.textContent = texts.data.table.rows(rows.length);
    };
    show(table);
    const sheets = tables.map((one, at): [string, string] => [String(at), sheetOf(one) ?? one.name]);
    const names = fitting.map(({ name }): [string, string] => [name, this.#about.nameOf(name)]);
    const use = button(texts.data.table.use, "primary", () => {
      made.close();
      void take(chosen, table);
    });
    const inserting = insert && button(texts.data.table.insert, "secondary", () => (made.close(), insert()));
    const made = dialog(
      texts.data.table.title(tables.length === 1 ? table.name : table.name.replace(/#.*$/s, "")),
      "",
      tables.length > 1 ? choice(texts.data.table.sheet, sheets, String(tables.indexOf(table)), (at) => show(tables[Number(at)] as Text)) : null,
      h("div", { class: "scrolled", tabIndex: 0, role: "region", "aria-label": table.name }, h("table", {}, body)),
      count,
      choice(texts.data.table.parameter, names, likely.name, (name) => (chosen = name)),
      h("div", { class: "bar" }, use, inserting ?? null),
    );
  }
}
