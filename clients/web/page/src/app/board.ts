// The solution as an interactive board: the cells of the decision variables, in the picture of the model or in tables.
// A click sets a cell; set values stay; impossible values are grey. The board shows only given, set, found and forced
// values and contradictions, each in the same style everywhere. It does not use the engine.

import { button, clear, contents, drawn, h, picture } from "../dom";
import { nearest } from "../keys";
import type { BoardSlot, BoardStage, Filled } from "../../../npm/src/protocol";
import { type BoardCell, isSettable, isYes, type Placed, placed, shownValue } from "./cells";
import { clocked } from "./clock";
import { Axes, type Layout, type Wanted } from "./layout";
import { paragraphs } from "./prose";
import { words } from "./words";

/** Variables with more cells than this are not shown cell by cell. */
const MOST_CELLS = 3000;
/** Cells with more values than this have a text field instead of buttons. */
const MOST_BUTTONS = 80;
/** A pressed mouse that has moved this many pixels starts to drag. */
const DRAGGED = 6;

const drawing = (svg: string) => new DOMParser().parseFromString(svg, "image/svg+xml");

/** Average width of a letter, as a fraction of the font size. */
const LETTER = 0.6;
/** Font size in a slot of the picture, as a fraction of the height of the slot. */
const LETTERS = 0.44;

/** The origin of the value of a cell. */
type State = "fixed" | "set" | "found" | "forced" | "open";
const STATES: State[] = ["fixed", "set", "found", "forced"];

/** An element that shows a cell, in a table or in a slot of the picture. */
interface Shown {
  cell: Placed;
  element: HTMLButtonElement;
  slot: BoardSlot | null;
}

/** The mark of a cell: a hint uses it as a reason, or advises its value. */
export type Mark = "reason" | "advised";

/** A cell and one of its values, as positions. */
export type Setting = [cell: number, option: number];

/** A soft colour for the label of an axis at a position; neighbours differ most. */
const hue = (at: number): string => `light-dark(oklch(0.91 0.07 ${(at * 137.5 + 80) % 360}), oklch(0.36 0.06 ${(at * 137.5 + 80) % 360}))`;

/** Boards with at least this many variables have an index. */
const MOST_WITHOUT_INDEX = 5;

/** Normalises white space, so that constraints of the engine and of cells can be compared. */
export const squeezed = (text: string): string => text.replace(/\s+/g, "");

/** The model's texts about a variable. */
export interface About {
  title: string;
  comment: string;
  /** The heading above the variable and its neighbours. */
  group?: string | undefined;
  /** The types along the axes of its table, and how people name them. */
  axes: string[];
  nameOf(type: string): string;
  wanted: Wanted;
  /** True if its numbers are minutes after midnight. */
  isClock: boolean;
}

export interface BoardHooks {
  /** Called when the constraints of the set values have changed. */
  changed(set: string[], cell: string): void;
  /** Called when the user asks why a value is impossible. */
  whyNot(says: string, shown: string): void;
}

export class LivingBoard {
  readonly element = h("div", { class: "living" });
  #cells: Placed[] = [];
  #stage: BoardStage | null = null;
  #shown: Shown[] = [];
  readonly #legend = h("ul", { class: "legend", "aria-label": words.legend });
  /** The set value of each cell. */
  #set = new Map<number, number>();
  #chosen: (number | null)[] = [];
  #possible: (boolean | null)[][] = [];
  #clash = new Set<number>();
  #solution: Filled | null = null;
  /** The values that follow from the data, without those of cells that have only one value. */
  #given = new Map<number, number>();
  #knowsGiven = false;
  #marks = new Map<number, Mark>();
  #showsPossible = true;
  /** True if a new picture has arrived while the menu was open. */
  #drawsLater = false;
  /** The timer of a delayed drawing. */
  #drawing: ReturnType<typeof setTimeout> | undefined;
  #menu: HTMLElement | null = null;
  #typed = { cell: -1, text: "", at: 0 };
  /** The visible variables, with the model's texts about them. */
  #about = new Map<string, About>();
  #signature = "";
  /** The tables that the user has turned round, by their variables. */
  readonly #turned = new Map<string, Layout>();
  /** The setting that each constraint means; computed on first use. */
  #settings: Map<string, Setting> | null = null;

