// The packaged extension in an editor in a browser, like vscode.dev: no server, no program, and files that only the
// page can access. `VSCODE_WEB` names a folder with @vscode/test-web and its editor; ../install-tools makes one.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { until } from "../../../web/page/test/browser.mjs";
import { ods } from "../../../web/page/test/workbooks.mjs";
import { ROOT } from "./common.mjs";
import { browse, withoutBrowser, Workbench } from "./workbench.mjs";

const WEB = process.env.VSCODE_WEB ?? "";
const VSIX = join(import.meta.dirname, "../dist/conjure-like.vsix");

/** True if the package contains the engine. */
function hasEngine() {
  return execFileSync("python3", ["-m", "zipfile", "--list", VSIX], { encoding: "utf8" }).includes("extension/dist/app.html");
}

const skip =
  withoutBrowser ||
  (!existsSync(WEB) && "VSCODE_WEB does not name an editor") ||
  (!existsSync(VSIX) && "the extension is not packaged") ||
  (!hasEngine() && "the package does not have the engine, which `make app` builds");

let folder, served, browser, page, editor;

/** Seconds from opening a model in a freshly started editor to its first diagnostic. */
let coldStart;

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "essence-web-"));
  const work = join(folder, "work");
  for (const file of ["models/futoshiki.essence", "params/futoshiki-4.param", "params/futoshiki-3-none.param"]) {
    cpSync(join(ROOT, file), join(work, file));
  }
  writeFileSync(join(work, "small.essence"), "find x, y : int(1..3)\nsuch that x + y = 3,\n    x < y\n");
  writeFileSync(join(work, "items.essence"), "given n : int(1..9)\nfind chosen : set of int(1..n)\n");
  writeFileSync(join(work, "items-3.param"), "letting n be 3\n");
  writeFileSync(join(work, "items-12.param"), "letting n be 12\n");
  writeFileSync(join(work, "shopping.essence"), "given cost : function int(1..9) --> int(0..9)\nfind x : int(0..99)\nsuch that x = sum([c | (_, c) <- cost])\n");
  writeFileSync(join(work, "cost.ods"), ods({ May: [["item", "cost"], [1, 4], [2, "many"]], June: [["item", "cost"], [1, 4], [2, 5]] }));
  writeFileSync(join(work, "prices.param"), "letting cost be function(1 --> 40)\n");
  writeFileSync(join(work, "wrong.essence"), "find number : int(1..3)\nsuch that numbre = 1\n");
  execFileSync("python3", ["-m", "zipfile", "--extract", VSIX, folder]);

  const { open } = createRequire(join(WEB, "package.json"))("@vscode/test-web");
  const port = 20_000 + (process.pid % 20_000);
  served = await open({
    browserType: "none",
    host: "localhost",
    port,
    quality: "stable",
    commit: "packaged",
    testRunnerDataDir: WEB,
    extensionDevelopmentPath: join(folder, "extension"),
    folderPath: work,
  });
  ({ browser, page } = await browse(join(folder, "profile")));
  editor = new Workbench(page);
  await editor.start(`http://localhost:${port}/`);
  await page.waitForSelector('.explorer-folders-view :text("wrong.essence")');
  const opened = Date.now();
  await editor.openInTree("wrong.essence");
  await page.waitForSelector(".squiggly-error");
  coldStart = (Date.now() - opened) / 1000;
});

