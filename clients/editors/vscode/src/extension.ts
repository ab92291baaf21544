// The entry point of the extension in a desktop editor.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { begin } from "./begin";
import { Cases } from "./cases";
import { appPage } from "./page";
import { findProgram, showError } from "./program";
import { Tasks } from "./tasks";

export function activate(context: vscode.ExtensionContext): void {
  begin(context, {
    connect: async (id, name, options) => new LanguageClient(id, name, { command: await findProgram(), args: ["lsp"] }, options),
    schemes: [],
    settings: {},
    app: (_, instance, token) => appPage(instance, token),
    showError,
  });
  context.subscriptions.push(vscode.tasks.registerTaskProvider("conjure-like", new Tasks()), new Cases(showError));
}
