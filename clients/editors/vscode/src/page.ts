// Has the program write the page of an app.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { fileName, type Instance } from "./instance";
import { findProgram } from "./program";

/** The page of the app of an instance, from the texts in the editor, saved or not. Each run uses a temporary folder. */
export async function appPage({ model, data, tables }: Instance, token?: vscode.CancellationToken): Promise<string> {
  const documents = await Promise.all([model, ...data].map((uri) => vscode.workspace.openTextDocument(uri)));
  const program = await findProgram();
  const folder = await mkdtemp(join(tmpdir(), "conjure-like-"));
  try {
    const files = documents.map(({ uri }) => join(folder, fileName(uri)));
    await Promise.all(documents.map((document, at) => writeFile(files[at] as string, document.getText())));
    const page = join(folder, "page.html");
    await run(program, ["--color=never", "app", ...files, ...tables, "-o", page], vscode.Uri.joinPath(model, "..").fsPath, token);
    return await readFile(page, "utf8");
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs a program to its end. If it fails, its standard error becomes the error's message. */
function run(program: string, args: string[], cwd: string, token?: vscode.CancellationToken): Promise<void> {
  return new Promise((done, fail) => {
    const child = execFile(program, args, { cwd }, (error, _, stderr) => (error ? fail(new Error(stderr || error.message)) : done()));
    token?.onCancellationRequested(() => child.kill("SIGINT"));
  });
}
