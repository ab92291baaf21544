// Pages that the program writes.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as vscode from "vscode";
import { findProgram } from "./program";

/** Runs the program with these arguments, which name the file to write, and returns what it has written. Each run has a folder of its own. */
export async function writtenPage(
  args: (file: string, folder: string) => string[] | Promise<string[]>,
  cwd: string,
  token?: vscode.CancellationToken,
): Promise<string> {
  const program = await findProgram();
  const folder = await mkdtemp(join(tmpdir(), "conjure-like-"));
  try {
    const page = join(folder, "page.html");
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
