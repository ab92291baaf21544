// An editor for one text: colours, diagnostics while typing, explanations, completion and layout.

import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  snippet,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Mark } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorSelection, EditorState, Prec, StateEffect, StateField, type Extension, type StateCommand } from "@codemirror/state";
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  placeholder,
  type DecorationSet,
} from "@codemirror/view";
import { Tag } from "@lezer/highlight";
import { ask, endExamination, examine } from "./engine";
import { markdown } from "./markdown";
import type { CheckResult, CompletionItem, Diagnostic, Edit, HoverResult, Request } from "../../npm/src/protocol";
import { start, token, type Kind } from "./tokens";
import { texts } from "./texts";

const KINDS: Kind[] = [
  "comment",
  "picture",
  "statement",
  "definition-word",
  "quantifier",
  "domain",
  "attribute",
  "word-operator",
  "constant",
  "function",
  "reserved",
  "number",
  "operator",
  "punctuation",
  "declared",
  "name",
];
const TAGS = Object.fromEntries(KINDS.map((kind) => [kind, Tag.define()]));

const essence = StreamLanguage.define({
  name: "essence",
  startState: start,
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    const { to, kind } = token(stream.string, stream.pos, state);
    stream.pos = to;
    return kind;
  },
  tokenTable: TAGS,
  languageData: {
    commentTokens: { line: "$", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{"] },
  },
});

const colours = syntaxHighlighting(HighlightStyle.define(KINDS.map((kind) => ({ tag: TAGS[kind] as Tag, class: `tok-${kind}` }))));

/** The ranges that an explanation refers to. */
const setPlaces = StateEffect.define<{ from: number; to: number }[]>();
const places = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let now = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setPlaces)) continue;
      const fitting = effect.value.filter(({ from, to }) => from < to && to <= transaction.state.doc.length);
      now = Decoration.set(
        fitting.map(({ from, to }) => Decoration.mark({ class: "cm-place" }).range(from, to)),
        true,
      );
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The interface to the texts around an editor. */
export interface Surroundings {
  /** The name of this text, and the request with all texts. */
  name(): string;
  request(verb: string): Request;
  onChange?(): void;
  /** Ctrl+Enter. */
  onRun?(): void;
  /** Applies a fix, which may change other texts, too. */
  onEdits?(edits: Edit[]): void;
  readOnly?: boolean;
  label: string;
  placeholder?: string;
}

/** Converts a snippet of the engine to the editor's format, which has other escapes. */
function template(source: string): string {
  let made = "";
  for (let at = 0; at < source.length; at++) {
    const field = /^\$\{(\d+)(?::((?:\\.|[^}\\])*))?\}/.exec(source.slice(at));
    if (field) {
      made += "${" + field[1] + ":" + (field[2] ?? "").replace(/\\(.)/g, "$1").replace(/[{}]/g, "") + "}";
      at += field[0].length - 1;
    } else {
      if (source[at] === "\\") at++;
      made += (source[at] ?? "").replace(/[{}]/, "\\$&");
    }
  }
  return made;
}

/**
 * Starts a line with the indentation of the current one. Brackets that were just opened stay as they are, so that the
 * text appears exactly as it is typed.
 */
const beginLine: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false;
  const made = state.changeByRange(({ from, to }) => {
    const line = state.doc.lineAt(from);
    const [indentation = ""] = /^[ \t]*/.exec(line.text.slice(0, from - line.from)) ?? [];
    // Do not leave trailing blanks on an empty line.
    const start = indentation.length === from - line.from ? line.from : from;
    return { changes: { from: start, to, insert: state.lineBreak + indentation }, range: EditorSelection.cursor(start + 1 + indentation.length) };
  });
  dispatch(state.update(made, { scrollIntoView: true, userEvent: "input" }));
  return true;
};

/** The keys of the list of completions. Enter always starts a line, so Tab accepts. */
const COMPLETION_KEYS = completionKeymap.map((binding) => (binding.key === "Enter" ? { key: "Tab", run: acceptCompletion } : binding));

