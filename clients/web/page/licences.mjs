// The licences of what is in the engine and in the scripts that run it.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "../../..");

/** The name of the npm package that a file belongs to, if it belongs to one. */
export const packageOf = (file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

/** The crates that the engine is built of, with their folders. */
function crates() {
  const options = ["metadata", "--format-version", "1", "--locked", "--filter-platform", "wasm32-wasip1"];
  const text = execFileSync("cargo", options, { cwd: join(ROOT, "clients/web/engine"), encoding: "utf8", maxBuffer: 1 << 28 });
  const { packages, resolve } = JSON.parse(text);
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const found = new Set();
  const add = (id) => {
    if (found.has(id)) return;
    found.add(id);
    // What only builds or tests something is not in the module.
    for (const { pkg, dep_kinds } of nodes.get(id).deps) if (dep_kinds.some(({ kind }) => kind === null)) add(pkg);
  };
  add(packages.find(({ name }) => name === "conjure-like-engine").id);
  const ours = ({ manifest_path }) => manifest_path.startsWith(ROOT);
  return packages.filter((one) => found.has(one.id) && !ours(one)).map(({ name, license, manifest_path }) => [name, dirname(manifest_path), license]);
}

/** The texts of the licences of these npm packages, and of the crates in the engine. */
export function licences(packages) {
  const npm = [...packages].map((name) => [name, join(HERE, "node_modules", name), ""]);
  const texts = [...npm, ...crates()].sort().map(([name, folder, declared]) => {
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|unlicense)/i.test(file) && statSync(join(folder, file)).isFile());
    const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
    if (texts.length === 0 && !declared) throw new Error(`the package ${name} has no licence`);
    return [name, declared, ...texts].filter(Boolean).join("\n\n") + "\n";
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
