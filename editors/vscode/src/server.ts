// The language server: starts `conjure-like lsp`, and shows what its commands return.

import * as vscode from "vscode";
import { ExecuteCommandRequest, LanguageClient } from "vscode-languageclient/node";
import type { Instance } from "./instance";
import { findProgram } from "./program";
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

  /** Executes a command for an instance, and shows the result. */
  run(command: Command, { model, data }: Instance): Promise<void> {
    return this.execute(`conjure-like.${command}`, [model.toString(), data.map((uri) => uri.toString())]);
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
        synchronize: { configurationSection: "conjure-like" },
        // Code lenses come here, and so do our own commands.
        middleware: { executeCommand: (command, args) => this.execute(command, args) },
      },
    );
    await client.start();
    return client;
  }

  private async execute(id: string, args: unknown[]): Promise<void> {
    const client = await this.start();
    const command = id.replace(/^conjure-like\./, "") as Command;
    const [model, data = []] = args as [string, string[]?];
    const instance = { model: vscode.Uri.parse(model), data: data.map((uri) => vscode.Uri.parse(uri)) };
    const result = await this.running.during(`${COMMANDS[command]} ${name(instance)}`, (token) =>
      client.sendRequest(ExecuteCommandRequest.type, { command: id, arguments: [model, data] }, token),
    );
    if (result) {
      await this.results.show(command, instance, result as Result);
    }
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
