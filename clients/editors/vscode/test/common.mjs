// Shared by the tests: the paths of the checkout and the program.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

/** The root of the checkout. */
export const ROOT = join(import.meta.dirname, "../../../..");

/** The program under test: `CONJURE_LIKE`, or the release build. */
export const PROGRAM = process.env.CONJURE_LIKE ?? join(process.env.CARGO_TARGET_DIR ?? join(ROOT, "target"), "release/conjure-like");

/** The reason why tests of the language server cannot run, or `false`. */
export function withoutServer() {
  if (!existsSync(PROGRAM)) {
    return `there is no program at ${PROGRAM}`;
  }
  try {
    execFileSync(PROGRAM, ["lsp", "--help"], { stdio: "ignore" });
    return false;
  } catch {
    return "the program does not have the command lsp";
  }
}

/** The Essence files below folders of the checkout. */
export function essenceFiles(...folders) {
  return folders.flatMap((folder) =>
    readdirSync(resolve(ROOT, folder), { recursive: true })
      .filter((file) => /\.(essence|param|solution)$/.test(file))
      .map((file) => resolve(ROOT, folder, file))
      .sort(),
  );
}
