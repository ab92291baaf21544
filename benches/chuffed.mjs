// Runs a MiniZinc model with Chuffed, which Debian does not have: the npm package `minizinc` holds it as WebAssembly, and Chromium
// executes that.
//
//     node benches/chuffed.mjs MODULES LIMIT MODEL DATA
//
// MODULES is a folder `node_modules` with `minizinc` and `playwright-core`. It prints what the command `minizinc -a` would print, as
// soon as it is found. WebAssembly is slower than a program; the time to start Chromium counts, too.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";

const [modules, limit, model, data] = process.argv.slice(2);
const require = createRequire(join(resolve(modules), "..", "index.js"));
const { chromium } = require("playwright-core");

const files = {
  "/": ["text/html", async () => "<!DOCTYPE html><title>Chuffed</title><script src='minizinc.js'></script>"],
};
for (const [name, type] of [
  ["minizinc.js", "text/javascript"],
  ["minizinc-worker.js", "text/javascript"],
  ["minizinc.wasm", "application/wasm"],
  ["minizinc.data", "application/octet-stream"],
]) {
  files[`/${name}`] = [type, () => readFile(join(modules, "minizinc/dist", name))];
}

const server = createServer(async (request, response) => {
  const file = files[request.url.split("?")[0]];
  response.writeHead(file ? 200 : 404, { "Content-Type": file?.[0] ?? "text/plain" });
  response.end(file ? await file[1]() : "");
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
page.on("pageerror", (error) => console.error(`error: ${error}`));
await page.exposeFunction("emit", (text) => process.stdout.write(text));
await page.goto(`http://127.0.0.1:${server.address().port}/`);
const status = await page.evaluate(
  async ({ model, data, dataName, limit }) => {
    const instance = new MiniZinc.Model();
    instance.addFile("model.mzn", model);
    instance.addFile(dataName, data);
    const solving = instance.solve({
      options: { solver: "chuffed", "all-solutions": true, "time-limit": 1000 * limit },
    });
    let printing = Promise.resolve();
    solving.on("solution", ({ output }) => {
      printing = printing.then(() => emit(`${output.default ?? output.dzn ?? ""}\n----------\n`));
    });
    solving.on("error", ({ message }) => {
      printing = printing.then(() => emit(`error: ${message}\n`));
    });
    const result = await solving;
    await printing;
    return result.status;
  },
  {
    model: await readFile(model, "utf8"),
    data: await readFile(data, "utf8"),
    dataName: basename(data),
    limit: Number(limit),
  },
);
if (["OPTIMAL_SOLUTION", "ALL_SOLUTIONS"].includes(status)) process.stdout.write("==========\n");
await browser.close();
server.close();
