// The model as blocks. The text is the only state: a change of a block rewrites the characters of its part, and each
// change of the text lays out the blocks again. The engine decides which block fits where.

import * as Blockly from "blockly/core";
import * as messages from "blockly/msg/en";
import type { EditsResult, FitResult, OperatorsResult, Request, TreeResult } from "../../../npm/src/protocol";
import { announce, button, dialog, h } from "../dom";
import { ask } from "../engine";
import { texts } from "../texts";
import { alternatives, alternativeWords, bindings, type Form, forms } from "./forms";
import { addElement, type Bindings, hasLines, hasUnread, HOLE, label, type Piece, type Pieces, read, removeElement, type Shape, type Slot, type Sort, withLooseComments, write, writeModel } from "./shapes";

export interface BlockHooks {
  text(): string;
  /** Takes a new text of the model. */
  change(text: string): void;
  request(verb: string): Request;
}

interface Shaped extends Blockly.BlockSvg {
  shape: Shape;
}

/**
 * Colours that give white letters enough contrast in both themes. The second one is for a block inside a block of the
 * same kind.
 */
const COLOURS = {
  statement: ["#6d4a22", "#6d4a22"],
  domain: ["#5b4b8a", "#7460ab"],
  bool: ["#1f6b45", "#2f7f57"],
  int: ["#1d5f93", "#2f75ad"],
  other: ["#7d3c5d", "#984f75"],
} as const;
const HOLE_COLOUR = "#6b6f76";

type Tone = keyof typeof COLOURS;
const toneOf = ({ sort, type, kind }: Shape): Tone => {
  if (sort !== "expression") return sort;
  if (type === "bool") return "bool";
  if (/^int(:|$)/.test(type)) return "int";
  return kind === "quantified" && !type ? "bool" : "other";
};

/** The shapes of Zelos: hexagons for Booleans, round ends for numbers, squares for all others. */
const outlineOf = ({ sort, type }: Shape): number => (sort === "domain" ? 3 : type === "bool" ? 1 : /^int(:|$)/.test(type) ? 2 : 3);

/** Longer texts of a part are shortened. */
const LONGEST = 60;
const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

const isShaped = (block: Blockly.Block | null): block is Shaped => block !== null && "shape" in block && block.shape !== undefined;
const inputOf = (at: number): string => `part ${at}`;
/** The slot after the last constraint, for a new one. */
const FURTHER = "further";

// ---- Blockly ----

let operators: OperatorsResult["operators"] = [];
let binds: Bindings = () => null;
/** The pane that the callbacks of Blockly refer to. */
let pane: BlocksPane | undefined;

function build(block: Shaped, shape: Shape): void {
  block.shape = shape;
  block.setInputsInline(true);
  if (shape.sort === "statement") {
    block.setPreviousStatement(true, "statement");
    block.setNextStatement(true, "statement");
  } else block.setOutput(true, shape.sort);
  block.addClass(`block-${shape.sort}`);
  block.setColour(COLOURS[toneOf(shape)][0]);
  if (shape.sort !== "statement") block.setOutputShape(outlineOf(shape));
  let fields: Blockly.Field[] = [];
  const flush = (input: Blockly.Input) => {
    for (const field of fields) input.appendField(field, field.name);
    fields = [];
    return input;
  };
  const comment = (text: string) => {
    if (fields.length > 0) flush(block.appendEndRowInput());
    block.appendEndRowInput().appendField(new Blockly.FieldLabel(shortened(text), "block-comment"));
  };
  if (shape.sort === "statement") {
    const { comment: above } = label(shape.lead ?? "");
    if (above) comment(above);
  }
  const parentheses = shape.word !== "tuple" && shape.sort === "expression" && /^\(/.test(shape.glue[0] ?? "") && /\)$/.test(shape.glue.at(-1) ?? "");
  const last = shape.slots.findLastIndex(({ listed }) => listed);
  for (const [at, glue] of shape.glue.entries()) {
    const lines = hasLines(shape);
    // A comment after a constraint on its line belongs to that constraint, not to this one.
    const { comment: says, breaks, ...rest } = label(lines && at > 0 ? glue.slice(glue.indexOf("\n") + 1 || glue.length) : glue);
    let { text } = rest;
    if (parentheses && at === 0) text = text.replace(/^\(/, "");
    if (parentheses && at === shape.glue.length - 1) text = text.replace(/\)$/, "");
    if (lines) text = text.replace(/^,/, "").trim();
    if (text) fields.push(fieldFor(shape, text.trim(), at));
    if (lines && at === 0) flush(block.appendEndRowInput());
    else if (breaks && !lines && at > 0 && at < shape.glue.length - 1 && block.inputList.length > 0) block.appendEndRowInput();
    const slot = shape.slots[at];
    if (says && lines) comment(says);
    if (!slot) break;
    if (slot.sort === "declaration") fields.push(nameField(at, slot));
    else {
      flush(block.appendValueInput(inputOf(at))).setCheck(slot.sort);
      if (lines) {
        const { comment: behind } = label(/^[^\n]*/.exec(shape.glue[at + 1] ?? "")?.[0] ?? "");
        if (behind) comment(behind);
        else block.appendEndRowInput();
      }
    }
    // Calls and indexing have a fixed number of operands, so they get no `+`.
    if (at === last && !lines && shape.word !== "[]" && shape.word !== "()") fields.push(moreField(block));
  }
  if (hasLines(shape)) {
    const further = block.appendValueInput(FURTHER).setCheck("expression");
    further.connection?.setShadowState(hole("expression"));
  }
  if (fields.length > 0 || block.inputList.length === 0) flush(block.appendDummyInput());
}

