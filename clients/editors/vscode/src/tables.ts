// Errors in the tables of the open models, in the list of problems and, for text files, at their places.

import * as vscode from "vscode";
import { dataChosenFor, type Instance, instanceWith, onDidChoose } from "./instance";

/** Milliseconds after the last change before tables are checked. */
const PAUSE = 500;

export class TableChecks implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection("conjure-like tables");
  private timer: ReturnType<typeof setTimeout> | undefined;
  private round = 0;
  private readonly listening = [
    onDidChoose(() => this.plan()),
    vscode.workspace.onDidOpenTextDocument(() => this.plan()),
    // Ignore the output channel: the extension's own output must not trigger further checks.
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => contentChanges.length > 0 && document.uri.scheme !== "output" && this.plan()),
    vscode.workspace.onDidSaveTextDocument(() => this.plan()),
    vscode.workspace.onDidCloseTextDocument(() => this.plan()),
  ];

  constructor(private readonly check: (instance: Instance) => Promise<[vscode.Uri, vscode.Diagnostic[]][]>) {
    this.plan();
  }

  private plan(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.checkAll(), PAUSE);
  }

  /** Checks the tables of all open models. */
  private async checkAll(): Promise<void> {
    const mine = ++this.round;
    const models = vscode.workspace.textDocuments.filter(({ languageId, isClosed }) => languageId === "essence" && !isClosed);
    const found = new Map<string, [vscode.Uri, vscode.Diagnostic[]]>();
    for (const { uri } of models) {
      const words = dataChosenFor(uri);
      const instance = words && instanceWith(uri, words);
      if (!instance || instance.tables.length === 0) continue;
      for (const [file, diagnostics] of await this.check(instance).catch(() => [])) {
        const known = found.get(file.toString())?.[1] ?? [];
        found.set(file.toString(), [file, [...known, ...diagnostics]]);
      }
    }
    if (mine !== this.round) return;
    this.collection.clear();
    for (const [file, diagnostics] of found.values()) this.collection.set(file, diagnostics);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const one of [...this.listening, this.collection]) one.dispose();
  }
}
