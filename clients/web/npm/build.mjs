// Builds the package for npm into the folder OUT, which is emptied first. ENGINE names the engine's module for
// WebAssembly.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { packageOf, tellContents } from "../page/contents.mjs";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "../../..");
const { ENGINE, OUT } = process.env;
if (!ENGINE || !existsSync(ENGINE)) throw new Error("ENGINE does not name the engine's module for WebAssembly");
if (!OUT) throw new Error("OUT does not name the folder");

// The build tools are installed with the pages.
const require = createRequire(join(HERE, "../page/package.json"));
const { build } = require("esbuild");
const dist = join(OUT, "dist");
rmSync(OUT, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

execFileSync(process.execPath, [require.resolve("typescript/bin/tsc"), "--project", HERE, "--outDir", dist], { stdio: "inherit" });
// The worker scripts are not imported, so they need no declarations.
for (const script of ["node", "node-worker", "worker"]) rmSync(join(dist, `${script}.d.ts`));

const options = { bundle: true, format: "esm", legalComments: "none", logLevel: "warning", metafile: true, outdir: dist, target: "es2022" };
const made = await Promise.all([
  build({ ...options, absWorkingDir: HERE, entryPoints: ["src/index.ts", "src/worker.ts"] }),
  build({ ...options, absWorkingDir: HERE, entryPoints: ["src/node.ts", "src/node-worker.ts"], platform: "node" }),
]);
copyFileSync(ENGINE, join(dist, "engine.wasm"));

const packages = new Set(made.flatMap(({ metafile }) => Object.keys(metafile.inputs).map(packageOf)).filter(Boolean));
tellContents(OUT, packages);
copyFileSync(join(HERE, "package.json"), join(OUT, "package.json"));
const { homepage } = JSON.parse(readFileSync(join(HERE, "package.json"), "utf8"));
// The README links into the repository, which the package does not contain.
writeFileSync(join(OUT, "README.md"), readFileSync(join(HERE, "README.md"), "utf8").replaceAll("](../../../", `](${homepage}/`));
for (const file of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(ROOT, file), join(OUT, file));
