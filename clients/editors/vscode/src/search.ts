// "Explore the Search": the page that `conjure-like search --html` writes, in a panel.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import type { Instance } from "./instance";
import { findProgram } from "./program";
import { name, type Results } from "./results";
import type { Running } from "./running";

export async function exploreSearch({ model, data }: Instance, results: Results, running: Running): Promise<void> {
  for (const uri of [model, ...data]) {
    await (await vscode.workspace.openTextDocument(uri)).save();
  }
  const program = await findProgram();
  const folder = await mkdtemp(join(tmpdir(), "conjure-like-"));
  try {
    const page = join(folder, "search.html");
    const files = [model, ...data].map((uri) => uri.fsPath);
    const limit = vscode.workspace.getConfiguration("conjure-like").get("limitTime", 0);
    const options = ["--color=never", "--html", page, ...(limit > 0 ? [`--limit-time=${limit}`] : [])];
    const title = name({ model, data });
    await running.during(`Searching ${title}`, async (token) => {
      await run(program, ["search", ...files, ...options], dirname(model.fsPath), token);
      results.page(`Search of ${title}`, await readFile(page, "utf8"), true);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs a program to its end; what it says is the error's message if it fails. */
function run(program: string, args: string[], cwd: string, token: vscode.CancellationToken): Promise<void> {
  return new Promise((done, fail) => {
    const child = execFile(program, args, { cwd }, (error, _, stderr) => (error ? fail(new Error(stderr || error.message)) : done()));
    token.onCancellationRequested(() => child.kill("SIGINT"));
  });
}
