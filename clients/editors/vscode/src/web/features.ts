// What the editor asks about texts while they are written. The engine answers; the language server tells other editors the same (src/cli/lsp/features.rs).

import * as vscode from "vscode";
import { ask as askEngine } from "../../../../web/page/src/engine";
import type { Edit, Outline, Result, Verb } from "../../../../web/npm/src/protocol";
import { ALL_COMMANDS, LENS } from "../commands";
import { SCHEME } from "../results";
import { type Checks, isEssence, location, range } from "./checks";
import { Subject } from "./texts";

/** The kinds of the engine as the editor has them: of completions, of the outline, of tokens. Kinds that are not here have no other name. */
const COMPLETIONS: { [kind: string]: vscode.CompletionItemKind } = {
  given: vscode.CompletionItemKind.Constant,
  value: vscode.CompletionItemKind.Constant,
  find: vscode.CompletionItemKind.Variable,
  quantified: vscode.CompletionItemKind.Variable,
  domain: vscode.CompletionItemKind.Class,
  type: vscode.CompletionItemKind.Enum,
  member: vscode.CompletionItemKind.EnumMember,
  field: vscode.CompletionItemKind.Field,
  function: vscode.CompletionItemKind.Function,
  operator: vscode.CompletionItemKind.Operator,
  attribute: vscode.CompletionItemKind.Property,
  keyword: vscode.CompletionItemKind.Keyword,
  snippet: vscode.CompletionItemKind.Snippet,
};
const SYMBOLS: { [kind: string]: vscode.SymbolKind } = {
  given: vscode.SymbolKind.Constant,
  value: vscode.SymbolKind.Constant,
  find: vscode.SymbolKind.Variable,
  quantified: vscode.SymbolKind.Variable,
  domain: vscode.SymbolKind.Class,
  type: vscode.SymbolKind.Enum,
  member: vscode.SymbolKind.EnumMember,
};
const TOKENS: { [kind: string]: string } = {
  find: "variable",
  given: "variable",
  value: "variable",
  quantified: "parameter",
  domain: "type",
  type: "enum",
  member: "enumMember",
  attribute: "decorator",
};
const READ_ONLY = ["given", "value"];
const LEGEND = new vscode.SemanticTokensLegend(
  ["variable", "parameter", "type", "enum", "enumMember", "keyword", "decorator", "function", "operator", "number", "comment"],
  ["declaration", "readonly"],
);

/** The signs after which names are offered. */
const TRIGGERS = [..."([{.:,="];

/** The width of formatted texts, as `conjure-like fmt` has it. */
const WIDTH = 120;

interface Asked<V extends Verb> {
  answer: Result<V>;
  subject: Subject;
}

/** Asks about a document; `undefined` if the document has changed since, or the engine refuses. */
async function ask<V extends Verb>(verb: V, document: vscode.TextDocument, members: object = {}): Promise<Asked<V> | undefined> {
  if (!isEssence(document)) return undefined;
  const { version } = document;
  const subject = await Subject.of(document);
  const answer = await askEngine<Result<V>>(subject.request(verb, members), `${verb} ${document.uri}`);
  return answer?.type === "result" && document.version === version ? { answer: answer as Result<V>, subject } : undefined;
}

const at = (document: vscode.TextDocument, position: vscode.Position) => ({ at: document.offsetAt(position) });

function workspaceEdit(subject: Subject, edits: Edit[]): vscode.WorkspaceEdit {
  const made = new vscode.WorkspaceEdit();
  for (const edit of edits) {
    const document = subject.named(edit.file);
    if (document) made.replace(document.uri, range(document, edit), edit.text);
  }
  return made;
}