  constructor(readonly hooks: BoardHooks) {
    this.element.addEventListener("click", ({ target }) => {
      const shown = this.#shownAt(target as Element);
      if (shown) this.#click(shown);
    });
    this.element.addEventListener("focusin", ({ target }) => {
      if (!this.#cellAt(target as Element)) return;
      for (const { element } of this.#shown) element.tabIndex = element === target ? 0 : -1;
    });
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("pointerdown", (event) => this.#grasp(event));
    this.element.addEventListener("focusout", (event) => {
      if (!this.element.contains(event.relatedTarget as Node | null)) this.#close();
    });
  }

  get cells(): Placed[] {
    return this.#cells;
  }

  /** The set values as constraints. */
  get set(): string[] {
    return [...this.#set].map(([number, option]) => this.#cells[number]?.values[option]?.[1] ?? "");
  }

  /** Takes the model's texts about the visible variables. */
  describe(about: Map<string, About>): void {
    if (JSON.stringify([...about]) === JSON.stringify([...this.#about])) return;
    this.#about = about;
    this.#draw();
  }

  /**
   * Takes cells and the picture that contains them. Returns true if the values that follow from the data are not known
   * yet.
   */
  lay(cells: BoardCell[], set: string[], stage: BoardStage | null = null): boolean {
    const signature = JSON.stringify([cells, stage]);
    // The engine sends the cells with each answer; most answers have the same ones.
    const isNew = signature !== this.#signature;
    this.#signature = signature;
    if (isNew) {
      this.#stage = stage;
      this.#cells = cells.map((cell, number) => placed(this.#read(cell), number));
      this.#settings = null;
      this.#chosen = [];
      this.#solution = null;
      this.#marks.clear();
    }
    const wasGiven = this.#knowsGiven;
    if (!wasGiven) {
      this.#given = new Map(stage?.slots.flatMap(({ cell, given }): Setting[] => (given == null ? [] : [[cell, given]])));
      this.#knowsGiven = true;
    }
    this.keep(set, isNew);
    return !wasGiven;
  }

  /** A cell with its values as people read them. */
  #read(cell: BoardCell): BoardCell {
    if (!this.#about.get(cell.variable)?.isClock) return cell;
    return { ...cell, values: cell.values.map(([shown, says]) => [clocked(shown), says]) };
  }

  /** Replaces the set values with these, as far as the cells have them. */
  keep(set: string[], isNew = false): void {
    this.#set = new Map(set.map((says) => this.read(says)).filter((one) => one !== null));
    this.#keepChosen();
    this.#possible = [];
    this.#clash.clear();
    if (isNew) this.#drawSoon();
    else this.#paint();
  }

  /** Forgets the values that followed from the old data. */
  forgetGiven(): void {
    this.#knowsGiven = false;
    this.#given.clear();
    this.#paint();
  }

  /** The setting that a constraint means, or `null`. */
  read(says: string): Setting | null {
    const settings = () => this.#cells.flatMap(({ number, values }) => values.map(([, one], option): [string, Setting] => [squeezed(one), [number, option]]));
    this.#settings ??= new Map(settings());
    return this.#settings.get(squeezed(says)) ?? null;
  }

  /**
   * Takes the values that follow from the data. They may arrive later than the cells; they replace values that the user
   * has set meanwhile.
   */
  give(facts: string[]): void {
    const given = facts.map((fact) => this.read(fact)).filter((one) => one !== null);
    for (const one of given) this.#given.set(...one);
    // The value of this cell can no longer be chosen.
    if (this.#offered && this.#given.has(this.#offered.number)) this.#close();
    const taken = given.filter(([cell]) => this.#set.has(cell)).map(([cell]): [number, null] => [cell, null]);
    if (taken.length > 0) this.choose(taken, "given");
    else this.#paint();
  }

  /** True if impossible and forced values are highlighted. */
  set showsPossible(shows: boolean) {
    this.#showsPossible = shows;
    this.#paint();
    this.#refreshMenu();
  }

  /** True if each cell has a value, set by the user or given by the data. */
  get isFull(): boolean {
    return this.#cells.length > 0 && this.#cells.every((cell) => !isSettable(cell) || this.#fixed(cell) !== undefined || this.#set.has(cell.number));
  }

  /** The open cells, with their values in a solution. */
  rest({ chosen }: Filled): Setting[] {
    const open = this.#cells.filter((cell) => this.#fixed(cell) === undefined && !this.#set.has(cell.number));
    return open.map(({ number }): [number, number | null] => [number, chosen[number] ?? null]).filter((one): one is Setting => one[1] !== null);
  }

  /** The names of a cell and of its value, as users read them. */
  named([cell, option]: Setting): [string, string] {
    const one = this.#cells[cell] as Placed;
    return [one.name, shownValue(one, option, [words.yes, words.no])];
  }

  /** Marks the cells that the texts mention, and no others. */
  mark(mentioned: string[], as: Mark): void {
    const all = mentioned.map(squeezed);
    for (const { name, number } of this.#cells) {
      const own = squeezed(name);
      // A short name such as `x` occurs inside other words, so it must be the whole text.
      if (all.some((text) => (own.length > 2 ? text.includes(own) : text === own))) this.#marks.set(number, as);
    }
    this.#paint();
  }

  clearMarks(): void {
    this.#marks.clear();
    this.#paint();
  }

  /** Sets several cells in one step, at the user's request. */
  choose(settings: [cell: number, option: number | null][], what: string): void {
    for (const [cell, option] of settings) {
      if (option === null) this.#set.delete(cell);
      else this.#set.set(cell, option);
    }
    this.#keepChosen();
    this.#clash.clear();
    this.#marks.clear();
    this.#paint();
    this.hooks.changed(this.set, what);
  }

  /** Shows a solution, or none. */
  show(solution: Filled | null): void {
    const redraw = this.#solution !== null || solution !== null;
    this.#solution = solution;
    this.#chosen = solution?.chosen ?? [];
    this.#clash.clear();
    if (redraw) this.#draw();
  }

  get shown(): Filled | null {
    return this.#solution;
  }

  possible(possible: (boolean | null)[][]): void {
    this.#possible = possible;
    this.#paint();
    this.#refreshMenu();
  }

  /** Marks the cells whose values contradict each other. */
  clash(says: string[]): void {
    this.#clash = new Set(this.#cells.filter(({ values }) => values.some(([, one]) => says.includes(one))).map(({ number }) => number));
    this.#paint();
  }

  /** The text of a constraint for users. */
  says(constraint: string): string {
    const [cell, option] = this.read(constraint) ?? [];
    return cell === undefined || option === undefined ? constraint : this.#sentence(this.#cells[cell] as Placed, option);
  }

  #title({ variable }: Placed): string {
    return this.#about.get(variable)?.title ?? variable;
  }

  #sentence(cell: Placed, option: number): string {
    const where = [this.#title(cell), cell.labels.join(", ")].filter(Boolean).join(" ");
    return `${where}: ${shownValue(cell, option, [words.yes, words.no])}`;
  }

  take(says: string): void {
    const cell = this.#cells.find(({ number }) => this.#cells[number]?.values[this.#set.get(number) ?? -1]?.[1] === says);
    if (cell) this.#choose(cell, null);
  }

  /** The table rows of all cells that have a value. */
  rows(): string[][] {
    return this.#cells.flatMap((cell) => {
      const option = this.#value(cell);
      const value = option === undefined ? this.#unlisted(cell) : shownValue(cell, option, ["true", "false"]);
      return value === undefined ? [] : [[cell.variable, ...cell.labels, value]];
    });
  }

  #value({ number }: Placed): number | undefined {
    return this.#set.get(number) ?? this.#chosen[number] ?? undefined;
  }

  /** The text of a value that is not among the listed ones. */
  #unlisted({ number, variable }: Placed): string | undefined {
    const shown = this.#solution?.shown?.[number];
    return shown !== undefined && this.#about.get(variable)?.isClock ? clocked(shown) : shown;
  }

  /** Keeps the solution as long as it agrees with the set values. */
  #keepChosen(): void {
    for (const [number, option] of this.#set) {
      if (this.#chosen.length > 0 && this.#chosen[number] !== option) {
        this.#chosen = [];
        this.#solution = null;
        this.#draw();
        return;
      }
    }
  }

  #choose(cell: Placed, option: number | null): void {
    this.choose([[cell.number, option]], cell.name);
  }

  /** The only value of a cell, or the one that the data give it. */
  #fixed({ number, values }: Placed): number | undefined {
    return values.length === 1 ? 0 : this.#given.get(number);
  }

  // ---- Drawing ----

  /** Draws new cells in a later task: reading and drawing them in one task would delay key strokes. */
  #drawSoon(): void {
    this.#close();
    this.#drawing ??= setTimeout(() => {
      this.#drawing = undefined;
      // Keep an open menu until the user has chosen.
      if (this.#offered && this.#cells.includes(this.#offered)) this.#drawsLater = true;
      else this.#draw();
    }, 0);
  }

  #draw(): void {
    // The focus is lost with the old elements, so remember its cell.
    const focused = this.#cellAt(document.activeElement)?.number;
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    this.#drawsLater = false;
    this.#close();
    clear(this.element);
    this.#shown = [];
    this.#tonesOf.clear();
    const groups = new Map([...this.#about.keys()].map((variable): [string, Placed[]] => [variable, this.#cells.filter((cell) => cell.variable === variable)]));
    for (const [variable, cells] of groups) if (cells.length === 0) groups.delete(variable);
    if (this.#stage) this.#drawStage(this.#stage);
    if (this.#solution?.whole) this.element.append(h("figure", { class: "whole" }, this.#picture(drawing(this.#solution.whole))));
    const staged = new Set(this.#shown.map(({ cell }) => cell.number));
    const sections: [title: string, box: HTMLElement][] = [];
    let above: string | undefined;
    for (const [variable, cells] of groups) {
      const others = cells.filter(({ number }) => !staged.has(number));
      if (others.length === 0) continue;
      const { title = variable, group } = this.#about.get(variable) ?? {};
      if (group !== undefined && group !== above) this.element.append(h("h3", { class: "group" }, group));
      above = group;
      const box = this.#group(variable, others);
      sections.push([title, box]);
      this.element.append(box);
    }
    if (sections.length >= MOST_WITHOUT_INDEX) this.element.prepend(contents(words.contents, sections));
    this.element.append(this.#legend);
    this.#paint();
    if (focused !== undefined) this.#elementOf(focused)?.focus();
  }

  /** A drawing as an image, with the titles of the variables instead of their names. */
  #picture(drawn: Document): HTMLImageElement {
    for (const text of drawn.querySelectorAll('text[text-anchor="start"]')) {
      const title = this.#about.get(text.textContent ?? "")?.title;
      if (title) text.textContent = title;
    }
    const made = picture(new XMLSerializer().serializeToString(drawn), words.pictureOf);
    made.style.setProperty("--width", drawn.documentElement.getAttribute("width"));
    return made;
  }

  /**
   * The picture without values, with a button in each of its slots. The box fixes the size, and the picture fills it.
   */
  #drawStage({ svg, slots }: BoardStage): void {
    const drawn = drawing(svg);
    const [width, height] = ["width", "height"].map((name) => Number(drawn.documentElement.getAttribute(name))) as [number, number];
    const box = h("div", { class: "drawn" });
    box.style.setProperty("--width", String(width));
    box.style.setProperty("--height", String(height));
    box.append(this.#picture(drawn));
    let least = Infinity;
    for (const slot of slots) {
      const cell = this.#cells[slot.cell];
      if (!cell || !this.#about.has(cell.variable)) continue;
      const [left, top, wide, high] = slot.rectangle;
      const one = this.#button(cell, slot);
      one.classList.add("spot", `as-${slot.mark}`);
      Object.assign(one.style, {
        left: `${(100 * (left + wide / 2)) / width}%`,
        top: `${(100 * (top + high / 2)) / height}%`,
        width: `${(100 * wide) / width}%`,
        height: `${(100 * high) / height}%`,
      });
      const longest = Math.max(1, ...(slot.label ? [slot.label.length] : cell.values.map((_, option) => shownValue(cell, option, ["✓", "–"]).length)));
      const size = Math.min(LETTERS * high, (0.94 * wide) / (LETTER * longest));
      // All slots with a text share the smallest size that fits.
      if (slot.value === null) least = Math.min(least, size);
      one.style.setProperty("--size", size.toFixed(2));
      box.append(one);
    }
    box.style.setProperty("--least", String(Number.isFinite(least) ? least : LETTERS * (slots[0]?.rectangle[3] ?? 24)));
    this.element.append(h("div", { class: "scrolled" }, box, this.#tones(slots)));
  }

  /** The legend of the colours that represent values. */
  #tones(slots: BoardSlot[]): HTMLElement | null {
    const slot = slots.find(({ paints }) => paints);
    const cell = slot && this.#cells[slot.cell];
    if (!slot?.paints || !cell) return null;
    const item = ([fill]: [string, string], option: number) => {
      const colour = h("span", { class: "tone" });
      colour.style.background = fill;
      return h("li", {}, colour, shownValue(cell, option, [words.yes, words.no]));
    };
    return h("ul", { class: "legend tones" }, ...slot.paints.map(item));
  }

  #group(variable: string, cells: Placed[]): HTMLElement {
    const { title, comment } = this.#about.get(variable) ?? { title: variable, comment: "" };
    const box = h("section", { class: "variable" }, h("h3", {}, title));
    if (comment) box.append(h("div", { class: "help" }, ...paragraphs(comment)));
    if (cells.length > MOST_CELLS) return box;
    const depth = Math.max(...cells.map(({ labels }) => labels.length));
    const even = cells.every(({ labels }) => labels.length === depth);
    const { wanted = {}, axes: names = [], nameOf = (type: string) => type } = this.#about.get(variable) ?? {};
    const axes = even ? new Axes(cells, names, wanted) : null;
    const usual = axes?.usual() ?? null;
    if (wanted.colour && axes) this.#toned(cells, axes, wanted.colour);
    if (!axes || (!usual && depth > 0)) box.append(this.#line(cells, (cell) => cell.labels.join(", ") || this.#title(cell)));
    else if (!usual) box.append(...cells.map((cell) => this.#place(cell)));
    else {
      const tables = h("div", { class: "tables" });
      const turns = axes.turns(title, nameOf);
      const choice = h("div", { class: "turns", role: "group", "aria-label": words.turn(title) });
      const show = (layout: Layout) => {
        for (const one of choice.children) one.setAttribute("aria-pressed", String((one as HTMLElement).dataset.rows === String(layout.rows)));
        this.#shown = this.#shown.filter(({ element }) => !tables.contains(element));
        tables.replaceChildren(...this.#tables(axes, layout));
        for (const [at, { element }] of this.#shown.entries()) element.dataset.shown = String(at);
      };
      for (const [rows, name] of turns) {
        const turn = button(words.by(name), "view", () => {
          const layout = rows === usual.rows ? usual : axes.turned(rows);
          if (!layout) return;
          this.#turned.set(variable, layout);
          this.#close();
          show(layout);
          this.#paint();
        });
        turn.dataset.rows = String(rows);
        choice.append(turn);
      }
      box.append(...(turns.length > 1 ? [choice] : []), tables);
      const turned = this.#turned.get(variable);
      show(turned && axes.labels(turned.rows).length > 0 ? turned : usual);
    }
    return box;
  }

  /** The colours of the cells of one variable, by the cells and their values. */
  readonly #tonesOf = new Map<number, { axes: Axes; by: string }>();

  #toned(cells: Placed[], axes: Axes, by: string): void {
    for (const { number } of cells) this.#tonesOf.set(number, { axes, by });
  }

  #line(cells: Placed[], name: (cell: Placed) => string): HTMLElement {
    const item = (cell: Placed) => h("div", { class: cell.toggle ? "item chip-item" : "item" }, h("span", { class: "at" }, name(cell)), this.#place(cell));
    const line = h("div", { class: "line" }, ...cells.map(item));
    // One width for all names aligns the lines below each other.
    line.style.setProperty("--name", String(Math.max(...cells.map((cell) => name(cell).length))));
    return line;
  }

  /** The tables of a variable: one, or one for each label of a third axis. */
  #tables(axes: Axes, layout: Layout): HTMLElement[] {
    const entries = axes.entries(layout);
    const blocks = layout.blocks === null ? [""] : axes.labels(layout.blocks);
    return blocks.flatMap((block) => {
      const head = h("tr", {}, h("td", {}), ...axes.labels(layout.columns).map((one) => h("th", { scope: "col" }, one)));
      const place = (row: string, column: string) => {
        const here = entries.get(JSON.stringify([row, column, block])) ?? [];
        return h("td", {}, ...here.map(({ cell, option }) => (option === null ? this.#place(cell) : this.#choice(cell, option, axes.rest(cell, layout)))));
      };
      const body = axes.labels(layout.rows).map((row) => h("tr", {}, h("th", { scope: "row" }, row), ...axes.labels(layout.columns).map((column) => place(row, column))));
      const table = h("div", { class: "scrolled" }, h("table", { class: "cells" }, h("thead", {}, head), h("tbody", {}, ...body)));
      return block === "" ? [table] : [h("h4", {}, block), table];
    });
  }

  /** A place for one value of a cell: ticked, or with a name if the cell has it. */
  #choice(cell: Placed, option: number, name: string): HTMLElement {
    const mark = name === "" ? "tick" : "name";
    const made = this.#button(cell, { cell: cell.number, value: option, mark, rectangle: [0, 0, 0, 0], label: name });
    made.classList.add(`as-${mark}`);
    return made;
  }

  /** The element for a cell: a button, or only the value if the cell cannot be set. */
  #place(cell: Placed): HTMLElement {
    if (isSettable(cell)) return this.#button(cell);
    const element = h("p", { class: "value-only" }, this.#unlisted(cell) ?? "");
    element.dataset.cell = cell.name;
    return element;
  }

  #button(cell: Placed, slot: BoardSlot | null = null): HTMLButtonElement {
    const made = h("button", { class: cell.toggle ? "place toggle" : "place", tabIndex: this.#shown.length === 0 ? 0 : -1 });
    made.dataset.cell = cell.name;
    made.dataset.shown = String(this.#shown.length);
    if (slot?.value != null) made.dataset.value = cell.values[slot.value]?.[0];
    const longest = slot?.value != null ? Math.max(1, slot.label.length) : Math.max(1, ...cell.values.map((_, option) => shownValue(cell, option, ["✓", "–"]).length));
    made.style.setProperty("--length", String(Math.min(longest, 14)));
    this.#shown.push({ cell, element: made, slot });
    return made;
  }

  /** The element of a cell. A cell with an element for each value has that of the chosen value. */
  #elementOf(number: number): HTMLButtonElement | undefined {
    const all = this.#shown.filter(({ cell }) => cell.number === number);
    const chosen = this.#cells[number] && this.#state(this.#cells[number])[1];
    return (all.find(({ slot }) => slot?.value == null || slot.value === chosen) ?? all[0])?.element;
  }

  /** The values that are not ruled out. */
  #open(cell: Placed): number[] {
    const possible = this.#told(cell);
    return cell.values.map((_, option) => option).filter((option) => possible?.[option] !== false);
  }

  /** The possible values of a cell, if they are shown. */
  #told({ number }: Placed): (boolean | null)[] | undefined {
    return this.#showsPossible ? this.#possible[number] : undefined;
  }

  /** The origin of the value of a cell, and the value. */
  #state(cell: Placed): [State, number | undefined] {
    const fixed = this.#fixed(cell);
    if (fixed !== undefined) return ["fixed", fixed];
    const set = this.#set.get(cell.number);
    if (set !== undefined) return ["set", set];
    const chosen = this.#chosen[cell.number];
    if (chosen != null) return ["found", chosen];
    const open = this.#open(cell);
    return this.#possible.length > 0 && open.length === 1 ? ["forced", open[0]] : ["open", undefined];
  }

  #paint(): void {
    // The cells are about to be drawn, and then painted.
    if (this.#drawing !== undefined) return;
    const seen = new Set<string>();
    for (const { cell, element, slot } of this.#shown) {
      let [state, chosen] = this.#state(cell);
      const isClash = this.#clash.has(cell.number);
      // A slot for one of several values shows only this value.
      const own = cell.toggle ? undefined : (slot?.value ?? undefined);
      const isOther = own !== undefined && chosen !== own;
      const isOut = isOther && this.#told(cell)?.[own] === false;
      if (isOther) [state, chosen] = ["open", undefined];
      const mark = this.#marks.get(cell.number);
      const isShown = !isOther && chosen !== undefined;
      const says = cell.toggle && chosen !== undefined && isYes(cell, chosen) ? "is-yes" : "";
      const clashes = isClash && (own === undefined || isShown);
      if (state !== "open") seen.add(state);
      if (clashes) seen.add("clash");
      const classes = [element.className.replace(/ is-\w+/g, ""), `is-${state}`, clashes && "is-clash", mark && !isOther && `is-${mark}`, isOut && "is-out", says].filter(Boolean).join(" ");
      const where = [this.#title(cell), ...cell.labels, ...(own !== undefined ? [shownValue(cell, own, [words.yes, words.no])] : [])].join(", ");
      const what = isOut ? words.impossible : chosen === undefined ? words.openCell : shownValue(cell, chosen, [words.yes, words.no]);
      const how = { fixed: words.fixed, set: words.set, found: words.found, forced: words.forced, open: "" }[state];
      const label = [`${where}: ${what}`, how, clashes && words.clash].filter(Boolean).join(", ");
      // Most elements do not change.
      if (element.className === classes && element.getAttribute("aria-label") === label) continue;
      element.replaceChildren(this.#look(cell, slot, chosen, state));
      element.className = classes;
      element.setAttribute("aria-label", label);
      element.title = [slot?.label && chosen !== undefined ? shownValue(cell, chosen, [words.yes, words.no]) : "", how, clashes && words.clash].filter(Boolean).join(", ");
      const [fill, ink] = (chosen !== undefined && (slot?.paints?.[chosen] ?? this.#toneOf(cell, chosen))) || ["", ""];
      element.style.setProperty("--fill", fill);
      element.style.setProperty("--ink-on-fill", ink);
      element.classList.toggle("is-toned", fill !== "");
    }
    const item = (state: string, text: string) => h("li", {}, h("span", { class: `sample is-${state}` }), text);
    const meanings = { fixed: words.fixed, set: words.set, found: words.found, forced: words.forced, clash: words.clash };
    // A legend of a single style would be noise.
    this.#legend.replaceChildren(...(seen.size < 2 ? [] : [...STATES, "clash" as const].filter((state) => seen.has(state)).map((state) => item(state, meanings[state as keyof typeof meanings]))));
  }

  /** The colour of a value in a table, if the model wants one. */
  #toneOf(cell: Placed, option: number): [string, string] | null {
    const { axes, by } = this.#tonesOf.get(cell.number) ?? {};
    const tone = axes && by !== undefined ? axes.tone(cell, option, by) : null;
    return tone === null || (cell.toggle && !isYes(cell, option)) ? null : [hue(tone), "inherit"];
  }

  /** The contents of a slot. */
  #look(cell: Placed, slot: BoardSlot | null, chosen: number | undefined, state: State): Node | string {
    if (chosen !== undefined && slot?.mark === "queen" && chosen === slot.value)
      return drawn("svg", { viewBox: "0 0 45 45", class: "queen", "aria-hidden": "true" }, drawn("path", { d: this.#stage?.queen ?? "" }));
    if (slot?.label) return slot.label;
    if (chosen === undefined) return "";
    if (slot?.mark === "tick") return "✓";
    // A filled square needs no sign, nor does an empty one that the solver has found; a square that was set to stay
    // empty needs one.
    if (slot?.mark === "fill" && cell.toggle && (state === "found" || isYes(cell, chosen))) return "";
    if (slot?.mark === "dot" && cell.toggle) return isYes(cell, chosen) ? "●" : state === "found" ? "" : "–";
    return shownValue(cell, chosen, ["✓", "–"]);
  }

  // ---- Actions ----

  #click({ cell, element, slot }: Shown): void {
    if (this.#fixed(cell) !== undefined) return;
    const set = this.#set.get(cell.number);
    if (!cell.toggle && slot?.value != null) {
      if (set === slot.value) this.#choose(cell, null);
      else if (this.#told(cell)?.[slot.value] === false) this.#offer(cell, element, slot.value);
      else this.#choose(cell, slot.value);
      return;
    }
    if (!cell.toggle) {
      this.#offer(cell, element);
      return;
    }
    // Cycle through yes, no and open.
    const yes = cell.values.findIndex((_, option) => isYes(cell, option));
    const no = cell.values.findIndex((_, option) => !isYes(cell, option));
    const next = set === undefined ? yes : set === yes ? no : null;
    if (next !== null && this.#told(cell)?.[next] === false) this.#offer(cell, element);
    else this.#choose(cell, next);
  }

  #offered: Placed | null = null;
  /** The only value in the menu, if it has only one. */
  #offeredOption: number | null = null;

  /** Opens the menu of a cell's values, or of only one of them. */
  #offer(cell: Placed, element: HTMLElement, only: number | null = null): void {
    const wasOpen = this.#offered === cell && this.#offeredOption === only;
    this.#close();
    if (wasOpen) return;
    this.#offered = cell;
    this.#offeredOption = only;
    this.#typed.cell = -1;
    this.#menu = h("div", { class: "offer", tabIndex: -1, role: "group", "aria-label": words.chooseFor([this.#title(cell), ...cell.labels].join(", ")) });
    this.#refreshMenu();
    this.element.append(this.#menu);
    const [here, there] = [element.getBoundingClientRect(), this.element.getBoundingClientRect()];
    const width = this.#menu.offsetWidth;
    this.#menu.style.left = `${Math.max(0, Math.min(here.left - there.left, there.width - width))}px`;
    this.#menu.style.top = `${here.bottom - there.top + 4}px`;
    this.#menu.querySelector<HTMLElement>(".is-current, button, input")?.focus();
  }

  #refreshMenu(): void {
    const [menu, cell] = [this.#menu, this.#offered];
    if (!menu || !cell) return;
    const active = (document.activeElement as HTMLElement | null)?.dataset.option;
    const possible = this.#told(cell);
    const set = this.#set.get(cell.number);
    const choose = (option: number | null) => {
      this.#close();
      this.#elementOf(cell.number)?.focus();
      this.#choose(cell, option);
    };
    const many = cell.values.length > MOST_BUTTONS;
    const item = (option: number) => {
      const shown = shownValue(cell, option, [words.yes, words.no]);
      const out = possible?.[option] === false;
      const one = h("button", { class: `value${out ? " is-out" : ""}${option === set ? " is-current" : ""}`, onclick: () => choose(option) }, shown);
      one.dataset.option = String(option);
      if (!out) return one;
      one.title = words.impossible;
      one.setAttribute("aria-label", `${shown}, ${words.impossible}`);
      const ask = h("button", { class: "ask", title: words.whyNot(shown), "aria-label": words.whyNot(shown) }, "?");
      ask.addEventListener("click", () => {
        this.#close();
        this.#elementOf(cell.number)?.focus();
        this.hooks.whyNot(cell.values[option]?.[1] ?? "", this.#sentence(cell, option));
      });
      return h("span", { class: "with-ask" }, one, ask);
    };
    const typed = () => {
      const shown = cell.values.map((_, option) => shownValue(cell, option, [words.yes, words.no]));
      const input = h("input", { type: "text", "aria-label": words.otherValue, placeholder: `${shown[0]} … ${shown.at(-1)}` });
      input.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        // Accept a tuple with its parentheses, too.
        const text = input.value.trim();
        const option = shown.findIndex((one) => one === text || squeezed(`(${one})`) === squeezed(text));
        if (option >= 0) choose(option);
        else input.setAttribute("aria-invalid", "true");
      });
      input.addEventListener("input", () => input.removeAttribute("aria-invalid"));
      return [input];
    };
    const only = this.#offeredOption;
    const values = only !== null ? [item(only)] : many ? typed() : cell.values.map((_, option) => item(option));
    menu.replaceChildren(...values, set === undefined ? "" : button(words.leaveOpen, "small quiet", () => choose(null)));
    if (active) menu.querySelector<HTMLElement>(`[data-option="${active}"]`)?.focus();
  }

  // ---- Dragging values from cell to cell; the menu and the keys do the same ----

  #shownAt(element: Element | null): Shown | undefined {
    const place = element?.closest<HTMLElement>("button.place");
    return place && this.element.contains(place) ? this.#shown[Number(place.dataset.shown)] : undefined;
  }

  /** The cell of an element. */
  #cellAt(element: Element | null): Placed | undefined {
    return this.#shownAt(element)?.cell;
  }

  /** The value of another cell that has the same text. */
  #same(from: Placed, option: number, to: Placed): number | undefined {
    const shown = (cell: Placed, one: number) => shownValue(cell, one, ["yes", "no"]);
    const found = to.values.findIndex((_, one) => shown(to, one) === shown(from, option));
    return found < 0 ? undefined : found;
  }

  /**
   * The settings that move a value to another cell, and swap if that has a value; `null` if one of them cannot take it.
   */
  #moved(from: Placed, to: Placed): [cell: number, option: number | null][] | null {
    const [[, option], [, old]] = [this.#state(from), this.#state(to)];
    if (option === undefined || from.variable !== to.variable || this.#fixed(from) !== undefined || this.#fixed(to) !== undefined) return null;
    const there = this.#same(from, option, to);
    if (there === undefined || there === old) return null;
    const no = from.values.findIndex((_, one) => !isYes(from, one));
    // A member that leaves a set is set to "no" there; any other cell gets the old value, or becomes open.
    const back = from.toggle ? no : old === undefined ? null : (this.#same(to, old, from) ?? null);
    return [
      [to.number, there],
      [from.number, back],
    ];
  }

  /** Handles a pressed mouse button on a cell; its next moves decide if it drags the value. */
  #grasp(event: PointerEvent): void {
    const { cell: from, slot } = this.#shownAt(event.target as Element) ?? {};
    const [, option] = from ? this.#state(from) : [];
    // If each value has its own slot, a click is enough.
    if (slot && slot.value !== null && !from?.toggle) return;
    // Touch scrolls.
    if (event.button !== 0 || event.pointerType === "touch" || !from || option === undefined || (from.toggle && !isYes(from, option))) return;
    const [x, y] = [event.clientX, event.clientY];
    const targets = this.#cells.filter((to) => to !== from && this.#moved(from, to));
    const shown = h("div", { class: "dragged", "aria-hidden": "true" }, shownValue(from, option, ["✓", "–"]));
    const ended = new AbortController();
    const { signal } = ended;
    let over: HTMLElement | undefined;
    const enter = (next: HTMLElement | undefined) => {
      over?.classList.remove("over");
      over = next;
      over?.classList.add("over");
    };
    const move = (at: PointerEvent) => {
      if (!shown.isConnected && Math.hypot(at.clientX - x, at.clientY - y) < DRAGGED) return;
      if (!shown.isConnected) {
        this.#close();
        this.element.append(shown);
        for (const { number } of targets) this.#elementOf(number)?.classList.add("target");
      }
      shown.style.left = `${at.clientX}px`;
      shown.style.top = `${at.clientY}px`;
      const to = this.#cellAt(document.elementFromPoint(at.clientX, at.clientY));
      enter(to && targets.includes(to) ? this.#elementOf(to.number) : undefined);
    };
    const end = () => {
      const to = this.#cellAt(over ?? null);
      const isDragged = shown.isConnected;
      ended.abort();
      shown.remove();
      enter(undefined);
      for (const { element } of this.#shown) element.classList.remove("target");
      return isDragged ? to : undefined;
    };
    document.addEventListener("pointermove", move, { signal });
    document.addEventListener("pointercancel", end, { signal });
    document.addEventListener("keydown", ({ key }) => key === "Escape" && end(), { signal });
    document.addEventListener(
      "pointerup",
      () => {
        // Swallow the click that follows the drop.
        if (shown.isConnected) {
          const swallow = (click: Event) => click.stopPropagation();
          this.element.addEventListener("click", swallow, { capture: true, once: true });
          setTimeout(() => this.element.removeEventListener("click", swallow, { capture: true }), 0);
        }
        const to = end();
        const settings = to && this.#moved(from, to);
        if (!to || !settings) return;
        this.choose(settings, `cell ${to.name}`);
        this.#elementOf(to.number)?.focus();
      },
      { signal },
    );
  }

  #close(): void {
    const menu = this.#menu;
    // Clear the field first: removing the menu takes the focus from it, which calls this method again.
    this.#menu = null;
    this.#offered = this.#offeredOption = null;
    menu?.remove();
    if (menu && this.#drawsLater) this.#draw();
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const inMenu = this.#menu?.contains(event.target as Node);
    if (event.key === "Escape" && this.#menu) {
      const cell = this.#offered;
      this.#close();
      if (cell) this.#elementOf(cell.number)?.focus();
      event.preventDefault();
      return;
    }
    if (event.key.startsWith("Arrow")) {
      const all = inMenu ? [...(this.#menu?.querySelectorAll<HTMLElement>("button") ?? [])] : this.#shown.map(({ element }) => element);
      const place = (element: HTMLElement) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2, element };
      };
      const here = event.target as HTMLElement;
      const target = nearest(place(here), all.filter((one) => one !== here).map(place), event.key);
      if (!target) return;
      event.preventDefault();
      target.element.focus();
      return;
    }
    const isText = event.key.length === 1 && event.key !== " ";
    if (inMenu) {
      if (this.#offered && isText && !(event.target instanceof HTMLInputElement)) this.#type(this.#offered, event.key);
      return;
    }
    const at = this.#cellAt(event.target as Element);
    if (!at || this.#fixed(at) !== undefined) return;
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      if (this.#set.has(at.number)) this.#choose(at, null);
    } else if (isText && !at.toggle) this.#type(at, event.key);
  }

  /**
   * Sets a cell by typing on it or in its menu, as soon as only one value fits. In the menu, Enter chooses the match so
   * far.
   */
  #type(cell: Placed, key: string): void {
    const now = performance.now();
    const shown = cell.values.map((_, option) => shownValue(cell, option, [words.yes, words.no]).toLowerCase());
    const { cell: before, text, at } = this.#typed;
    const longer = (text + key).toLowerCase();
    const goesOn = before === cell.number && now - at < 900 && shown.some((one) => one.startsWith(longer));
    const wanted = goesOn ? longer : key.toLowerCase();
    this.#typed = { cell: cell.number, text: wanted, at: now };
    const exact = shown.indexOf(wanted);
    const beginning = shown.flatMap((one, option) => (one.startsWith(wanted) ? [option] : []));
    const option = exact >= 0 ? exact : beginning.length === 1 ? beginning[0] : undefined;
    const menu = this.#menu;
    if (menu && (option === undefined || beginning.length > 1)) {
      // If nothing matches, focus the menu itself: Enter must not choose an unrelated value.
      const typed = menu.querySelector<HTMLElement>(`[data-option="${option ?? beginning[0]}"]`);
      (typed ?? menu).focus();
      return;
    }
    this.#close();
    if (menu) this.#elementOf(cell.number)?.focus();
    if (option !== undefined) this.#choose(cell, option);
  }
}
