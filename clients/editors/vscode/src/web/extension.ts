// Where the extension begins in an editor that is a page, such as vscode.dev: everything is done by the engine for WebAssembly, in workers.

import * as vscode from "vscode";
import { begin } from "../begin";
import { appPage } from "./app";
import { EngineClient } from "./client";
import { loadEngine } from "./engine";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const page = await loadEngine(context.extensionUri);
  const folders = vscode.workspace.workspaceFolders ?? [];
  begin(context, {
    // The class asks for a worker, which only the transports that this one has not got would use.
    connect: async (id, name, options) => new EngineClient(id, name, options, undefined as unknown as Worker),
    schemes: folders.map(({ uri }) => uri.scheme),
    // The engine has one solver and one thread.
    settings: { solver: "", threads: 0 },
    app: (server, instance, token) => appPage(page, server, instance, token),
    showError: async (error) => void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error)),
  });
}
