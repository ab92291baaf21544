// The status bar item for running commands. A click cancels them.

import * as vscode from "vscode";

export class Running implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("conjure-like.running", vscode.StatusBarAlignment.Left, 100);
  private readonly sources = new Map<vscode.CancellationTokenSource, string>();
  private readonly command = vscode.commands.registerCommand("essence.cancel", () => this.cancel());

  constructor() {
    this.item.name = "Essence";
    this.item.command = "essence.cancel";
    this.item.tooltip = "Click to cancel";
  }

  /** Runs `work` while the status bar shows its name. Returns `undefined` if the user cancels it. */
  async during<T>(name: string, work: (token: vscode.CancellationToken) => Promise<T>): Promise<T | undefined> {
    const source = new vscode.CancellationTokenSource();
    this.sources.set(source, name);
    this.update();
    try {
      return await work(source.token);
    } catch (error) {
      if (source.token.isCancellationRequested) {
        return undefined;
      }
      throw error;
    } finally {
      this.sources.delete(source);
      this.update();
      source.dispose();
    }
  }

  private cancel(): void {
    this.sources.forEach((_, source) => source.cancel());
  }

  private update(): void {
    const names = [...this.sources.values()];
    if (names.length === 0) {
      this.item.hide();
      return;
    }
    this.item.text = `$(sync~spin) ${names.join(", ")}…`;
    this.item.show();
  }

  dispose(): void {
    this.cancel();
    this.command.dispose();
    this.item.dispose();
  }
}
