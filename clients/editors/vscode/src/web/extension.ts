// Where the extension begins in an editor that is a page, such as vscode.dev: everything is done by the engine for WebAssembly, in workers.

import * as vscode from "vscode";
import { prepare } from "../../../../web/page/src/engine";
import { ALL_COMMANDS, Commands, LENS } from "../commands";
import { rememberIn } from "../instance";
import { appPage } from "./app";
import { Checks, mistakesInTables } from "./checks";
import { loadEngine } from "./engine";
import { registerFeatures } from "./features";
import { run, searchPage } from "./running";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  rememberIn(context.workspaceState);
  // There is no language server that could be restarted.
  void vscode.commands.executeCommand("setContext", "essence.hasEngine", true);
  const page = await loadEngine(context.extensionUri);
  prepare();
  const commands = new Commands({ run, app: (instance, token) => appPage(page, instance, token), tables: mistakesInTables, search: searchPage, showError });
  const checks = new Checks();
  context.subscriptions.push(
    commands,
    checks,
    ...registerFeatures(checks),
    ...ALL_COMMANDS.map((command) => LENS + command).map((id) =>
      vscode.commands.registerCommand(id, (model: string, data?: string[]) => commands.runLens(id, [model, data])),
    ),
  );
}

async function showError(error: unknown): Promise<void> {
  void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
}
