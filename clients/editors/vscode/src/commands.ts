// The commands about the instance in the active editor, and those of the lenses above a model. What carries them out differs: the program, or in a browser
// the engine.

import * as vscode from "vscode";
import { openAsApp } from "./app";
import { activeInstance, chooseData, type Instance, instanceOf, name } from "./instance";
import { type Result, Results } from "./results";
import { Running } from "./running";
import { TableChecks } from "./tables";

/** The commands that show a result, and what the status bar calls them. */
const COMMANDS = {
  solve: "Solving",
  why: "Explaining",
  hint: "Looking for a hint in",
  picture: "Drawing",
} as const;

export type Command = keyof typeof COMMANDS;

export const ALL_COMMANDS = Object.keys(COMMANDS) as Command[];

/** The word in front of the commands of lenses. */
export const LENS = "conjure-like.";

/** What carries out the commands. */
export interface Host {
  run(command: Command, instance: Instance, token: vscode.CancellationToken): Promise<Result | undefined>;
  /** The page of the app of an instance, with the texts as they are in the editor. */
  app(instance: Instance, token?: vscode.CancellationToken): Promise<string>;
  /** What is wrong with the tables of an instance, for each file. */
  tables(instance: Instance): Promise<[vscode.Uri, vscode.Diagnostic[]][]>;
  /** The page that shows the search of a textbook solver. */
  search(instance: Instance, token: vscode.CancellationToken): Promise<string>;
  showError(error: unknown): Promise<void>;
}

export class Commands implements vscode.Disposable {
  private readonly results = new Results();
  private readonly running = new Running();
  private readonly checks: TableChecks;
  private readonly registered: vscode.Disposable[];

  constructor(private readonly host: Host) {
    const about = (id: string, action: (instance: Instance) => Promise<unknown>, ask = false) =>
      vscode.commands.registerCommand(id, () =>
        activeInstance(ask)
          .then((instance) => instance && action(instance))
          .catch(host.showError),
      );
    this.checks = new TableChecks(host.tables);
    this.registered = [
      ...ALL_COMMANDS.map((command) => about(`essence.${command}`, (instance) => this.run(command, instance))),
      about("essence.solveWithParameters", (instance) => this.run("solve", instance), true),
      vscode.commands.registerCommand("essence.chooseData", () => chooseData().catch(host.showError)),
      about("essence.search", (instance) => this.search(instance)),
      about("essence.app", (instance) => openAsApp(instance, host.app, this.results, this.running)),
      vscode.commands.registerCommand("essence.format", () => vscode.commands.executeCommand("editor.action.formatDocument")),
    ];
  }

  /** Carries out a command for an instance, and shows the result. */
  private async run(command: Command, instance: Instance): Promise<void> {
    const result = await this.running.during(`${COMMANDS[command]} ${name(instance)}`, (token) => this.host.run(command, instance, token));
    if (result) await this.results.show(command, instance, result);
  }

  /** Carries out the command of a lens, which may not know the parameter file. */
  async runLens(id: string, [model, data = []]: [string, string[]?]): Promise<void> {
    try {
      const uri = vscode.Uri.parse(model);
      const instance = data.length > 0 ? { model: uri, data: data.map((file) => vscode.Uri.parse(file)), tables: [] } : await instanceOf(uri);
      if (instance) await this.run(id.slice(LENS.length) as Command, instance);
    } catch (error) {
      await this.host.showError(error);
    }
  }

  private async search(instance: Instance): Promise<void> {
    const title = name(instance);
    const page = await this.running.during(`Searching ${title}`, (token) => this.host.search(instance, token));
    if (page !== undefined) this.results.page(`Search of ${title}`, page, true);
  }

  dispose(): void {
    for (const one of [...this.registered, this.results, this.running, this.checks]) one.dispose();
  }
}

/** The seconds after which a command ends, if there is a limit. */
export function limitTime(): number | undefined {
  const limit = vscode.workspace.getConfiguration("conjure-like").get("limitTime", 0);
  return limit > 0 ? limit : undefined;
}
