// The app of a model in a cell of JupyterLab: somebody changes the data, solves, and finds both in Python. PYTHON has JupyterLab, CONJURE_LIKE and
// CONJURE_LIKE_APP name the program and the page.

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

/** Starts JupyterLab, and waits until it answers. */
async function started() {
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

test("an app in a cell: what is entered and found comes back, and a saved notebook does not hold the page", { skip, timeout: 300_000 }, async (context) => {
  const show = "from conjure_like import Model\nmodel = Model('knapsack.essence')\napp = model.app(item=['tent', 'rope', 'map'], weight={'tent': 5, 'rope': 2, 'map': 1}, value={'tent': 6, 'rope': 3, 'map': 4}, capacity=4)\napp";
  const tell = "print(app.data['capacity'], sorted(app.solution.chosen))";
  writeFileSync(join(folder, "knapsack.essence"), readFileSync(join(ROOT, "models/knapsack.essence")));
  const python = { display_name: "Python 3", language: "python", name: "python3" };
  writeFileSync(join(folder, "app.ipynb"), JSON.stringify({ cells: [show, tell].map(cell), metadata: { kernelspec: python }, nbformat: 4, nbformat_minor: 5 }));
  const url = await started();
  const browser = await launch();
  context.after(() => browser.close());
  const page = await fresh(browser, `${url}/lab/tree/app.ipynb`);
  page.setDefaultTimeout(90_000);
  const editor = (at) => page.locator(".jp-Notebook .jp-CodeCell .cm-content").nth(at);
  const run = (at, result) =>
    until(async () => {
      await editor(at).click();
      await page.keyboard.press("Shift+Enter");
    }, result);
  await run(0, page.locator('iframe[title="App"]'));
  const frame = page.frameLocator('iframe[title="App"]');
  await frame.locator('[data-parameter="capacity"] input').fill("7");
  await frame.locator(".status", { hasText: "Click a place" }).waitFor();
  await frame.locator(".solve").click();
  await frame.locator(".status", { hasText: "This is a best solution: 10." }).waitFor();
  await run(1, page.locator(".jp-OutputArea-output", { hasText: "7 ['map', 'tent']" }));
  await page.keyboard.press("Control+s");
  await page.waitForTimeout(1500);
  assert.ok(readFileSync(join(folder, "app.ipynb"), "utf8").length < 100_000);
});
