// The licences of what is in the engine and in the scripts that run it.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "../../..");
const TARGET = "wasm32-wasip1";

/** The name of the npm package that a file belongs to, if it belongs to one. */
export const packageOf = (file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

const cargo = (...options) => execFileSync("cargo", [...options, "--locked"], { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 28 });

/** The crates that the engine is built of, with their folders and licences. What only builds or tests something is not in the module. */
function crates() {
  const folders = new Map();
  const { packages } = JSON.parse(cargo("metadata", "--format-version", "1", "--filter-platform", TARGET));
  for (const { name, version, manifest_path } of packages) folders.set(`${name} v${version}`, dirname(manifest_path));
  const options = ["--package", "conjure-like-engine", "--target", TARGET, "--edges", "normal,no-proc-macro", "--prefix", "none", "--no-dedupe"];
  const lines = new Set(cargo("tree", ...options, "--format", "{p}|{l}").split("\n").filter(Boolean));
  const all = [...lines].map((line) => {
    const [crate, licence] = line.split("|");
    const [name, version] = crate.split(" ");
    return [name, folders.get(`${name} ${version}`), licence];
  });
  return all.filter(([, folder]) => !folder.startsWith(ROOT));
}

/** The licences of these npm packages, and of the crates in the engine: what each is under, and each text once, below the names of those that have it. */
export function licences(packages) {
  const npm = [...packages].map((name) => {
    const folder = join(HERE, "node_modules", name);
    return [name, folder, JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).license];
  });
  const all = [...npm, ...crates()].sort();
  const texts = new Map();
  for (const [name, folder, declared] of all) {
    if (!declared) throw new Error(`the package ${name} has no licence`);
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|unlicense)/i.test(file) && statSync(join(folder, file)).isFile());
    for (const file of files.sort()) {
      const text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
      texts.set(text, [...(texts.get(text) ?? []), name]);
    }
  }
  const parts = [...texts].map(([text, names]) => `${names.join(", ")}\n\n${text}\n`);
  const list = all.map(([name, , declared]) => `${name}: ${declared}\n`).join("");
  return [list, ...parts].join(`\n${"-".repeat(80)}\n\n`);
}
