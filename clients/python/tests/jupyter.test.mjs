// Models in JupyterLab cells: the data and solutions of an app come back to Python, and a model that is built in Python
// displays itself. The variable PYTHON names a Python with JupyterLab, CONJURE_LIKE the program and CONJURE_LIKE_APP
// the page.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { until } from "../../web/page/test/browser.mjs";
import { fresh, launch } from "../../web/page/test/common.mjs";

const ROOT = join(import.meta.dirname, "../../..");
const { CHROMIUM = "/usr/bin/chromium", PYTHON } = process.env;
const skip = !existsSync(CHROMIUM) && `there is no browser at ${CHROMIUM}`;

const folder = mkdtempSync(join(tmpdir(), "conjure-like-jupyter-"));
let server;
after(() => {
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

const cell = (source) => ({ cell_type: "code", execution_count: null, id: `c${source.length}`, metadata: {}, outputs: [], source });

const freePort = () =>
  new Promise((found) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => found(port));
    });
  });

/** Starts JupyterLab once, and waits until it answers. */
const started = () => (lab ??= start());
let lab;

async function start() {
  const port = await freePort();
  const env = { ...process.env, PYTHONPATH: join(ROOT, "clients/python"), JUPYTER_CONFIG_DIR: join(folder, "config"), JUPYTER_DATA_DIR: join(folder, "data"), IPYTHONDIR: join(folder, "ipython") };
  const options = ["--no-browser", "--allow-root", `--port=${port}`, "--ip=127.0.0.1", "--IdentityProvider.token=", "--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"];
  server = spawn(PYTHON, ["-m", "jupyterlab", ...options, `--notebook-dir=${folder}`], { env, stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  for (let round = 0; round < 600; round++) {
    if (await fetch(`${url}/api`).then(({ ok }) => ok, () => false)) return url;
    await new Promise((go) => setTimeout(go, 200));
  }
  throw new Error("JupyterLab does not answer");
}

/** Opens a notebook of these cells in a browser; `run` runs one of them until its result is there. */
async function opened(context, name, cells) {
  const python = { display_name: "Python 3", language: "python", name: "python3" };
  writeFileSync(join(folder, name), JSON.stringify({ cells: cells.map(cell), metadata: { kernelspec: python }, nbformat: 4, nbformat_minor: 5 }));
  const url = await started();
  const browser = await launch();
  context.after(async () => {
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`) });
    await browser.close();
  });
  // `reset` closes the notebook of the previous test.
  const page = await fresh(browser, `${url}/lab/tree/${name}?reset`);
  page.setDefaultTimeout(90_000);
  // JupyterLab asks the user for a kernel until it has one.
  await page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').waitFor();
  const run = (at, result) =>
    until(async () => {
      await page.locator(".jp-Notebook .jp-CodeCell .cm-content").nth(at).click();
      await page.keyboard.press("Shift+Enter");
    }, result);
  return { page, run, output: (hasText) => page.locator(".jp-OutputArea-output", { hasText }) };
}

/** Sets the capacity of the knapsack in the app, and solves. */
async function packed(page) {
  const frame = page.frameLocator('iframe[title="App"]');
  await frame.locator('[data-parameter="capacity"] input').fill("7");
  await frame.locator(".status", { hasText: "Click a place" }).waitFor();
  await frame.locator(".solve").click();
  await frame.locator(".status", { hasText: "This is a best solution: 10 (the value of all items in the knapsack)." }).waitFor();
}

const DATA = "item=['tent', 'rope', 'map'], weight={'tent': 5, 'rope': 2, 'map': 1}, value={'tent': 6, 'rope': 3, 'map': 4}, capacity=4";
const TELL = "print(app.data['capacity'], sorted(app.solution.chosen))";

test("an app in a cell: what is entered and found comes back, and a saved notebook does not hold the page", { skip, timeout: 300_000 }, async (context) => {
  writeFileSync(join(folder, "knapsack.essence"), readFileSync(join(ROOT, "models/knapsack.essence")));
  const show = `from conjure_like import Model\nmodel = Model('knapsack.essence')\napp = model.app(${DATA})\napp`;
  const { page, run, output } = await opened(context, "app.ipynb", [show, TELL]);
  await run(0, page.locator('iframe[title="App"]'));
  await packed(page);
  await run(1, output("7 ['map', 'tent']"));
  await page.keyboard.press("Control+s");
  await page.waitForTimeout(1500);
  assert.ok(readFileSync(join(folder, "app.ipynb"), "utf8").length < 100_000);
});

test("a model that Python builds: its app, its text with the picture of a solution, its solutions as a page, and its mistakes", { skip, timeout: 300_000 }, async (context) => {
  writeFileSync(join(folder, "knapsack.py"), readFileSync(join(ROOT, "clients/python/examples/models/knapsack.py")));
  const wrong = "m.require(len(m.find['chosen']) > 2)";
  const cells = [`from knapsack import model\nm = model()\napp = m.app(${DATA})\napp`, TELL, `m.solve(${DATA})\nm`, `m.explore(${DATA})`, wrong];
  const { page, run, output } = await opened(context, "builder.ipynb", cells);
  await run(0, page.locator('iframe[title="App"]'));
  await packed(page);
  await run(1, output("7 ['map', 'tent']"));
  await run(2, page.locator(".jp-OutputArea-output pre", { hasText: "maximising" }));
  await page.locator(".jp-OutputArea-output svg", { hasText: "map" }).first().waitFor();
  await run(3, page.locator('iframe[srcdoc*="Solutions of Knapsack"]'));
  await page.frameLocator('iframe[srcdoc*="Solutions of Knapsack"]').locator("body", { hasText: "solution in all" }).waitFor();
  await run(4, output("write `cl.size(chosen)`"));
  assert.equal(await output("Traceback").count(), 0);
});
