// Builds the page of an app: one HTML file with everything but a model. ENGINE and WORKBOOK name the modules for
// WebAssembly; each is compressed into a file beside it. OUT names the page. `conjure-like app` inserts a model at the
// two places that start with `@app`.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const { ENGINE, OUT, WORKBOOK } = process.env;
if (!ENGINE || !existsSync(ENGINE)) throw new Error("ENGINE does not name the engine's module for WebAssembly");
if (!WORKBOOK || !existsSync(WORKBOOK)) throw new Error("WORKBOOK does not name the module for WebAssembly that reads workbooks");
if (!OUT) throw new Error("OUT does not name the file");

async function bundle(entry) {
  const { outputFiles } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    legalComments: "none",
    loader: { ".woff2": "dataurl" },
    logLevel: "warning",
  });
  const text = outputFiles[0].text.trim();
  // The contents of an element must not end it, and an app must not link to another host.
  for (const mark of ["</script", "</style", "<!--"]) if (text.includes(mark)) throw new Error(`${entry} holds ${mark}`);
  return text;
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const [script, worker, style] = await Promise.all(["src/app/app.ts", "src/app/worker.ts", "src/app/app.css"].map(bundle));
const [engine, workbook] = [ENGINE, WORKBOOK].map((module) => readFileSync(`${module}.gz`).toString("base64"));
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)} 'wasm-unsafe-eval' blob:`,
  "worker-src blob:",
  `style-src ${hash(style)}`,
  "font-src data:",
  "img-src blob: data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
const page = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>@app title@</title>
<style>${style}</style>
</head>
<body>
<noscript><p>This page needs JavaScript and WebAssembly. It sends nothing anywhere.</p></noscript>
<script type="application/json" id="app">@app data@</script>
<script type="text/plain" id="worker">${worker}</script>
<script type="text/plain" id="engine">${engine}</script>
<script type="text/plain" id="workbook">${workbook}</script>
<script>${script}</script>
</body>
</html>
`;
mkdirSync(dirname(OUT), { recursive: true });
writeFileSync(`${OUT}.new`, page);
renameSync(`${OUT}.new`, OUT);
const megabytes = (text) => (text.length / 1e6).toFixed(2);
console.log(`${OUT}: ${megabytes(page)} MB (engine ${megabytes(engine)}, workbooks ${megabytes(workbook)}, script ${(script.length / 1e3).toFixed(0)} kB)`);
