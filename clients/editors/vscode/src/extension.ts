// Where the extension begins on a computer with the program.

import * as vscode from "vscode";
import { Commands } from "./commands";
import { rememberIn } from "./instance";
import { appPage, searchPage } from "./page";
import { showError } from "./program";
import { Server } from "./server";
import { Tasks } from "./tasks";

export function activate(context: vscode.ExtensionContext): void {
  rememberIn(context.workspaceState);
  const server: Server = new Server((id, args) => commands.runLens(id, args));
  const commands = new Commands({ run: server.run, app: appPage, tables: server.tables, search: searchPage, showError });
  context.subscriptions.push(
    commands,
    server,
    vscode.commands.registerCommand("essence.restart", () => server.restart().catch(showError)),
    vscode.tasks.registerTaskProvider("conjure-like", new Tasks()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("conjure-like.executable")) {
        server.restart().catch(showError);
      } else if (change.affectsConfiguration("conjure-like")) {
        server.configure().catch(showError);
      }
    }),
  );
  server.start().catch(showError);
}
