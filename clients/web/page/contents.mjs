// The contents of the engine and of its scripts, for licences and the bill of materials.

import { execFileSync } from "node:child_process";
import { join } from "node:path";

const TOOL = join(import.meta.dirname, "../../../tools/contents");

/** The npm package that a file belongs to, or `undefined`. */
export const packageOf = (file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

/** Writes licences.txt and sbom.cdx.json of the engine and these npm packages to a folder. */
export function tellContents(folder, packages) {
  const options = ["--package", "conjure-like-engine", "--target", "wasm32-wasip1", ...[...packages].flatMap((name) => ["--npm", name])];
  execFileSync("python3", [TOOL, folder, ...options], { stdio: "inherit" });
}
