// Finds the program that the setting `conjure-like.executable` names, and checks that it can serve an editor.

import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import * as vscode from "vscode";

/** An error in the setting, with a message for the user. */
class ProgramError extends Error {}

/** The path of the program, or a `ProgramError`. */
export async function findProgram(): Promise<string> {
  const setting = vscode.workspace.getConfiguration("conjure-like").get("executable", "").trim() || "conjure-like";
  const program = resolve(setting);
  if (program === undefined) {
    throw new ProgramError(
      /[\\/]/.test(setting)
        ? `There is no program at ${setting}.`
        : `The program ${setting} is not on the PATH. Install it, or write its path into the settings.`,
    );
  }
  if (!(await succeeds(program, ["lsp", "--help"]))) {
    throw new ProgramError(
      (await succeeds(program, ["--version"]))
        ? `${program} is too old: it does not have the command lsp.`
        : `${program} cannot be run.`,
    );
  }
  return program;
}

/** Shows an error; if the setting is wrong, with a button that opens the setting. */
export async function showError(error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ProgramError)) {
    void vscode.window.showErrorMessage(message);
    return;
  }
  const open = "Open the Setting";
  if ((await vscode.window.showErrorMessage(message, open)) === open) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "conjure-like.executable");
  }
}

/** The program's folder in a package for one platform; packages for all platforms do not contain it. */
const PACKAGED = join(__dirname, "../program/bin");

function resolve(setting: string): string | undefined {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  const path = setting.replace(/^~(?=$|[\\/])/, homedir()).replace("${workspaceFolder}", folder);
  const places = isAbsolute(path)
    ? [path]
    : /[\\/]/.test(path)
      ? [join(folder, path)]
      : [PACKAGED, ...(process.env["PATH"] ?? "").split(delimiter)].map((directory) => join(directory, path));
  const names = process.platform === "win32" ? places.flatMap((place) => [place, `${place}.exe`]) : places;
  return names.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function succeeds(program: string, args: string[]): Promise<boolean> {
  return new Promise((done) => execFile(program, args, { timeout: 10_000 }, (error) => done(error === null)));
}