export function registerFeatures(checks: Checks): vscode.Disposable[] {
  const selector: vscode.DocumentSelector = { language: "essence" };
  const { languages } = vscode;
  return [
    languages.registerCompletionItemProvider(selector, { provideCompletionItems: completions }, ...TRIGGERS),
    languages.registerHoverProvider(selector, { provideHover: hover }),
    languages.registerSignatureHelpProvider(selector, { provideSignatureHelp: signature }, "(", ","),
    languages.registerDefinitionProvider(selector, { provideDefinition: definition }),
    languages.registerReferenceProvider(selector, { provideReferences: references }),
    languages.registerDocumentHighlightProvider(selector, { provideDocumentHighlights: highlights }),
    languages.registerRenameProvider(selector, { prepareRename, provideRenameEdits: rename }),
    languages.registerDocumentSymbolProvider(selector, { provideDocumentSymbols: symbols }),
    languages.registerDocumentSemanticTokensProvider(selector, { provideDocumentSemanticTokens: tokens }, LEGEND),
    languages.registerInlayHintsProvider(selector, { provideInlayHints: hints }),
    languages.registerFoldingRangeProvider(selector, { provideFoldingRanges: folding }),
    languages.registerDocumentFormattingEditProvider(selector, { provideDocumentFormattingEdits: formatting }),
    languages.registerCodeActionsProvider(
      selector,
      { provideCodeActions: (document, part) => fixes(checks, document, part) },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
    languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: checks.onDidChange,
      provideCodeLenses: (document) => lenses(checks, document),
    }),
  ];
}

async function completions(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.CompletionList | undefined> {
  const asked = await ask("complete", document, at(document, position));
  const items = asked?.answer.items.map((item, order) => {
    const made = new vscode.CompletionItem(item.label, COMPLETIONS[item.kind]);
    if (item.detail) made.detail = item.detail;
    if (item.documentation) made.documentation = new vscode.MarkdownString(item.documentation);
    made.sortText = String(order).padStart(4, "0");
    made.insertText = new vscode.SnippetString(item.snippet || item.label);
    made.range = range(document, item);
    return made;
  });
  // What is offered depends on what has been typed.
  return items && new vscode.CompletionList(items, true);
}

async function hover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
  const found = (await ask("hover", document, at(document, position)))?.answer.hover;
  return found ? new vscode.Hover(new vscode.MarkdownString(found.markdown), range(document, found)) : undefined;
}