/** The field for the characters between parts: a menu if other words can replace them, an input for a number. */
function fieldFor(shape: Shape, text: string, at: number): Blockly.Field {
  const choose = (words: string[]) => {
    const field = new Blockly.FieldDropdown(words.map((word): [string, string] => [word, word]));
    field.setValue(text);
    field.name = "word";
    field.setValidator((word: string) => {
      if (word === shape.word) return word;
      const block = field.getSourceBlock();
      if (isShaped(block)) pane?.changeWord(block, word);
      return null;
    });
    return field;
  };
  if (shape.kind === "literal" && /^\d+$/.test(text)) {
    const field = new Blockly.FieldTextInput(text, (typed: string) => (/^\d+$/.test(typed.trim()) ? typed.trim() : null));
    field.name = "number";
    return field;
  }
  if (shape.kind === "literal" && text === shape.word) return choose(["true", "false"]);
  if (text === shape.word && (shape.kind === "operator" || shape.kind === "quantified")) {
    const words = shape.kind === "operator" ? alternatives(operators, text, shape.slots.length) : alternativeWords(text);
    if (words.length > 1) return choose(words);
  }
  return new Blockly.FieldLabel(shortened(text), at === 0 && shape.sort === "statement" ? "block-keyword" : "");
}

function nameField(at: number, slot: Slot): Blockly.Field {
  const field = new Blockly.FieldTextInput(slot.name, (typed: string) => (/^[\p{L}_][\p{L}\p{N}_']*$/u.test(typed.trim()) ? typed.trim() : null));
  field.name = `name ${at}`;
  return field;
}

const PLUS = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Cpath d='M12 5v14M5 12h14' stroke='white' stroke-width='2.4' stroke-linecap='round'/%3E%3C/svg%3E";

/** The button that adds an element to a list. */
function moreField(block: Shaped): Blockly.Field {
  return new Blockly.FieldImage(PLUS, 22, 22, texts.blocks.more, () => pane?.addTo(block));
}

const hole = (sort: Sort): Blockly.serialization.blocks.State => ({ type: "hole", extraState: sort });

/** A block that saves its shape, so that copies have it. */
const shaped = {
  saveExtraState(this: Shaped): Shape {
    return shapeOf(this);
  },
  loadExtraState(this: Shaped, shape: Shape): void {
    build(this, structuredClone(shape));
  },
};

/** The current shape of a block; the user may have typed numbers and names. */
function shapeOf(block: Shaped): Shape {
  const number = block.getFieldValue("number") as string | null;
  const shape = { ...block.shape, slots: block.shape.slots.map((slot) => ({ ...slot })) };
  if (number !== null) Object.assign(shape, { word: number, glue: shape.glue.map((glue) => glue.replace(/\d+/, number)) });
  return shape;
}

function stateOf({ shape, parts }: Piece): Blockly.serialization.blocks.State {
  const inputs: Record<string, Blockly.serialization.blocks.ConnectionState> = {};
  for (const [at, slot] of shape.slots.entries()) {
    const inner = parts[at];
    if (slot.sort !== "declaration") inputs[inputOf(at)] = { shadow: hole(slot.sort), ...(inner ? { block: stateOf(inner) } : {}) };
  }
  return { type: shape.sort, extraState: shape as unknown as Record<string, unknown>, inputs };
}

/** Lets a block into a socket only if the engine says that it fits. */
class Fitting extends Blockly.ConnectionChecker {
  override doTypeChecks(a: Blockly.Connection, b: Blockly.Connection): boolean {
    if (!super.doTypeChecks(a, b)) return false;
    const socket = a.type === Blockly.ConnectionType.INPUT_VALUE ? a : b.type === Blockly.ConnectionType.INPUT_VALUE ? b : null;
    return socket === null || !pane || pane.accepts(socket);
  }
}

let isReady = false;

/** Registers the blocks with Blockly, and the checker of connections. */
function prepare(): void {
  if (isReady) return;
  isReady = true;
  Blockly.setLocale(messages as unknown as Record<string, string>);
  for (const sort of ["statement", "expression", "domain"]) Blockly.Blocks[sort] = shaped;
  Blockly.Blocks.hole = {
    init(this: Blockly.BlockSvg) {
      this.appendDummyInput().appendField(new Blockly.FieldImage(PLUS, 26, 26, texts.blocks.choose, () => pane?.fill(this)));
      this.setOutput(true);
      this.setOutputShape(2);
      this.setColour(HOLE_COLOUR);
      this.addClass("block-hole");
    },
    saveExtraState(this: Blockly.BlockSvg) {
      return this.outputConnection?.getCheck()?.[0] ?? "expression";
    },
    loadExtraState(this: Blockly.BlockSvg, sort: string) {
      this.setOutput(true, sort);
      this.setTooltip(texts.blocks.choose);
    },
  };
  Blockly.registry.register(Blockly.registry.Type.CONNECTION_CHECKER, "fitting", Fitting);
}

/** Runs a function that creates style elements, and gives these the nonce of the page's policy. */
function withStyles<Result>(make: () => Result): Result {
  const create = document.createElement;
  document.createElement = function (this: Document, name: string, options?: ElementCreationOptions) {
    const made = create.call(this, name, options);
    if (made instanceof HTMLStyleElement) made.nonce = "styles-of-the-editor";
    return made;
  } as typeof document.createElement;
  try {
    return make();
  } finally {
    document.createElement = create;
  }
}

// ---- The pane ----

export class BlocksPane {
  readonly element: HTMLElement;
  readonly #canvas = h("div", { class: "canvas" });
  /** Covers the blocks while the text has parts that blocks cannot show. */
  readonly #unread = h("p", { class: "unread", role: "status", hidden: true }, texts.blocks.unread);
  readonly #bar = h("div", { class: "block-bar", role: "toolbar", "aria-label": texts.blocks.bar });
  readonly #delete = button(texts.blocks.delete, "quiet small", () => this.#deleteSelected());
  readonly #replace = button(texts.blocks.replace, "quiet small", () => void this.#replaceSelected());
  #workspace: Blockly.WorkspaceSvg | undefined;
  #forms: Form[] = [];
  /** The pieces of the forms, by their texts. */
  #made = new Map<string, Piece>();
  #pieces: Pieces = { head: "", statements: [], foot: "" };
  /** The text of the last request to the engine. */
  #text: string | null = null;
  /**
   * The text that the blocks show, or `null` while they are out of date. Blocks of another text must not be written.
   */
  #shown: string | null = null;
  #isDragging = false;
  /** The sockets for the dragged block; `null` until the engine has answered. */
  #allowed: Set<string> | null = null;
  #round = 0;

  constructor(readonly hooks: BlockHooks) {
    const add = button(texts.blocks.add, "secondary small", () => this.#addStatement());
    this.#bar.append(add, this.#replace, this.#delete);
    this.element = h("div", { class: "blocks" }, this.#canvas, this.#unread, this.#bar);
    this.#select(null);
    pane = this;
  }

  /** Shows the current text. */
  async show(): Promise<void> {
    const text = this.hooks.text();
    if (this.#workspace && text === this.#text) return this.#resize();
    if (!this.#workspace) await this.#open();
    await this.#lay();
  }

  #resize(): void {
    if (this.#workspace) Blockly.svgResize(this.#workspace);
  }

  async #open(): Promise<void> {
    const table = await ask<OperatorsResult>({ verb: "operators" });
    if (table?.type !== "result" || this.#workspace) return;
    operators = table.operators;
    binds = bindings(operators);
    this.#forms = forms(operators);
    await this.#makeForms();
    prepare();
    const isNarrow = this.#canvas.clientWidth < 620;
    this.#workspace = withStyles(() =>
      Blockly.inject(this.#canvas, {
        renderer: "zelos",
        plugins: { connectionChecker: "fitting" },
        media: "data:,",
        sounds: false,
        trashcan: false,
        // On a narrow screen, blocks are chosen from dialogs instead.
        ...(isNarrow ? {} : { toolbox: this.#toolbox() }),
        move: { drag: true, wheel: true, scrollbars: true },
        zoom: { pinch: true, wheel: false, startScale: isNarrow ? 0.62 : 0.68, minScale: 0.3, maxScale: 1.6 },
      }),
    );
    // Undo belongs to the text.
    this.#workspace.MAX_UNDO = 0;
    this.#workspace.addChangeListener((event) => this.#heard(event));
    new ResizeObserver(() => this.#resize()).observe(this.#canvas);
  }

  /** Has the engine parse all forms in one text. */
  async #makeForms(): Promise<void> {
    const written = this.#forms.map(({ text, sort }, at) =>
      sort === "statement" ? text : `letting form${at} be ${sort === "domain" ? "domain " : ""}${text}`,
    );
    const text = written.join("\n");
    const tree = await ask<TreeResult>({ verb: "tree", model: { name: "forms.essence", text } }, "tree of forms");
    if (tree?.type !== "result") return;
    const { statements } = read(text, tree);
    for (const [at, statement] of statements.entries()) {
      const form = this.#forms[at];
      const made = form?.sort === "statement" ? statement : statement.parts.at(-1);
      if (!form || !made) continue;
      const { lead: _lead, tail: _tail, after: _after, id: _id, ...shape } = made.shape;
      this.#made.set(form.text, { shape, parts: made.parts });
    }
  }

  #toolbox(): Blockly.utils.toolbox.ToolboxDefinition {
    const families = [...new Set(this.#forms.map(({ family }) => family))];
    const categories = families.map((name) => {
      const made = this.#forms.filter(({ family }) => family === name).map(({ text }) => this.#made.get(text));
      return { kind: "category", name, contents: made.filter((one) => one !== undefined).map((one) => ({ kind: "block", ...stateOf(one) })) };
    });
    const names = { kind: "category", name: texts.blocks.families.names, custom: "NAMES" };
    return { kind: "categoryToolbox", contents: [...categories.slice(0, 1), names, ...categories.slice(1)] } as Blockly.utils.toolbox.ToolboxDefinition;
  }

  // ---- From the text to the blocks ----

  /** Parses the current text, and lays out its blocks. */
  async #lay(): Promise<void> {
    const text = this.hooks.text();
    this.#text = text;
    this.element.ariaBusy = "true";
    const tree = await ask<TreeResult>({ ...this.hooks.request("tree"), text: this.hooks.request("tree").model?.name }, "tree of the blocks");
    const workspace = this.#workspace;
    if (tree?.type !== "result" || !workspace || this.#text !== text || this.#isDragging) return;
    this.#unread.hidden = !hasUnread(text, tree);
    if (!this.#unread.hidden) {
      this.#shown = null;
      this.element.ariaBusy = "false";
      return;
    }
    const pieces = read(text, tree);
    const old = this.#stack();
    this.#pieces = pieces;
    this.#registerNames();
    if (this.#shown !== null && old.length === pieces.statements.length && old.every((block, at) => this.#agrees(block, pieces.statements[at] as Piece))) {
      old.forEach((block, at) => this.#refresh(block, pieces.statements[at] as Piece));
      this.#settle();
      return;
    }
    Blockly.Events.disable();
    try {
      const states = pieces.statements.map(stateOf);
      dispose(old);
      const whole = states.reduceRight<Blockly.serialization.blocks.State | undefined>((next, one) => ({ ...one, ...(next ? { next: { block: next } } : {}) }), undefined);
      if (whole) Blockly.serialization.blocks.append({ ...whole, x: 24, y: 24 }, workspace);
    } finally {
      Blockly.Events.enable();
    }
    this.#select(null);
    this.#settle();
  }

  #registerNames(): void {
    const declared = new Map<string, string>();
    const walk = ({ shape, parts }: Piece) => {
      for (const { sort, name } of shape.slots) if (sort === "declaration") declared.set(name, declared.get(name) ?? "");
      if (shape.kind === "name" && shape.type) declared.set(shape.word, shape.type);
      for (const part of parts) if (part) walk(part);
    };
    this.#pieces.statements.forEach(walk);
    this.#names = declared;
    const names = [...declared].map(([name, type]) => ({ kind: "block", ...stateOf(named(name, type)) }) as Blockly.utils.toolbox.FlyoutItemInfo);
    if (this.#workspace?.getToolbox()) this.#workspace.registerToolboxCategoryCallback("NAMES", () => names);
  }

  /** The declared names, with their types if known. */
  #names = new Map<string, string>();

  /** True if a block already shows a piece, apart from layout and types. */
  #agrees(block: Shaped, { shape, parts }: Piece): boolean {
    const own = shapeOf(block);
    const isSame = own.sort === shape.sort && own.kind === shape.kind && own.word === shape.word && own.slots.length === shape.slots.length;
    return isSame && own.glue.every((glue, at) => label(glue).text === label(shape.glue[at] ?? "").text && label(glue).comment === label(shape.glue[at] ?? "").comment) &&
      own.slots.every((slot, at) => slot.name === shape.slots[at]?.name && slot.sort === shape.slots[at]?.sort) &&
      (own.sort !== "statement" || label(own.lead ?? "").comment === label(shape.lead ?? "").comment) &&
      parts.every((part, at) => {
        const inner = this.#inner(block, at);
        return part ? inner !== null && this.#agrees(inner, part) : inner === null;
      });
  }

  #refresh(block: Shaped, { shape, parts }: Piece): void {
    block.shape = shape;
    if (shape.sort !== "statement" && block.getOutputShape() !== outlineOf(shape)) {
      block.setOutputShape(outlineOf(shape));
      block.queueRender();
    }
    for (const [at, part] of parts.entries()) {
      const inner = this.#inner(block, at);
      if (part && inner) this.#refresh(inner, part);
    }
  }

  // ---- From the blocks to the text ----

  /** The statements in the order of the canvas. */
  #stack(): Shaped[] {
    const tops = this.#workspace?.getTopBlocks(true) ?? [];
    const made: Shaped[] = [];
    for (const top of tops) {
      for (let block: Blockly.Block | null = top; isShaped(block) && block.shape.sort === "statement"; block = block.getNextBlock()) made.push(block);
    }
    return made;
  }

  #inner(block: Shaped, at: number): Shaped | null {
    const inner = block.getInputTargetBlock(inputOf(at));
    return isShaped(inner) ? inner : null;
  }

  /** The piece of a block; records the block of each piece. */
  #piece(block: Shaped, blocks: Map<Piece, Shaped>): Piece {
    const shape = shapeOf(block);
    const parts = shape.slots.map((slot, at) => {
      const inner = slot.sort === "declaration" ? null : this.#inner(block, at);
      return inner && this.#piece(inner, blocks);
    });
    const made = { shape, parts };
    blocks.set(made, block);
    return made;
  }

  /** The model that the blocks show. */
  #model(blocks = new Map<Piece, Shaped>()): Pieces {
    return { ...this.#pieces, statements: this.#stack().map((block) => this.#piece(block, blocks)) };
  }

  #heard(event: Blockly.Events.Abstract): void {
    if (event instanceof Blockly.Events.BlockDrag) {
      this.#isDragging = event.isStart ?? false;
      if (this.#isDragging) void this.#ask(event.blockId ?? "");
      else queueMicrotask(() => this.#dropped());
    } else if (event instanceof Blockly.Events.Selected) this.#select(event.newElementId ?? null);
    else if (event instanceof Blockly.Events.BlockChange && event.element === "field" && event.name?.startsWith("name ")) this.#rename(event);
    else if (!event.isUiEvent && !this.#isDragging) queueMicrotask(() => this.#changed());
  }

  #dropped(): void {
    if (this.#shown === null) void this.#lay();
    else this.#changed();
    this.#allowed = null;
  }

  /** Writes the text of the blocks. A list loses removed elements, and gets the ones that were put after it. */
  #changed(): void {
    if (!this.#workspace || this.#isDragging || this.#shown !== this.hooks.text()) return;
    let isTidied = false;
    const blocks = new Map<Piece, Shaped>();
    const model = this.#model(blocks);
    const tidy = (one: Piece): Piece => {
      const block = blocks.get(one);
      let made: Piece = { shape: one.shape, parts: one.parts.map((part) => part && tidy(part)) };
      for (let at = made.parts.length - 1; at >= 0; at--) {
        const wasFilled = block !== undefined && this.#filled.has(`${block.id} ${at}`);
        if (made.shape.slots[at]?.listed && made.parts[at] === null && wasFilled && made.shape.slots.filter(({ listed, sort }) => listed && sort !== "declaration").length > 1) {
          made = removeElement(made, at);
          isTidied = true;
        }
      }
      const further = block?.getInputTargetBlock(FURTHER) ?? null;
      if (isShaped(further)) {
        isTidied = true;
        const piece = tidy(this.#piece(further, blocks));
        const empty = made.parts.length === 1 && made.parts[0] === null;
        made = empty ? { ...made, parts: [piece] } : addElement(made, piece);
      }
      return made;
    };
    const tidied = withLooseComments(this.#pieces, { ...model, statements: model.statements.map(tidy) });
    this.#write(tidied, !isTidied && tidied.statements.length === this.#pieces.statements.length);
  }

  /**
   * The slots that were filled when the text was last read or written. A listed slot that has become empty since was
   * removed by the user.
   */
  #filled = new Set<string>();

  /** Records the filled slots, and colours the blocks. */
  #settle(): void {
    this.#shown = this.#text;
    this.#filled.clear();
    const paint = (block: Shaped, around: Tone | null, shade: 0 | 1) => {
      const tone = toneOf(block.shape);
      const own = tone === around && shade === 0 ? 1 : 0;
      if (block.getColour() !== COLOURS[tone][own]) block.setColour(COLOURS[tone][own]);
      for (const child of block.getChildren(false)) if (isShaped(child)) paint(child, child.shape.sort === "statement" ? null : tone, own);
    };
    for (const top of this.#workspace?.getTopBlocks(false) ?? []) if (isShaped(top)) paint(top, null, 0);
    // Blocks have positions only after rendering.
    const text = this.#text;
    void Blockly.renderManagement.finishQueuedRenders().then(() => {
      this.#reveal();
      if (text === this.#text) this.element.ariaBusy = "false";
    });
    for (const block of this.#workspace?.getAllBlocks(false) ?? []) {
      if (isShaped(block)) block.shape.slots.forEach((_, at) => this.#inner(block, at) && this.#filled.add(`${block.id} ${at}`));
    }
  }

  /** Writes a model. `isShown` says that the blocks show it already. */
  #write(model: Pieces, isShown = false): void {
    const { text } = writeModel(model, binds);
    if (text === this.hooks.text()) return;
    this.#text = text;
    this.#shown = isShown ? text : null;
    this.hooks.change(text);
    void this.#lay();
  }

  // ---- What fits ----

  /**
   * The text of the model with its free blocks, and the range of each slot. Free blocks become statements `letting
   * aside… be`, so that the engine gives them types.
   */
  #probe(without: Shaped | null): { text: string; places: Map<string, [number, number]> } {
    const blocks = new Map<Piece, Shaped>();
    const model = this.#model(blocks);
    const free = (this.#workspace?.getTopBlocks(false) ?? []).filter((block): block is Shaped => isShaped(block) && block.shape.sort !== "statement" && block !== without);
    const further = new Map<Piece, Shaped>();
    const statements = model.statements.map((one) => {
      const block = blocks.get(one);
      if (!block || !hasLines(one.shape)) return one;
      const made = addElement(one, null);
      blocks.set(made, block);
      further.set(made, block);
      return made;
    });
    // Free blocks are outside the model, but the engine must type them, too.
    const asides = free.map((block, at): Piece => {
      const isDomain = block.shape.sort === "domain";
      const shape: Shape = { sort: "statement", kind: "statement", word: "", type: "", slots: [{ sort: block.shape.sort, listed: false, name: "" }], glue: [`letting aside${at} be ${isDomain ? "domain " : ""}`, ""], lead: "\n" };
      return { shape, parts: [this.#piece(block, blocks)] };
    });
    const { text, slots } = writeModel({ ...model, statements: [...statements, ...asides] }, binds);
    const places = new Map<string, [number, number]>();
    for (const { piece, at, from, to } of slots) {
      const block = blocks.get(piece);
      if (!block) continue;
      const isFurther = further.has(piece) && at === piece.shape.slots.length - 1;
      places.set(`${block.id} ${isFurther ? FURTHER : inputOf(at)}`, [from, to]);
    }
    return { text, places };
  }

  async #fit(text: string, places: [number, number][], candidates: string[]): Promise<FitResult["fitting"] | null> {
    const answer = await ask<FitResult>({ verb: "fit", model: { name: "blocks.essence", text }, places, texts: candidates }, "fit of blocks");
    return answer?.type === "result" ? answer.fitting : null;
  }

  /** Asks the engine which sockets a dragged block fits. */
  async #ask(id: string): Promise<void> {
    const block = this.#workspace?.getBlockById(id) ?? null;
    this.#allowed = null;
    if (!isShaped(block) || block.shape.sort === "statement") return;
    const mine = ++this.#round;
    const { text, places } = this.#probe(block);
    const fitting = await this.#fit(text, [...places.values()], [candidate(this.#piece(block, new Map()))]);
    if (mine !== this.#round || !fitting) return;
    const fits = new Set((fitting[0] ?? []).map((place) => place.join()));
    const allowed = new Set([...places].filter(([, place]) => fits.has(place.join())).map(([key]) => key));
    if (this.#isDragging) {
      this.#allowed = allowed;
      return;
    }
    // The block was dropped before the answer arrived.
    const target = block.outputConnection?.targetConnection;
    if (!target) return;
    const key = keyOf(target);
    if (key && places.has(key) && !allowed.has(key)) {
      block.unplug(true);
      block.moveBy(40, 40);
      announce(texts.blocks.unfit);
    }
  }

  /** True if the dragged block may go into a socket. */
  accepts(socket: Blockly.Connection): boolean {
    // Until the engine has answered, every socket is allowed; a wrong drop is undone then.
    if (!this.#allowed) return true;
    const key = keyOf(socket);
    return key === null || this.#allowed.has(key);
  }

  // ---- Touch ----

  #selected: Shaped | null = null;

  #select(id: string | null): void {
    const block = id ? (this.#workspace?.getBlockById(id) ?? null) : null;
    this.#selected = isShaped(block) ? block : null;
    this.#delete.disabled = !this.#selected;
    this.#replace.disabled = !this.#selected || this.#selected.shape.sort === "statement";
  }

  /** Opens the choice for a hole. */
  fill(hole: Blockly.BlockSvg): void {
    if (!hole.isInFlyout) void this.#choose(hole.outputConnection?.targetConnection ?? null, null);
  }

  #deleteSelected(): void {
    this.#selected?.dispose(this.#selected.shape.sort === "statement");
  }

  async #replaceSelected(): Promise<void> {
    const block = this.#selected;
    if (block) await this.#choose(block.outputConnection?.targetConnection ?? null, block);
  }

  /** Opens the choice for a socket, with everything that fits there. */
  async #choose(socket: Blockly.Connection | null, old: Shaped | null): Promise<void> {
    const key = socket && keyOf(socket);
    if (!key) return;
    const { text, places } = this.#probe(null);
    const place = places.get(key);
    if (!place) return;
    const known = [...this.#names.keys()].map((name): Form => ({ text: name, sort: "expression", says: this.#names.get(name) ?? "", family: texts.blocks.families.names }));
    const around = old ? candidate(this.#piece(old, new Map())) : "";
    const wraps = old ? this.#forms.filter(({ sort, text }) => sort === "expression" && text.includes(HOLE)).map((form): Form => ({ ...form, text: form.text.replace(HOLE, around), family: texts.blocks.families.around })) : [];
    const all = [...known, ...wraps, ...this.#forms.filter(({ sort }) => sort !== "statement")];
    const candidates = all.map(({ text, sort }) => {
      const made = this.#made.get(text);
      return made ? candidate(made) : sort === "expression" && !/^[\p{L}\p{N}_']+$/u.test(text) ? `(${text})` : text;
    });
    const fitting = await this.#fit(text, [place], candidates);
    if (!fitting) return;
    const fits = all.filter((_, at) => (fitting[at]?.length ?? 0) > 0);
    const put = (form: string) => {
      chooser.close();
      void this.#put(key, form);
    };
    const number = fits.some(({ text }) => text === "1") ? numberEntry(put) : null;
    const sections = [...new Set(fits.map(({ family }) => family))].map((family) =>
      h(
        "section",
        {},
        h("h3", {}, family),
        h("div", { class: "block-choices" }, ...fits.filter((one) => one.family === family && (one.text !== "1" || !number)).map((one) => choiceOf(one, () => put(one.text)))),
      ),
    );
    const chooser = dialog(texts.blocks.choose, "block-chooser", number, ...sections.filter((section) => section.querySelector("button")), fits.length === 0 ? h("p", { class: "quiet" }, texts.blocks.nothingFits) : null);
  }

  /** Puts a form into a socket. */
  async #put(key: string, form: string): Promise<void> {
    const made = this.#made.get(form) ?? (await this.#read(form));
    const workspace = this.#workspace;
    const [id = "", ...rest] = key.split(" ");
    const socket = workspace?.getBlockById(id)?.getInput(rest.join(" "))?.connection;
    if (!made || !workspace || !socket) return;
    const state = stateOf(this.#withFreshNames(made));
    // Blockly removes holes itself, because they are shadow blocks.
    socket.targetBlock()?.isShadow() || socket.targetBlock()?.dispose(false);
    const block = Blockly.serialization.blocks.append(state, workspace, { recordUndo: false }) as Shaped;
    if (block.outputConnection) socket.connect(block.outputConnection);
    this.#next = this.#positionOf(block);
  }

  /**
   * The target of the next scrolling: the first hole after a block, or the end of a list. It is a pair of positions,
   * because the blocks are made again.
   */
  #next: { statement: number; block: number; isList?: boolean } | null = null;

  /** The index of the statement of a block, and the index of the block in it. */
  #positionOf(block: Blockly.Block): { statement: number; block: number } | null {
    const stack = this.#stack();
    const statement = stack.findIndex((one) => inOrder(one).includes(block));
    return stack[statement] ? { statement, block: inOrder(stack[statement]).indexOf(block) } : null;
  }

  #reveal(): void {
    const [workspace, meant] = [this.#workspace, this.#next];
    this.#next = null;
    const stack = this.#stack();
    const statement = meant && stack[meant.statement];
    if (!workspace || !statement) return;
    const inside = inOrder(statement);
    const block = inside[meant.block];
    const end = block?.inputList.findLast(({ connection }) => connection)?.connection?.targetBlock();
    const following = [...inside.slice(meant.block), ...stack.slice(meant.statement + 1).flatMap(inOrder)];
    const next = meant.isList ? end : (following.find(({ type }) => type === "hole") ?? block);
    // Leave room for the `+` after the end of a list.
    if (next instanceof Blockly.BlockSvg) workspace.scrollBoundsIntoView(next.getBoundingRectangleWithoutChildren(), meant.isList ? 90 : 40);
  }

  /** Parses an expression or a domain. */
  async #read(form: string): Promise<Piece | null> {
    for (const before of ["letting form be ", "letting form be domain "]) {
      const text = before + form;
      const tree = await ask<TreeResult>({ verb: "tree", model: { name: "form.essence", text } }, "tree of a form");
      const made = tree?.type === "result" ? read(text, tree).statements[0]?.parts.at(-1) : null;
      if (made) return made;
    }
    return null;
  }

  /** Renames the declarations of a piece that clash with declared names. */
  #withFreshNames(one: Piece): Piece {
    const taken = new Set(this.#names.keys());
    const renamed = new Map<string, string>();
    const fresh = (name: string) => {
      const others = /^[ij]$/.test(name) ? [..."ijklmn"] : /^[xy]$/.test(name) ? [..."xyzuvw"] : [];
      const found = [name, ...others, ...Array.from({ length: 99 }, (_, at) => `${name}${at + 2}`)].find((other) => !taken.has(other)) ?? name;
      taken.add(found);
      renamed.set(name, found);
      return found;
    };
    const walk = ({ shape, parts }: Piece): Piece => ({
      shape: { ...shape, slots: shape.slots.map((slot) => (slot.sort === "declaration" ? { ...slot, name: fresh(slot.name) } : slot)) },
      parts: parts.map((part) => part && walk(part)),
    });
    return walk(one);
  }

  #addStatement(): void {
    if (!this.#unread.hidden) return;
    const statements = this.#forms.filter(({ sort }) => sort === "statement");
    const chooser = dialog(
      texts.blocks.add,
      "block-chooser",
      h("div", { class: "block-choices" }, ...statements.map((form) => choiceOf(form, () => {
        chooser.close();
        const made = this.#made.get(form.text);
        if (!made) return;
        const model = this.#model();
        const { word } = made.shape;
        const isDeclaration = ["given", "find", "letting", "where"].includes(word);
        const first = model.statements.findIndex(({ shape }) => !["given", "find", "letting", "where"].includes(shape.word));
        // Declarations go before the first constraint, all other statements to the end.
        const at = isDeclaration && first >= 0 ? first : model.statements.length;
        this.#next = { statement: at, block: 0 };
        this.#write({ ...model, statements: [...model.statements.slice(0, at), this.#withFreshNames(made), ...model.statements.slice(at)] });
      }))),
    );
  }

  /** Adds an element to the list of a block. */
  addTo(block: Shaped): void {
    if (block.isInFlyout) return;
    const blocks = new Map<Piece, Shaped>();
    const model = this.#model(blocks);
    const grown = (one: Piece): Piece => {
      const made = { shape: one.shape, parts: one.parts.map((part) => part && grown(part)) };
      if (blocks.get(one) !== block) return made;
      const added = addElement(made, null);
      const last = added.shape.slots.findLastIndex(({ listed }) => listed);
      const slot = added.shape.slots[last];
      if (slot?.sort !== "declaration") return added;
      const named = this.#withFreshNames({ shape: { ...added.shape, slots: [{ ...slot, name: one.shape.slots[last - 1]?.name ?? "x" }] }, parts: [null] });
      const slots = added.shape.slots.map((other, at) => (at === last ? { ...other, name: named.shape.slots[0]?.name ?? "x" } : other));
      return { ...added, shape: { ...added.shape, slots } };
    };
    const position = this.#positionOf(block);
    this.#next = position && { ...position, isList: true };
    this.#write({ ...model, statements: model.statements.map(grown) });
  }

  /** Replaces an operator or a quantifier with another one, if that fits. */
  changeWord(block: Shaped, word: string): void {
    const { shape } = block;
    const at = shape.glue.findIndex((glue) => label(glue).text.replace(/^\(/, "") === shape.word);
    const glue = shape.glue.map((text, position) => (position === at ? text.replace(shape.word, word) : text));
    const old = this.#probe(null);
    const target = block.outputConnection?.targetConnection;
    const key = target && keyOf(target);
    const place = key ? old.places.get(key) : undefined;
    const changed = { ...this.#piece(block, new Map()), shape: { ...shapeOf(block), glue, word } };
    const apply = () => {
      block.shape = { ...block.shape, glue, word };
      block.getField("word")?.setValue(word);
      this.#changed();
    };
    if (!place) return apply();
    void this.#fit(old.text, [place], [candidate(changed)]).then((fitting) => {
      if ((fitting?.[0]?.length ?? 0) > 0) apply();
      else announce(texts.blocks.wordUnfit(word));
    });
  }

  /** Renames a declared name in the whole model after the user has typed another one. */
  #rename(event: Blockly.Events.BlockChange): void {
    const block = this.#workspace?.getBlockById(event.blockId ?? "") ?? null;
    if (!isShaped(block)) return;
    const at = Number(event.name?.slice("name ".length));
    const [old, name] = [block.shape.slots[at]?.name, String(event.newValue)];
    if (old === undefined || old === name) return;
    const position = this.#declaration(block, at);
    this.#next = this.#positionOf(block);
    if (position !== null) void this.#renameAt(position, name);
    // The text does not contain free blocks.
    else block.shape.slots.splice(at, 1, { ...(block.shape.slots[at] as Slot), name });
  }

  async #renameAt(position: number, name: string): Promise<void> {
    const before = this.hooks.text();
    const request = this.hooks.request("rename");
    const file = request.model?.name;
    const answer = await ask<EditsResult>({ ...request, text: file, at: position, name }, "rename of blocks");
    if (!answer || this.hooks.text() !== before) return;
    let text = before;
    if (answer.type === "failure") announce(answer.diagnostics[0]?.message ?? "");
    else for (const edit of answer.edits.filter((one) => one.file === file).sort((a, b) => b.from - a.from)) text = text.slice(0, edit.from) + edit.text + text.slice(edit.to);
    this.#shown = null;
    this.#text = text;
    this.hooks.change(text);
    await this.#lay();
  }

  /** The position of a declared name in the text; `null` for a free block. */
  #declaration(block: Shaped, slot: number): number | null {
    const blocks = new Map<Piece, Shaped>();
    const model = this.#model(blocks);
    // A mark that no text contains finds the position.
    const mark = "\u0000";
    const marked = (one: Piece): Piece => {
      const slots = one.shape.slots.map((other, at) => (blocks.get(one) === block && at === slot ? { ...other, name: mark } : other));
      return { shape: { ...one.shape, slots }, parts: one.parts.map((part) => part && marked(part)) };
    };
    const position = writeModel({ ...model, statements: model.statements.map(marked) }, binds).text.indexOf(mark);
    return position < 0 ? null : position;
  }
}

const literal = (word: string): Piece => ({ shape: { sort: "expression", kind: "literal", word, type: "", slots: [], glue: [word] }, parts: [] });

/**
 * Fills the holes of quantifiers with a literal of the right type, because the engine cannot type them without a body.
 */
function withBodies({ shape, parts }: Piece): Piece {
  const body = ["sum", "product"].includes(shape.word) ? "1" : "true";
  const missing = (at: number) => (shape.kind === "quantified" && shape.slots[at]?.sort === "expression" ? literal(at === parts.length - 1 ? body : "true") : null);
  const last = shape.slots.findLastIndex(({ sort }) => sort === "domain");
  return { shape, parts: parts.map((part, at) => (part ? withBodies(part) : at > last && last >= 0 ? missing(at) : null)) };
}

/** The text of a piece, for any slot of its sort. */
function candidate(one: Piece): string {
  const { text } = write(withBodies(one), binds);
  return one.shape.sort === "expression" && one.shape.slots.length > 0 && !text.startsWith("(") ? `(${text})` : text;
}

const named = (name: string, type: string): Piece => ({ shape: { sort: "expression", kind: "name", word: name, type, slots: [], glue: [name] }, parts: [] });

/** Disposes statements; Blockly disposes the ones that follow, too. */
function dispose(statements: Shaped[]): void {
  for (const block of statements) if (!block.disposed) block.dispose(false);
}

/** A block and those inside it, in the order of the text. */
const inOrder = (block: Blockly.Block): Blockly.Block[] =>
  [block, ...block.inputList.flatMap(({ connection }) => { const inner = connection?.targetBlock(); return inner ? inOrder(inner) : []; })];

/** The key of a socket: its block and its input. */
function keyOf(socket: Blockly.Connection): string | null {
  const block = socket.getSourceBlock();
  const input = block.inputList.find(({ connection }) => connection === socket);
  return input && isShaped(block) ? `${block.id} ${input.name}` : null;
}

function choiceOf({ text, says }: Form, choose: () => void): HTMLButtonElement {
  const shown = text.replace(/\s+/g, " ").replaceAll(/(?<![\p{L}\p{N}_'])_(?![\p{L}\p{N}_'])/gu, "▢");
  return h("button", { class: "block-choice", onclick: choose }, h("code", {}, shown), says ? h("span", {}, says) : null);
}

function numberEntry(put: (number: string) => void): HTMLElement {
  const entry = h("input", { type: "text", inputMode: "numeric", pattern: "-?[0-9]+", "aria-label": texts.blocks.number });
  const form = h("form", { class: "block-number" }, h("label", {}, texts.blocks.number, entry), h("button", { class: "secondary small", type: "submit" }, texts.blocks.put));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (/^-?\d+$/.test(entry.value.trim())) put(entry.value.trim());
  });
  return form;
}