after(async () => {
  await browser?.close();
  served?.dispose();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

afterEach(async (test) => {
  if (!skip) await editor.screenshot(`web, last, ${test.name}`);
});

test("a mistake is listed, and the quick fix mends it", { skip, timeout: 60_000 }, async (test) => {
  test.diagnostic(`from the opening of the first model to its mistake: ${coldStart} s`);
  await editor.command("Problems: Focus on Problems View");
  await page.waitForSelector('.markers-panel :text("E0201")');
  await editor.screenshot("web, diagnostics");
  await editor.command("View: Toggle Panel Visibility");
  await page.locator(".view-line", { hasText: "numbre" }).getByText("numbre").click();
  await page.keyboard.press("Control+.");
  await page.waitForSelector('.action-widget .monaco-list-row.focused:has-text("number")');
  await page.keyboard.press("Enter");
  await page.waitForSelector(".squiggly-error", { state: "detached" });
  assert.match(await editor.textWith("such"), /number = 1/);
  await page.keyboard.press("Control+z");
});

test("names are completed, explained, found and changed", { skip, timeout: 60_000 }, async () => {
  await editor.closeAll();
  await editor.openInTree("items.essence");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("such that n in cho");
  // The editor may ask before the engine has received the text, and then shows an outdated list: ask again.
  const chosen = page.locator('.suggest-widget.visible .monaco-list-row', { hasText: "chosen" });
  for (let left = 3; left > 0; left -= 1) {
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+Space");
    if (await chosen.first().waitFor({ timeout: 8_000 }).then(() => true, () => left === 1)) break;
  }
  await chosen.first().waitFor({ timeout: 1_000 });
  // Enter always starts a line; Tab accepts.
  await page.keyboard.press("Tab");
  await page.waitForSelector('.view-line:has-text("in chosen")');
  await editor.screenshot("web, completion");
  await page.locator(".view-line", { hasText: "given" }).getByText("n", { exact: true }).first().hover();
  await page.waitForSelector('.monaco-hover :text("given n")');
  await editor.screenshot("web, hover");
  await page.mouse.move(0, 0);
  await page.keyboard.press("F2");
  await page.locator(".rename-box input").fill("picked");
  await page.keyboard.press("Enter");
  assert.match(await editor.textWith("such that n in picked"), /find picked/);
  await editor.command("Undo");
});

test("a value outside of the model's domain is a mistake of the data", { skip, timeout: 60_000 }, async () => {
  await editor.closeAll();
  await editor.openInTree("items-12.param");
  await page.waitForSelector(".squiggly-error");
  await page.waitForSelector(".codelens-decoration", { state: "detached" });
});

test("data find the only model that takes their values", { skip, timeout: 60_000 }, async () => {
  await editor.closeAll();
  await editor.openInTree("prices.param");
  await editor.command("Problems: Focus on Problems View");
  await page.waitForSelector('.markers-panel :text("cost")');
  await page.waitForSelector('.markers-panel :text("E0403")');
  await editor.command("View: Toggle Panel Visibility");
});

test("a lens solves", { skip, timeout: 60_000 }, async () => {
  await editor.closeAll();
  await editor.openInTree("small.essence");
  await page.locator(".codelens-decoration a", { hasText: "solve" }).first().click();
  await page.waitForSelector('.tab:has-text("small.solution")');
  assert.match(await editor.textWith("letting"), /letting x be 1/);
  await editor.screenshot("web, solution");
});

test("a sheet of a workbook is data, and mistakes in it are listed", { skip, timeout: 90_000 }, async () => {
  await editor.closeAll();
  await editor.openInTree("shopping.essence");
  /** Chooses the only data file with this name, and completes the word with its parameter. */
  const choose = async (file, more) => {
    await editor.command("Essence: Choose Data");
    const row = page.locator(`.quick-input-list .monaco-list-row:has-text("${file}")`);
    await row.waitFor();
    if (!(await row.locator("input[type=checkbox]").isChecked())) await row.click();
    await page.keyboard.press("Enter");
    await page.waitForFunction((file) => document.querySelector(".quick-input-widget .quick-input-box input")?.value.includes(`=${file}`), file);
    await page.keyboard.press("Control+a");
    await page.keyboard.type(more);
    await page.keyboard.press("Enter");
  };
  await choose("cost.ods", "cost=cost.ods#May");
  await editor.command("Problems: Focus on Problems View");
  await page.waitForSelector('.markers-panel :text("row 3, column cost")');
  await editor.screenshot("web, mistake in a workbook");
  await editor.command("View: Toggle Panel Visibility");
  await editor.openInTree("shopping.essence");
  await choose("cost.ods", "cost=cost.ods#June");
  await editor.command("Essence: Solve");
  await page.waitForSelector('.tab:has-text("cost.solution")');
  assert.match(await editor.textWith("letting"), /letting x be 9/);
});

test("a conflict is explained", { skip, timeout: 60_000 }, async () => {
  await editor.closeAll();
  await editor.openInTree("params/futoshiki-3-none.param");
  await page.locator(".codelens-decoration a", { hasText: "why" }).first().click();
  await page.waitForSelector('.tab:has-text("futoshiki-3-none.why.txt")');
  assert.match(await editor.textWith("no solution"), /cannot hold together/);
  await editor.screenshot("web, why");
});

test("a picture, the search and the app open in panels", { skip, timeout: 120_000 }, async () => {
  await editor.closeAll();
  await editor.openInTree("params/futoshiki-4.param");
  await page.locator(".codelens-decoration a", { hasText: "picture" }).first().click();
  await page.waitForSelector('.tab:has-text("Picture of futoshiki-4")');
  await editor.frame.locator("svg").waitFor();
  await editor.screenshot("web, picture");
  await editor.closeAll();
  await editor.openInTree("small.essence");
  await editor.command("Essence: Explore the Search");
  await page.waitForSelector('.tab:has-text("Search of small")');
  await editor.frame.locator("button").first().waitFor();
  await editor.screenshot("web, search");
  await editor.closeAll();
  await editor.openInTree("small.essence");
  await editor.command("Essence: Open as App");
  await page.waitForSelector('.tab:has-text("App of small")');
  const { frame } = editor;
  await until(() => frame.locator(".solve:not([disabled])").click(), frame.locator(".status", { hasText: "Solved" }));
  await editor.screenshot("web, app");
});