function completions(around: Surroundings) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_']*$/u)?.text;
    if (!context.explicit && !word) return null;
    const answer = await ask<{ items: CompletionItem[] }>({ ...around.request("complete"), text: around.name(), at: context.pos });
    if (answer?.type !== "result" || answer.items.length === 0) return null;
    // A complete word needs no list, unless the user asks for it.
    const isComplete = (text: string) => !context.explicit && answer.items.some(({ label }) => label === text);
    if (word && isComplete(word)) return null;
    const options = answer.items.map((item, position): Completion => {
      const made: Completion = {
        label: item.label,
        type: item.kind,
        detail: item.detail,
        boost: Math.max(-99, (item.fits ? 60 : 0) - position / 10),
        apply: snippet(template(item.snippet || item.label)),
      };
      if (item.documentation) made.info = () => markdown(item.documentation);
      return made;
    });
    return { from: answer.items[0]?.from ?? context.pos, options, validFor: (text) => /^[\p{L}\p{N}_']*$/u.test(text) && !isComplete(text) };
  };
}

function hovers(around: Surroundings) {
  return hoverTooltip(async (_view, at) => {
    const answer = await ask<HoverResult>({ ...around.request("hover"), text: around.name(), at });
    if (answer?.type !== "result" || !answer.hover) return null;
    const { from, to, markdown: source } = answer.hover;
    return { pos: from, end: to, above: true, create: () => ({ dom: markdown(source) }) };
  });
}

export class Editor {
  readonly view: EditorView;
  #around: Surroundings;

