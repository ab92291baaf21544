// The client of the language server: starts the server, and requests the results of commands.

import * as vscode from "vscode";
import { type BaseLanguageClient, type Diagnostic, DidChangeConfigurationNotification, ExecuteCommandRequest, type LanguageClientOptions } from "vscode-languageclient";
import { LENS } from "./commands";
import { chosenModels, type Instance } from "./instance";

/** Makes the client of a server without starting it. */
export type Connect = (id: string, name: string, options: LanguageClientOptions) => Promise<BaseLanguageClient>;

/** The model and its data as the server expects them: URIs, and tables as on the command line. */
const argumentsOf = ({ model, data, tables }: Instance) => [model.toString(), [...data.map((uri) => uri.toString()), ...tables]];

export class Server implements vscode.Disposable {
  /** The client of the running or starting server. */
  private client: Promise<BaseLanguageClient> | undefined;

  /** `onLens` runs the command of a lens. */
  constructor(
    private readonly connect: Connect,
    private readonly schemes: string[],
    private readonly settings: object,
    private readonly onLens: (id: string, args: [string, string[]?]) => Promise<void>,
  ) {}

  /** Starts the server unless it is running. */
  start(): Promise<BaseLanguageClient> {
    this.client ??= this.launch().catch((error) => {
      this.client = undefined;
      throw error;
    });
    return this.client;
  }

  /** Restarts the server with the current settings. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Sends changed settings to the server. */
  async configure(): Promise<void> {
    const client = await this.client;
    if (client) await this.sendSettings(client);
  }

  /** The result of a command for an instance. */
  async execute<R>(command: string, instance: Instance, token?: vscode.CancellationToken): Promise<R> {
    const client = await this.start();
    return client.sendRequest(ExecuteCommandRequest.type, { command: LENS + command, arguments: argumentsOf(instance) }, token) as Promise<R>;
  }

  /** The diagnostics of the tables of an instance, by file. */
  async tables(instance: Instance): Promise<[vscode.Uri, vscode.Diagnostic[]][]> {
    const client = await this.start();
    const found = await this.execute<{ uri: string; diagnostics: Diagnostic[] }[]>("tables", instance);
    return Promise.all(
      found.map(async ({ uri, diagnostics }) => [vscode.Uri.parse(uri), await client.protocol2CodeConverter.asDiagnostics(diagnostics)] as [vscode.Uri, vscode.Diagnostic[]]),
    );
  }

  private async launch(): Promise<BaseLanguageClient> {
    const schemes = [...new Set(["file", ...this.schemes])];
    const client = await this.connect("conjure-like", "Essence (conjure-like)", {
      documentSelector: [
        ...[...schemes, "untitled"].map((scheme) => ({ language: "essence", scheme })),
        ...schemes.map((scheme) => ({ pattern: "**/*.{csv,tsv,jsonl}", scheme })),
      ],
      middleware: { executeCommand: (command, args) => this.onLens(command, args as [string, string[]?]) },
    });
    await client.start();
    await this.sendSettings(client);
    return client;
  }

  private sendSettings(client: BaseLanguageClient): Promise<void> {
    const settings = { ...vscode.workspace.getConfiguration("conjure-like"), ...this.settings, models: chosenModels() };
    return client.sendNotification(DidChangeConfigurationNotification.type, { settings: { "conjure-like": settings } });
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
