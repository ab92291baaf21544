// Where the extension begins: what it registers with the editor.

import * as vscode from "vscode";
import { openAsApp } from "./app";
import { activeInstance, type Instance } from "./instance";
import { showError } from "./program";
import { Results } from "./results";
import { Running } from "./running";
import { exploreSearch } from "./search";
import { Server } from "./server";
import { Tasks } from "./tasks";

export function activate(context: vscode.ExtensionContext): void {
  const results = new Results();
  const running = new Running();
  const server = new Server(results, running);

  /** Registers a command whose errors are shown to the user. */
  const command = (id: string, action: () => Promise<unknown>) =>
    vscode.commands.registerCommand(id, () => action().catch(showError));
  /** A command about the instance in the active editor. */
  const about = (action: (instance: Instance) => Promise<unknown>, ask = false) => async () => {
    const instance = await activeInstance(ask);
    return instance && action(instance);
  };

  context.subscriptions.push(
    results,
    running,
    server,
    command("essence.solve", about((instance) => server.run("solve", instance))),
    command("essence.solveWithParameters", about((instance) => server.run("solve", instance), true)),
    command("essence.why", about((instance) => server.run("why", instance))),
    command("essence.hint", about((instance) => server.run("hint", instance))),
    command("essence.picture", about((instance) => server.run("picture", instance))),
    command("essence.search", about((instance) => exploreSearch(instance, results, running))),
    command("essence.app", about((instance) => openAsApp(instance, results, running))),
    command("essence.format", async () => vscode.commands.executeCommand("editor.action.formatDocument")),
    command("essence.restart", () => server.restart()),
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
