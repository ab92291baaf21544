// The language server: starts `conjure-like lsp`, and asks it for what its commands return.

import * as vscode from "vscode";
import { type Diagnostic, DidChangeConfigurationNotification, ExecuteCommandRequest, LanguageClient } from "vscode-languageclient/node";
import { type Command, LENS } from "./commands";
import type { Instance } from "./instance";
import { findProgram } from "./program";
import type { Result } from "./results";

/** The model and its data, as the server takes them: URIs, and tables as on the command line. */
const argumentsOf = ({ model, data, tables }: Instance) => [model.toString(), [...data.map((uri) => uri.toString()), ...tables]];

export class Server implements vscode.Disposable {
  /** The client of the server that runs or starts. */
  private client: Promise<LanguageClient> | undefined;

  /** `onLens` carries out the command of a lens. */
  constructor(private readonly onLens: (id: string, args: [string, string[]?]) => Promise<void>) {}

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

  /** The result of a command for an instance. */
  readonly run = async (command: Command, instance: Instance, token: vscode.CancellationToken): Promise<Result | undefined> => {
    const client = await this.start();
    const params = {
      command: LENS + command,
      arguments: argumentsOf(instance),
    };
    return (await client.sendRequest(ExecuteCommandRequest.type, params, token)) as Result | undefined;
  };

  /** What is wrong with the tables of an instance. */
  readonly tables = async (instance: Instance): Promise<[vscode.Uri, vscode.Diagnostic[]][]> => {
    const client = await this.start();
    const params = { command: `${LENS}tables`, arguments: argumentsOf(instance) };
    const found = (await client.sendRequest(ExecuteCommandRequest.type, params)) as { uri: string; diagnostics: Diagnostic[] }[];
    const shown = ({ uri, diagnostics }: (typeof found)[number]) => client.protocol2CodeConverter.asDiagnostics(diagnostics).then((all) => [vscode.Uri.parse(uri), all]);
    return Promise.all(found.map(shown)) as Promise<[vscode.Uri, vscode.Diagnostic[]][]>;
  };

  private async launch(): Promise<LanguageClient> {
    const client = new LanguageClient(
      "conjure-like",
      "Essence (conjure-like)",
      { command: await findProgram(), args: ["lsp"] },
      {
        documentSelector: [
          { language: "essence", scheme: "file" },
          { language: "essence", scheme: "untitled" },
          { pattern: "**/*.{csv,tsv,jsonl}", scheme: "file" },
        ],
        middleware: { executeCommand: (command, args) => this.onLens(command, args as [string, string[]?]) },
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
