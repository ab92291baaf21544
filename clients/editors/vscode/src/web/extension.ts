// The entry point of the extension in an editor in a browser, such as vscode.dev: the engine for WebAssembly does
// everything, in workers.

import * as vscode from "vscode";
import { begin } from "../begin";
import { appPage } from "./app";
import { EngineClient } from "./client";
import { loadEngine } from "./engine";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const page = await loadEngine(context.extensionUri);
  const folders = vscode.workspace.workspaceFolders ?? [];
  begin(context, {
    // The constructor wants a worker, which only its default transports would use; this class has others.
    connect: async (id, name, options) => new EngineClient(id, name, options, undefined as unknown as Worker),
    schemes: folders.map(({ uri }) => uri.scheme),
    // The engine has one solver and one thread.
    settings: { solver: "", threads: 0 },
    app: (server, instance, token) => appPage(page, server, instance, token),
    showError: async (error) => void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error)),
  });
}