  constructor(parent: Element, text: string, around: Surroundings) {
    this.#around = around;
    this.view = new EditorView({ parent, state: this.#state(text) });
  }

  #state(text: string): EditorState {
    const around = this.#around;
    const extensions: Extension[] = [
      EditorView.cspNonce.of("styles-of-the-editor"),
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      history(),
      drawSelection(),
      bracketMatching(),
      closeBrackets(),
      indentUnit.of("    "),
      essence,
      colours,
      places,
      lintGutter(),
      hovers(around),
      autocompletion({ override: [completions(around)], icons: false, defaultKeymap: false }),
      // Before the keys of an active snippet, for which Tab means the next field.
      Prec.highest(keymap.of(COMPLETION_KEYS)),
      keymap.of([
        { key: "Mod-Enter", run: () => (around.onRun?.(), true) },
        { key: "Shift-Alt-f", run: () => (void this.format(), true) },
        { key: "Enter", run: beginLine },
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...lintKeymap,
      ]),
      EditorState.readOnly.of(around.readOnly ?? false),
      EditorView.contentAttributes.of({
        "aria-label": around.label,
        tabindex: "0",
        spellcheck: "false",
        autocapitalize: "off",
        autocorrect: "off",
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) around.onChange?.();
      }),
      EditorView.lineWrapping,
    ];
    if (around.placeholder) extensions.push(placeholder(around.placeholder));
    return EditorState.create({ doc: text, extensions });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Replaces the document and its history. */
  replace(text: string): void {
    this.view.setState(this.#state(text));
  }

  /**
   * Changes the text. A typed change is undone together with the previous typing, any other change alone. Only the
   * differing part is replaced, so that the cursor stays.
   */
  change(text: string, isTyped = false): void {
    const old = this.text;
    let from = 0;
    while (from < old.length && old[from] === text[from]) from++;
    let tail = 0;
    // The common suffix must not overlap the common prefix.
    while (tail < old.length - from && tail < text.length - from && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
    this.view.dispatch({ changes: { from, to: old.length - tail, insert: text.slice(from, text.length - tail) }, ...(isTyped ? { userEvent: "input.type" } : { annotations: isolateHistory.of("full") }) });
  }

  undo = (): boolean => undo(this.view);
  redo = (): boolean => redo(this.view);

  get canUndo(): boolean {
    return undoDepth(this.view.state) > 0;
  }

  get canRedo(): boolean {
    return redoDepth(this.view.state) > 0;
  }

  /** Replaces the selection with a text. */
  insert(text: string): void {
    this.view.dispatch(this.view.state.replaceSelection(text));
  }

  edit(edits: Edit[]): void {
    const changes = edits.filter(({ to }) => to <= this.view.state.doc.length).map(({ from, to, text }) => ({ from, to, insert: text }));
    this.view.dispatch({ changes });
  }

  async format(): Promise<boolean> {
    const before = this.text;
    const answer = await ask<{ formatted: string }>({ ...this.#around.request("format"), text: this.#around.name() });
    if (answer?.type !== "result" || this.text !== before) return false;
    this.change(answer.formatted);
    return true;
  }

  /** Marks ranges and scrolls to the first of them. */
  show(marked: { from: number; to: number }[], scroll = true): void {
    const first = marked[0];
    const effects: StateEffect<unknown>[] = [setPlaces.of(marked)];
    if (first && scroll && first.to <= this.view.state.doc.length) effects.push(EditorView.scrollIntoView(first.from, { y: "center" }));
    this.view.dispatch({ effects });
  }

  /** Shows the diagnostics about this text. */
  mark(diagnostics: Diagnostic[]): void {
    const name = this.#around.name();
    const length = this.view.state.doc.length;
    const marks = diagnostics.flatMap((diagnostic): Mark[] => {
      const here = diagnostic.labels[0];
      if (here?.file !== name || here.from > length) return [];
      const help = diagnostic.help[0];
      const mark: Mark = {
        from: here.from,
        to: Math.min(Math.max(here.to, here.from + (here.to === here.from && here.from < length ? 1 : 0)), length),
        severity: diagnostic.severity,
        message: diagnostic.message,
        renderMessage: () => explained(diagnostic),
      };
      if (diagnostic.edits.length > 0 && this.#around.onEdits && !this.#around.readOnly) {
        mark.actions = [{ name: help ? short(help) : texts.editor.fix, apply: () => this.#around.onEdits?.(diagnostic.edits) }];
      }
      return [mark];
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  focus(): void {
    this.view.focus();
  }

  destroy(): void {
    this.view.destroy();
  }
}

function short(help: string): string {
  const first = help.split("\n")[0] ?? help;
  return first.length > 70 ? `${first.slice(0, 69)}…` : first;
}

/** True if a help message is about options of the command line, which the page does not have. */
const isForTerminals = (text: string): boolean => /(^|[\s`(])--[a-z]|conjure-like [a-z]+[`\s]/.test(text);

/** A diagnostic with its helps and notes. */
export function explained(diagnostic: Diagnostic): HTMLElement {
  const box = markdown(diagnostic.message);
  box.classList.add("diagnostic");
  for (const [index, label] of diagnostic.labels.entries()) {
    if (label.text && index === 0) box.append(paragraph("label", label.text));
  }
  for (const help of diagnostic.help.filter((one) => !isForTerminals(one))) box.append(paragraph("help", help, texts.editor.help));
  for (const note of diagnostic.notes.filter((one) => !isForTerminals(one))) box.append(paragraph("note", note, texts.editor.note));
  return box;
}

function paragraph(classes: string, text: string, before?: string): HTMLElement {
  const made = markdown(before ? `**${before}** ${text}` : text);
  made.classList.add(classes);
  return made;
}

/** Milliseconds without a change before texts are checked, and before the solver is asked, too. */
const CHECK_AFTER = 250;
const EXAMINE_AFTER = 500;

/** Checks texts shortly after their last change. Later, a solver looks for further errors in them. */
export function checker(request: () => Request, onAnswer: (diagnostics: Diagnostic[]) => void, key: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Returns true if the answer is about the current texts; if not, a newer answer will follow. */
  const take = (asked: Request, answer: CheckResult | null): boolean => {
    if (!answer || JSON.stringify(request()) !== JSON.stringify(asked)) return false;
    onAnswer(answer.diagnostics);
    return true;
  };
  const check = async () => {
    const asked = request();
    const answer = await ask<CheckResult>(asked, key);
    if (!take(asked, answer) || answer?.diagnostics.some(({ severity }) => severity === "error")) return;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const examined = await examine<CheckResult>(asked, key);
      if (examined?.type === "result") take(asked, examined);
    }, EXAMINE_AFTER);
  };
  return () => {
    clearTimeout(timer);
    endExamination(key);
    timer = setTimeout(() => void check(), CHECK_AFTER);
  };
}
