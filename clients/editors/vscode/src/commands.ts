// The commands for the instance in the active editor, and those of the lenses above a model. The language server runs
// them.

import * as vscode from "vscode";
import { openAsApp } from "./app";
import { activeInstance, chooseData, type Instance, instanceOf, name } from "./instance";
import { type Result, Results } from "./results";
import { Running } from "./running";
import type { Server } from "./server";
import { TableChecks } from "./tables";

/** The commands that show a result, with their labels in the status bar. */
const COMMANDS = {
  solve: "Solving",
  why: "Explaining",
  hint: "Looking for a hint in",
  picture: "Drawing",
  search: "Searching",
} as const;

type Command = keyof typeof COMMANDS;

/** The word in front of the commands of lenses. */
export const LENS = "conjure-like.";

export class Commands implements vscode.Disposable {
  private readonly results = new Results();
  private readonly running = new Running();
  private readonly checks: TableChecks;
  private readonly registered: vscode.Disposable[];

  /** `app` makes the page of the app of an instance from the texts in the editor. */
  constructor(
    private readonly server: Server,
    app: (instance: Instance, token?: vscode.CancellationToken) => Promise<string>,
    private readonly showError: (error: unknown) => Promise<void>,
  ) {
    const about = (id: string, action: (instance: Instance) => Promise<unknown>, ask = false) =>
      vscode.commands.registerCommand(id, () =>
        activeInstance(ask)
          .then((instance) => instance && action(instance))
          .catch(showError),
      );
    this.checks = new TableChecks((instance) => server.tables(instance));
    this.registered = [
      ...(Object.keys(COMMANDS) as Command[]).map((command) => about(`essence.${command}`, (instance) => this.run(command, instance))),
      about("essence.solveWithParameters", (instance) => this.run("solve", instance), true),
      vscode.commands.registerCommand("essence.chooseData", () => chooseData().catch(showError)),
      about("essence.app", (instance) => openAsApp(instance, app, this.results, this.running)),
      vscode.commands.registerCommand("essence.format", () => vscode.commands.executeCommand("editor.action.formatDocument")),
    ];
  }

  /** Runs a command for an instance, and shows the result. */
  private async run(command: Command, instance: Instance): Promise<void> {
    const result = await this.running.during(`${COMMANDS[command]} ${name(instance)}`, (token) => this.server.execute<Result>(command, instance, token));
    if (result) await this.results.show(command, instance, result);
  }

  /** Runs the command of a lens, which may not know the parameter file. */
  async runLens(id: string, [model, data = []]: [string, string[]?]): Promise<void> {
    try {
      const uri = vscode.Uri.parse(model);
      const instance = data.length > 0 ? { model: uri, data: data.map((file) => vscode.Uri.parse(file)), tables: [] } : await instanceOf(uri);
      if (instance) await this.run(id.slice(LENS.length) as Command, instance);
    } catch (error) {
      await this.showError(error);
    }
  }

  dispose(): void {
    for (const one of [...this.registered, this.results, this.running, this.checks]) one.dispose();
  }
}
