// What is wrong with the open texts, shown as in other editors (src/cli/lsp/features.rs).

import * as vscode from "vscode";
import { ask, endExamination, examine } from "../../../../web/page/src/engine";
import type { CheckResult, Diagnostic, Place } from "../../../../web/npm/src/protocol";
import type { Instance } from "../instance";
import { SCHEME } from "../results";
import { tableFor } from "./tables";
import { Subject, textsOf } from "./texts";

/** The milliseconds without a change after which a text is checked, and those after which a solver is asked, too. */
const CHECK_AFTER = 250;
const EXAMINE_AFTER = 500;

/** The seconds that a solver may take. */
const MOST_SECONDS = 5;

/** The part of a document that a place names. */
export function range(document: vscode.TextDocument, { from, to }: { from: number; to: number }): vscode.Range {
  return new vscode.Range(document.positionAt(from), document.positionAt(to));
}

/** A diagnostic as it is shown, and as the engine gave it. */
export interface Shown {
  shown: vscode.Diagnostic;
  diagnostic: Diagnostic;
}

export class Checks implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection("conjure-like");
  private readonly found = new Map<string, { subject: Subject; all: Shown[] }>();
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly changes = new vscode.EventEmitter<void>();
  /** The mistakes of a text have changed. */
  readonly onDidChange = this.changes.event;
  private readonly listening = [
    vscode.workspace.onDidOpenTextDocument((document) => this.plan(document)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => this.plan(document)),
    vscode.workspace.onDidCloseTextDocument((document) => this.forget(document)),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("conjure-like") && this.planAll()),
  ];

  constructor() {
    this.planAll();
  }

  /** What is known about a text. */
  of(document: vscode.TextDocument): { subject: Subject; all: Shown[] } | undefined {
    return this.found.get(document.uri.toString());
  }

  private planAll(): void {
    for (const document of vscode.workspace.textDocuments) this.plan(document);
  }

  /** Checks a text and those that are read with it, a moment after it has last changed. */
  private plan(changed: vscode.TextDocument): void {
    if (!isEssence(changed)) return;
    const key = changed.uri.toString();
    const others = [...this.found].filter(([, { subject }]) => subject.model === changed || subject.data.includes(changed));
    for (const uri of new Set([key, ...others.map(([uri]) => uri)])) {
      const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri);
      if (document) this.after(CHECK_AFTER, uri, () => this.check(document));
    }
  }

  private after(milliseconds: number, key: string, action: () => Promise<void>): void {
    clearTimeout(this.timers.get(key));
    endExamination(key);
    this.timers.set(
      key,
      setTimeout(() => void action().catch(() => undefined), milliseconds),
    );
  }

  private async check(document: vscode.TextDocument): Promise<void> {
    const key = document.uri.toString();
    const subject = await Subject.of(document);
    if (!subject.hasModel) return;
    const { version } = document;
    const request = subject.request("check");
    const answer = await ask<CheckResult>(request, key);
    const take = ({ diagnostics }: CheckResult) => {
      if (document.isClosed || document.version !== version) return;
      // Data show only their own mistakes: those of the model are shown there.
      const own = diagnostics.filter((one) => document === subject.model || one.labels.some(({ file }) => subject.named(file) === document));
      const all = own.map((diagnostic) => ({ diagnostic, shown: shown(diagnostic, subject) }));
      this.found.set(key, { subject, all });
      this.collection.set(document.uri, all.map((one) => one.shown));
      this.changes.fire();
    };
    if (answer?.type !== "result") return;
    take(answer);
    const isWanted = vscode.workspace.getConfiguration("conjure-like").get("examine", true);
    if (!isWanted || document !== subject.model || answer.diagnostics.some(({ severity }) => severity === "error")) return;
    this.after(EXAMINE_AFTER, key, async () => {
      const examined = await examine<CheckResult>({ ...request, limit: MOST_SECONDS }, key);
      if (examined?.type === "result") take(examined);
    });
  }

  private forget(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    clearTimeout(this.timers.get(key));
    this.found.delete(key);
    this.collection.delete(document.uri);
  }

  dispose(): void {
    this.timers.forEach((timer) => clearTimeout(timer));
    for (const one of [...this.listening, this.changes, this.collection]) one.dispose();
  }
}

export const isEssence = ({ languageId, uri }: vscode.TextDocument): boolean => languageId === "essence" && uri.scheme !== SCHEME;

/** A diagnostic at a place, with the text that labels the place. */
function message(diagnostic: Diagnostic, place: vscode.Range, label: string): vscode.Diagnostic {
  const more = label && !diagnostic.message.includes(label) ? `: ${label}` : "";
  const lines = [diagnostic.message + more, ...diagnostic.help.map((help) => `help: ${help}`), ...diagnostic.notes.map((note) => `note: ${note}`)];
  const severity = diagnostic.severity === "error" ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const made = new vscode.Diagnostic(place, lines.join("\n"), severity);
  made.code = diagnostic.code;
  made.source = "conjure-like";
  return made;
}

function shown(diagnostic: Diagnostic, subject: Subject): vscode.Diagnostic {
  const { document } = subject;
  const [first, ...others] = diagnostic.labels;
  // A mistake elsewhere, or in no text, is shown where the text begins.
  const place = first && subject.named(first.file) === document ? first : undefined;
  const made = message(diagnostic, place ? range(document, place) : new vscode.Range(0, 0, 0, 0), place?.text ?? "");
  made.relatedInformation = (place ? others : diagnostic.labels).flatMap((label) => {
    const found = location(subject, label);
    return found ? [new vscode.DiagnosticRelatedInformation(found, label.text ?? "")] : [];
  });
  return made;
}

/** Where a place is. */
export function location(subject: Subject, place: Place): vscode.Location | undefined {
  const document = subject.named(place.file);
  return document && new vscode.Location(document.uri, range(document, place));
}

/** What is wrong with the tables of an instance, for each file. A mistake in a workbook, which has no lines, is shown where the file begins. */
export async function mistakesInTables(instance: Instance): Promise<[vscode.Uri, vscode.Diagnostic[]][]> {
  const tables = await Promise.all(instance.tables.map((word) => tableFor(instance.model, word)));
  const found = new Map(tables.map(({ file }) => [file.toString(), { file, all: [] as vscode.Diagnostic[] }]));
  const answer = await ask<CheckResult>({ verb: "check", ...(await textsOf(instance)) }, `tables of ${instance.model.toString()}`);
  for (const diagnostic of answer?.type === "result" ? answer.diagnostics : []) {
    const [place] = diagnostic.labels;
    const table = tables.find(({ text }) => text.name === place?.file);
    if (!place || !table) continue;
    const { name, text } = table.text;
    const range = name.includes("#") ? new vscode.Range(0, 0, 0, 0) : new vscode.Range(positionIn(text, place.from), positionIn(text, place.to));
    found.get(table.file.toString())?.all.push(message(diagnostic, range, place.text ?? ""));
  }
  return [...found.values()].map(({ file, all }) => [file, all]);
}

function positionIn(text: string, offset: number): vscode.Position {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0);
}
