// The language server: starts `conjure-like lsp`, and shows what its commands return.

import * as vscode from "vscode";
import { DidChangeConfigurationNotification, ExecuteCommandRequest, LanguageClient } from "vscode-languageclient/node";
import { type Instance, instanceOf } from "./instance";
import { findProgram, showError } from "./program";
import { name, type Result, type Results } from "./results";
import type { Running } from "./running";

/** The commands that the server executes, and what the status bar calls them. */
const COMMANDS = {
  solve: "Solving",
  why: "Explaining",
  hint: "Looking for a hint in",
  picture: "Drawing",
} as const;

export type Command = keyof typeof COMMANDS;

export class Server implements vscode.Disposable {
  /** The client of the server that runs or starts. */
  private client: Promise<LanguageClient> | undefined;

  constructor(
    private readonly results: Results,
    private readonly running: Running,
  ) {}

  /** Starts the server, unless it runs. */
  start(): Promise<LanguageClient> {
    this.client ??= this.launch().catch((error) => {
      this.client = undefined;
      throw error;
    });
    return this.client;
  }

  /** Ends the server and starts it with the program that the settings name now. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Tells the server the settings, which have changed. */
  async configure(): Promise<void> {
    const client = await this.client;
    if (client) await sendSettings(client);
  }

  /** Executes a command for an instance, and shows the result. */
  async run(command: Command, instance: Instance): Promise<void> {
    const client = await this.start();
    const params = {
      command: `conjure-like.${command}`,
      arguments: [instance.model.toString(), instance.data.map((uri) => uri.toString())],
    };
    const result = await this.running.during(`${COMMANDS[command]} ${name(instance)}`, (token) =>
      client.sendRequest(ExecuteCommandRequest.type, params, token),
    );
    if (result) {
      await this.results.show(command, instance, result as Result);
    }
  }

  /** Executes the command of a code lens. The server may not know the parameter file. */
  private async runLens(id: string, [model, data = []]: [string, string[]?]): Promise<void> {
    const uri = vscode.Uri.parse(model);
    const instance = data.length > 0 ? { model: uri, data: data.map((file) => vscode.Uri.parse(file)) } : await instanceOf(uri);
    if (instance) {
      await this.run(id.replace(/^conjure-like\./, "") as Command, instance);
    }
  }

  private async launch(): Promise<LanguageClient> {
    const client = new LanguageClient(
      "conjure-like",
      "Essence (conjure-like)",
      { command: await findProgram(), args: ["lsp"] },
      {
        documentSelector: [
          { language: "essence", scheme: "file" },
          { language: "essence", scheme: "untitled" },
        ],
        middleware: { executeCommand: (command, args) => this.runLens(command, args as [string, string[]?]).catch(showError) },
      },
    );
    await client.start();
    await sendSettings(client);
    return client;
  }

  private async stop(): Promise<void> {
    const client = await this.client?.catch(() => undefined);
    this.client = undefined;
    await client?.dispose();
  }

  dispose(): void {
    void this.stop();
  }
}

/** Sends the settings for commands. */
function sendSettings(client: LanguageClient): Promise<void> {
  const settings = { "conjure-like": vscode.workspace.getConfiguration("conjure-like") };
  return client.sendNotification(DidChangeConfigurationNotification.type, { settings });
}
