// Pages that the program writes.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { limitTime } from "./commands";
import { fileName, type Instance } from "./instance";
import { findProgram } from "./program";

/** The page of the app of an instance, with the texts as they are in the editor, saved or not. */
export async function appPage({ model, data, tables }: Instance, token?: vscode.CancellationToken): Promise<string> {
  const documents = await Promise.all([model, ...data].map((uri) => vscode.workspace.openTextDocument(uri)));
  return writtenPage(
    async (file, folder) => {
      const files = documents.map(({ uri }) => join(folder, fileName(uri)));
      await Promise.all(documents.map((document, at) => writeFile(files[at] as string, document.getText())));
      return ["app", ...files, ...tables, "-o", file];
    },
    model,
    token,
  );
}

/** The page that shows the search of an instance. */
export async function searchPage({ model, data, tables }: Instance, token: vscode.CancellationToken): Promise<string> {
  for (const uri of [model, ...data]) await (await vscode.workspace.openTextDocument(uri)).save();
  const files = [model, ...data].map((uri) => uri.fsPath);
  const limit = limitTime();
  const options = limit ? [`--limit-time=${limit}`] : [];
  return writtenPage((file) => ["search", ...files, ...tables, ...options, "--html", file], model, token);
}

/** Runs the program with these arguments, which name the file to write, and returns what it has written. Each run has a folder of its own. */
async function writtenPage(
  args: (file: string, folder: string) => string[] | Promise<string[]>,
  model: vscode.Uri,
  token?: vscode.CancellationToken,
): Promise<string> {
  const program = await findProgram();
  const folder = await mkdtemp(join(tmpdir(), "conjure-like-"));
  try {
    const page = join(folder, "page.html");
    const cwd = vscode.Uri.joinPath(model, "..").fsPath;
    await run(program, ["--color=never", ...(await args(page, folder))], cwd, token);
    return await readFile(page, "utf8");
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs a program to its end; what it says is the error's message if it fails. */
function run(program: string, args: string[], cwd: string, token?: vscode.CancellationToken): Promise<void> {
  return new Promise((done, fail) => {
    const child = execFile(program, args, { cwd }, (error, _, stderr) => (error ? fail(new Error(stderr || error.message)) : done()));
    token?.onCancellationRequested(() => child.kill("SIGINT"));
  });
}
