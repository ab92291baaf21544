// Activates the extension in any editor. The language server is the program, or the engine in a browser.

import * as vscode from "vscode";
import { Commands } from "./commands";
import { type Instance, onDidChoose, rememberIn } from "./instance";
import { type Connect, Server } from "./server";

/** The differences between editors. */
interface Host {
  /** Starts the language server. */
  connect: Connect;
  /** The URI schemes of files, besides `file`. */
  schemes: string[];
  /** Settings that override the user's. */
  settings: object;
  /** Makes the page of the app of an instance from the texts in the editor. */
  app(server: Server, instance: Instance, token?: vscode.CancellationToken): Promise<string>;
  showError(error: unknown): Promise<void>;
}

export function begin(context: vscode.ExtensionContext, { connect, schemes, settings, app, showError }: Host): void {
  rememberIn(context.workspaceState);
  const server: Server = new Server(connect, schemes, settings, (id, args) => commands.runLens(id, args));
  const commands = new Commands(server, (instance, token) => app(server, instance, token), showError);
  const restart = () => server.restart().catch(showError);
  const configure = () => server.configure().catch(showError);
  context.subscriptions.push(
    commands,
    server,
    vscode.commands.registerCommand("essence.restart", restart),
    onDidChoose(configure),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("conjure-like.executable")) void restart();
      else if (change.affectsConfiguration("conjure-like")) void configure();
    }),
  );
  server.start().catch(showError);
}
