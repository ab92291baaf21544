// Builds the static files into clients/web/dist, which is replaced only when all of them are complete. ENGINE and
// WORKBOOK name the modules for WebAssembly: the engine, and the reader of workbooks. API names the folder with the
// reference of the library, and OUT another folder for the files.
//
// Scripts, the engine and fonts have a hash of their content in their names. Pages have none; the service worker keeps
// all files of one build together.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { constants, gzipSync } from "node:zlib";
import { packageOf, tellContents } from "./contents.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, "../../..");
const PLACE = process.env.OUT ?? join(HERE, "../dist");
/** Each build writes to a separate folder, so that builds can run at the same time. */
const OUT = `${PLACE}.new-${process.pid}`;
const CACHE = join(HERE, `node_modules/.cache/${process.pid}`);
const ASSETS = join(OUT, "assets");
const { API, ENGINE, WORKBOOK } = process.env;
if (!API || !existsSync(join(API, "conjure_like/index.html"))) throw new Error("API does not name the folder with the reference of the library");
if (!ENGINE || !existsSync(ENGINE)) throw new Error("ENGINE does not name the engine's module for WebAssembly");
if (!WORKBOOK || !existsSync(WORKBOOK)) throw new Error("WORKBOOK does not name the module for WebAssembly that reads workbooks");

const gzip = (bytes) => gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION });
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 10);

/** Writes an asset under a name with its hash, and returns the name. */
function asset(name, bytes) {
  const named = name.replace(/(\.[^.]*)$/, `-${hash(bytes)}$1`);
  writeFileSync(join(ASSETS, named), bytes);
  return named;
}

/** The npm packages that the outputs contain parts of. */
const packages = new Set();

/** Bundles scripts or style sheets into the assets. Returns the names of the outputs by the names of the entries. */
async function bundle(entries, options) {
  const { metafile } = await build({
    absWorkingDir: HERE,
    entryPoints: entries,
    outdir: ASSETS,
    entryNames: "[name]-[hash]",
    chunkNames: "shared-[hash]",
    assetNames: "[name]-[hash]",
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    metafile: true,
    legalComments: "none",
    loader: { ".woff2": "file" },
    logLevel: "warning",
    ...options,
  });
  for (const input of Object.keys(metafile.inputs)) {
    const name = packageOf(input);
    if (name) packages.add(name);
  }
  const outputs = Object.entries(metafile.outputs).filter(([, output]) => output.entryPoint);
  return Object.fromEntries(outputs.map(([file, output]) => [output.entryPoint, relative(ASSETS, join(HERE, file))]));
}

/** Bundles and imports a script of this folder for the build itself. */
async function load(entry) {
  const outfile = join(CACHE, entry.replaceAll("/", "-").replace(/\.ts$/, ".mjs"));
  await build({
    absWorkingDir: HERE,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "warning",
  });
  return import(pathToFileURL(outfile).href);
}

process.on("exit", () => [OUT, CACHE].forEach((folder) => rmSync(folder, { recursive: true, force: true })));
mkdirSync(ASSETS, { recursive: true });

const site = await load("src/site.ts");
const wasm = readFileSync(ENGINE);
const define = { ENGINE_FILE: JSON.stringify(asset("engine.bin", readFileSync(`${ENGINE}.gz`))) };
define.WORKBOOK_FILE = JSON.stringify(asset("workbook.bin", readFileSync(`${WORKBOOK}.gz`)));
const engine = await site.engineFor(wasm);
define.EXAMPLES_FILE = JSON.stringify(asset("examples.json", JSON.stringify(await site.examples(ROOT, engine))));
const workers = await bundle([process.env.WORKER ?? "../npm/src/worker.ts"], {});
define.WORKER_FILE = JSON.stringify(Object.values(workers)[0]);
const scripts = await bundle(["src/main.ts", "src/docs.ts", "src/embed.ts", "src/blocks/pane.ts"], { define, splitting: true });
const styles = await bundle(["src/style.css"], {});

cpSync(join(HERE, "static"), OUT, { recursive: true });
const script = (name) => scripts[`src/${name}.ts`];
const pages = await site.pages(ROOT, { style: styles["src/style.css"], script, engine: JSON.parse(define.ENGINE_FILE) });
for (const [name, text] of Object.entries(pages)) {
  mkdirSync(dirname(join(OUT, name)), { recursive: true });
  writeFileSync(join(OUT, name), text);
}
await build({
  absWorkingDir: HERE,
  entryPoints: ["src/cell.ts"],
  outfile: join(OUT, "cell.js"),
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
});

tellContents(OUT, packages);

// The service worker comes last, because it lists all other files.
const files = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(join(folder, entry.name)) : [relative(OUT, join(folder, entry.name))],
  );
const all = files(OUT).sort();
/** Files that are fetched on demand: when the user opens a workbook or the blocks. */
const later = [JSON.parse(define.WORKBOOK_FILE), scripts["src/blocks/pane.ts"]].map((file) => `assets/${file}`);
const version = hash(all.map((file) => file + hash(readFileSync(join(OUT, file)))).join("\n"));
await build({
  absWorkingDir: HERE,
  entryPoints: ["src/sw.ts"],
  outfile: join(OUT, "sw.js"),
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  define: { FILES: JSON.stringify(all.filter((file) => !later.includes(file))), LATER: JSON.stringify(later), VERSION: JSON.stringify(version) },
});

// Solving does not need the reference, so it is not cached for offline use.
cpSync(API, join(OUT, "api"), { recursive: true, filter: (file) => !file.endsWith(".lock") });

// All browsers unpack gzip, but not all of them Brotli, so the engine is served as gzip.
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
const total = megabytes([...all, "sw.js"].filter((file) => !later.includes(file)).reduce((sum, file) => sum + gzip(readFileSync(join(OUT, file))).length, 0));
const [module, workbook] = [define.ENGINE_FILE, define.WORKBOOK_FILE].map((file) => megabytes(statSync(join(ASSETS, JSON.parse(file))).size));
const blocks = megabytes(gzip(readFileSync(join(ASSETS, scripts["src/blocks/pane.ts"]))).length);

// Swap the folders by renaming, so that no reader sees a mixture of two builds.
if (existsSync(PLACE)) renameSync(PLACE, `${OUT}.old`);
renameSync(OUT, PLACE);
rmSync(`${OUT}.old`, { recursive: true, force: true });
console.log(`${all.length + 1} files in ${relative(process.cwd(), PLACE) || PLACE}, ${total} MB compressed (engine: ${module} MB), and ${workbook} MB for workbooks, ${blocks} MB for blocks`);

// The manual quotes the sizes measured here.
const manual = join(ROOT, "docs/browser.md");
const written = readFileSync(manual, "utf8");
const measured = written.replace(/The engine is [\d.]+ MB .*/, `The engine is ${module} MB compressed, all files together are ${total} MB. What reads workbooks is another ${workbook} MB, and what shows blocks ${blocks} MB.`);
if (measured !== written) {
  if (process.env.UPDATE) writeFileSync(manual, measured);
  else console.log("The sizes in docs/browser.md are others. To write these, set UPDATE=1.");
}