async function signature(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.SignatureHelp | undefined> {
  const found = (await ask("signature", document, at(document, position)))?.answer.signature;
  if (!found) return undefined;
  const made = new vscode.SignatureHelp();
  made.activeSignature = 0;
  made.activeParameter = found.active;
  made.signatures = found.signatures.map(({ label, operands, documentation }) => {
    const one = new vscode.SignatureInformation(label, documentation ? new vscode.MarkdownString(documentation) : undefined);
    one.parameters = operands.map((operand) => new vscode.ParameterInformation(operand));
    return one;
  });
  return made;
}

async function definition(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Location | undefined> {
  const asked = await ask("definition", document, at(document, position));
  return asked?.answer.place ? location(asked.subject, asked.answer.place) : undefined;
}

async function references(document: vscode.TextDocument, position: vscode.Position, context: vscode.ReferenceContext): Promise<vscode.Location[]> {
  const [asked, declared] = await Promise.all([ask("references", document, at(document, position)), definition(document, position)]);
  const found = asked?.answer.places.flatMap((place) => location(asked.subject, place) ?? []) ?? [];
  const isDeclaration = ({ uri, range }: vscode.Location) => declared?.uri.toString() === uri.toString() && declared.range.isEqual(range);
  return context.includeDeclaration ? found : found.filter((one) => !isDeclaration(one));
}

/** The places in this document that name the same. */
async function uses(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Range[]> {
  const asked = await ask("references", document, at(document, position));
  const places = asked?.answer.places.filter(({ file }) => asked.subject.named(file) === document) ?? [];
  return places.map((place) => range(document, place));
}

async function highlights(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.DocumentHighlight[]> {
  return (await uses(document, position)).map((one) => new vscode.DocumentHighlight(one));
}

async function prepareRename(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Range> {
  const here = (await uses(document, position)).find((one) => one.contains(position));
  if (!here) throw new Error("There is no name here that can be changed.");
  return here;
}

async function rename(document: vscode.TextDocument, position: vscode.Position, name: string): Promise<vscode.WorkspaceEdit> {
  const subject = await Subject.of(document);
  const answer = await askEngine<Result<"rename">>(subject.request("rename", { ...at(document, position), name }));
  if (answer?.type === "failure") throw new Error(answer.diagnostics[0]?.message);
  return workspaceEdit(subject, answer?.edits ?? []);
}

async function symbols(document: vscode.TextDocument): Promise<vscode.DocumentSymbol[]> {
  const made = ({ name, detail, kind, from, to, selection, children }: Outline): vscode.DocumentSymbol => {
    const of = kind === null ? vscode.SymbolKind.Event : (SYMBOLS[kind] ?? vscode.SymbolKind.Variable);
    const [start, end] = selection;
    const one = new vscode.DocumentSymbol(name, detail, of, range(document, { from, to }), range(document, { from: start, to: end }));
    one.children = children.map(made);
    return one;
  };
  return (await ask("symbols", document))?.answer.symbols.map(made) ?? [];
}

async function tokens(document: vscode.TextDocument): Promise<vscode.SemanticTokens | undefined> {
  const asked = await ask("tokens", document);
  if (!asked) return undefined;
  const made = new vscode.SemanticTokensBuilder(LEGEND);
  for (const [from, to, kind, isDeclaration] of asked.answer.tokens) {
    const modifiers = [...(isDeclaration ? ["declaration"] : []), ...(READ_ONLY.includes(kind) ? ["readonly"] : [])];
    const all = range(document, { from, to });
    // No token of the editor goes on in the next line.
    for (let line = all.start.line; line <= all.end.line; line++) {
      const part = document.lineAt(line).range.intersection(all);
      if (part && !part.isEmpty) made.push(part, TOKENS[kind] ?? kind, modifiers);
    }
  }
  return made.build();
}

async function hints(document: vscode.TextDocument, part: vscode.Range): Promise<vscode.InlayHint[]> {
  const asked = await ask("inlay-hints", document, { from: document.offsetAt(part.start), to: document.offsetAt(part.end) });
  return asked?.answer.hints.map(({ at, text }) => new vscode.InlayHint(document.positionAt(at), text, vscode.InlayHintKind.Type)) ?? [];
}

async function folding(document: vscode.TextDocument): Promise<vscode.FoldingRange[]> {
  const asked = await ask("folding", document);
  const ranges = asked?.answer.ranges.map((folded) => {
    const { start, end } = range(document, folded);
    return new vscode.FoldingRange(start.line, end.line, folded.comment ? vscode.FoldingRangeKind.Comment : vscode.FoldingRangeKind.Region);
  });
  return ranges ?? [];
}

async function formatting(document: vscode.TextDocument): Promise<vscode.TextEdit[]> {
  const formatted = (await ask("format", document, { width: WIDTH }))?.answer.formatted;
  if (formatted === undefined || formatted === document.getText()) return [];
  return [vscode.TextEdit.replace(range(document, { from: 0, to: document.getText().length }), formatted)];
}

/** The quick fixes: the help that can be applied. */
function fixes(checks: Checks, document: vscode.TextDocument, part: vscode.Range): vscode.CodeAction[] {
  const known = checks.of(document);
  if (!known) return [];
  return known.all.flatMap(({ shown, diagnostic }) => {
    // The fix mends all places of the mistake, and is offered at each.
    const own = diagnostic.labels.filter(({ file }) => known.subject.named(file) === document).map((label) => range(document, label));
    if (diagnostic.edits.length === 0 || ![shown.range, ...own].some((place) => place.intersection(part))) return [];
    const action = new vscode.CodeAction(diagnostic.help[0] ?? diagnostic.message, vscode.CodeActionKind.QuickFix);
    action.edit = workspaceEdit(known.subject, diagnostic.edits);
    action.diagnostics = [shown];
    action.isPreferred = true;
    return [action];
  });
}

/** The commands beside the first decision variable of a model without mistakes, or the first statement of data. */
async function lenses(checks: Checks, document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  const known = checks.of(document);
  if (document.uri.scheme === SCHEME || !known?.subject.hasModel) return [];
  if (known.all.some(({ diagnostic }) => diagnostic.severity === "error")) return [];
  const asked = await ask("symbols", document);
  const { model, data } = known.subject.instance;
  const place = asked?.answer.symbols.find(({ kind }) => document !== known.subject.model || kind === "find");
  if (!place) return [];
  return ALL_COMMANDS.map(
    (command) =>
      new vscode.CodeLens(range(document, place), { title: command, command: LENS + command, arguments: [model.toString(), data.map((uri) => uri.toString())] }),
  );
}
