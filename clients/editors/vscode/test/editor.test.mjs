// The packaged extension in a real editor: the server of VS Code. `VSCODE_SERVER` names the editor's server-main.js; the
// package code-server has one in lib/vscode/out.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { until } from "../../../web/page/test/browser.mjs";
import { PROGRAM, ROOT, withoutServer } from "./common.mjs";
import { browse, withoutBrowser, Workbench } from "./workbench.mjs";

const SERVER = process.env.VSCODE_SERVER ?? "";
const VSIX = join(import.meta.dirname, "../dist/conjure-like.vsix");

/** The page with the engine, which `make app` builds. */
const APP = process.env.CONJURE_LIKE_APP ?? join(ROOT, "clients/web/app.html");
process.env.CONJURE_LIKE_APP = APP;

const skip =
  withoutServer() ||
  (!existsSync(SERVER) && "VSCODE_SERVER does not name an editor") ||
  withoutBrowser ||
  (!existsSync(VSIX) && "the extension is not packaged");

let folder, server, browser, page, editor;

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "essence-editor-"));
  const work = join(folder, "work");
  for (const name of ["futoshiki", "n-queens", "magic-square"]) {
    cpSync(join(ROOT, `models/${name}.essence`), join(work, `models/${name}.essence`));
  }
  for (const name of ["futoshiki-4", "futoshiki-3-none", "n-queens-6"]) {
    cpSync(join(ROOT, `params/${name}.param`), join(work, `params/${name}.param`));
  }
  writeFileSync(join(work, "small.essence"), "find x, y : int(1..3)\nsuch that x + y = 3,\n    x < y\n");
  writeFileSync(join(work, "items.essence"), "given n : int(1..9)\nfind chosen : set of int(1..n)\n");
  writeFileSync(join(work, "params/items-3.param"), "letting n be 3\n");
  mkdirSync(join(work, "tables"));
  writeFileSync(join(work, "shopping.essence"), "given cost : function int(1..9) --> int(0..9)\nfind x : int(0..99)\nsuch that x = sum([c | (_, c) <- cost])\n");
  writeFileSync(join(work, "tables/cost.csv"), "item,cost\n1,4\n2,many\n");
  writeFileSync(join(work, "wrong.essence"), "find number : int(1..3)\nsuch that numbre = true\n");

  mkdirSync(join(work, "rota"));
  writeFileSync(join(work, "rota/rota.essence"), "find first, second : int(1..3)\nsuch that first != second\n");
  writeFileSync(
    join(work, "rota/cases.essence"),
    `$ model: rota.essence
$ solutions: 6
$ case: not twice
$ refuses: letting first be 2 letting second be 2
$ case: not the third
$ refuses: letting second be 3
$ accepts: letting first be 1 letting second be 1
`,
  );

  const settings = {
    "conjure-like.executable": PROGRAM,
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": false,
    "telemetry.telemetryLevel": "off",
  };
  mkdirSync(join(folder, "data/Machine"), { recursive: true });
  writeFileSync(join(folder, "data/Machine/settings.json"), JSON.stringify(settings));
  const options = ["--server-data-dir", folder, "--extensions-dir", join(folder, "extensions"), "--accept-server-license-terms"];
  execFileSync(process.execPath, [SERVER, ...options, "--install-extension", VSIX], { stdio: "ignore" });

  server = spawn(process.execPath, [SERVER, ...options, "--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--telemetry-level", "off"]);
  const port = await new Promise((found, fail) => {
    server.stdout.on("data", (text) => {
      const line = String(text).match(/listening on (\d+)/);
      if (line) found(line[1]);
    });
    server.on("exit", () => fail(new Error("the editor's server has ended")));
  });
  ({ browser, page } = await browse(join(folder, "profile")));
  editor = new Workbench(page);
  await editor.start(`http://127.0.0.1:${port}/?folder=${work}`);
  await page.getByText("Yes, I trust the authors").click({ timeout: 60_000 });
});

after(async () => {
  await browser?.close();
  server?.kill();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

afterEach(async (test) => {
  if (!skip) await editor.screenshot(`last, ${test.name}`);
});

test("a model is coloured", { skip, timeout: 120_000 }, async () => {
  await editor.open("futoshiki.essence");
  await page.waitForSelector(".view-line .mtk1");
  // A lens shows that the server has answered; the first `find` may be further down.
  await page.waitForSelector(".codelens-decoration", { state: "attached" });
  const colours = await page.$$eval(".view-line span span", (spans) => new Set(spans.map((span) => getComputedStyle(span).color)).size);
  await editor.screenshot("highlighting");
  assert.ok(colours >= 4, `${colours} colours`);
});

test("a mistake is underlined and listed", { skip, timeout: 60_000 }, async () => {
  await editor.closeAll();
  await editor.open("wrong.essence");
  await page.waitForSelector(".squiggly-error");
  await editor.command("Problems: Focus on Problems View");
  await page.waitForSelector('.markers-panel :text("E0201")');
  await editor.screenshot("diagnostics");
  await editor.command("View: Toggle Panel Visibility");
});

test("a lens opens a solution beside the model", { skip, timeout: 60_000 }, async () => {
  await editor.closeAll();
  await editor.open("small.essence");
  await page.locator(".codelens-decoration a", { hasText: /solve/i }).first().click();
  await page.waitForSelector('.tab:has-text("small.solution")');
  const text = await editor.textWith("letting");
  await editor.screenshot("solution");
  assert.match(text, /letting x be 1/);
});

test("a picture opens in a panel", { skip, timeout: 60_000 }, async () => {
  await editor.closeAll();
  await editor.open("futoshiki.essence");
  await editor.command("Essence: Show Picture");
  await editor.screenshot("choose");
  await editor.answer("futoshiki-4.param", "futoshiki-4");
  await page.waitForSelector('.tab:has-text("Picture of futoshiki-4")');
  const { frame } = editor;
  await frame.locator("svg").waitFor();
  await editor.screenshot("picture");
});

test("tables are data, which the editor remembers, and mistakes in them are listed", { skip, timeout: 90_000 }, async () => {
  await editor.closeAll();
  await editor.open("shopping.essence");
  await editor.command("Essence: Choose Data");
  const file = page.locator('.quick-input-list .monaco-list-row:has-text("cost.csv")');
  await file.waitFor();
  await file.click();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".quick-input-widget .quick-input-box input")?.value === "cost=tables/cost.csv");
  await editor.screenshot("data");
  await page.keyboard.press("Enter");
  await editor.command("Problems: Focus on Problems View");
  await page.waitForSelector('.markers-panel :text("row 3, column cost")');
  await editor.screenshot("mistake in a table");
  await editor.command("View: Toggle Panel Visibility");
  // Fix the error in the editor; the table need not be saved.
  await editor.open("cost.csv");
  await page.waitForSelector(".squiggly-error");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("item,cost\n1,4\n2,5\n");
  await page.waitForSelector(".squiggly-error", { state: "detached" });
  await editor.open("shopping.essence");
  await editor.command("Essence: Solve");
  await page.waitForSelector('.tab:has-text("cost.solution")');
  const text = await editor.textWith("letting");
  assert.match(text, /letting x be 9/);
});

test("a conflict is explained", { skip, timeout: 60_000 }, async () => {
  await editor.closeAll();
  await editor.open("futoshiki-3-none.param");
  await editor.command("Essence: Why Is There No Solution?");
  await editor.answer("futoshiki.essence", "futoshiki");
  await page.waitForSelector('.tab:has-text("futoshiki-3-none.why.txt")');
  const text = await editor.textWith("no solution");
  await editor.screenshot("why");
  assert.match(text, /cannot hold together/);
});

test("the search opens in a panel", { skip, timeout: 60_000 }, async () => {
  await editor.closeAll();
  await editor.open("small.essence");
  await editor.command("Essence: Explore the Search");
  await page.waitForSelector('.tab:has-text("Search of small")');
  const { frame } = editor;
  await frame.locator("button").first().waitFor();
  await editor.screenshot("search");
});

test("a model opens as an app, which follows edits and keeps what was entered", { skip: skip || (!existsSync(APP) && `there is no page at ${APP}`), timeout: 120_000 }, async () => {
  await editor.closeAll();
  await editor.open("items.essence");
  await editor.command("Essence: Open as App");
  await editor.answer("items-3.param", "items-3");
  await page.waitForSelector('.tab:has-text("App of items-3")');
  const { frame } = editor;
  const field = frame.locator('[data-parameter="n"] input');
  await field.waitFor();
  assert.equal(await field.inputValue(), "3");
  await field.fill("5");
  await until(() => frame.locator(".solve:not([disabled])").click(), frame.locator(".status", { hasText: "Solved" }));
  await editor.screenshot("app");
  // Type another decision variable into the model; the number that was entered stays.
  await page.locator(".tab", { hasText: "items.essence" }).click();
  await page.waitForSelector(".monaco-editor.focused");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("find spare : bool\n");
  await frame.getByText("spare").first().waitFor({ timeout: 60_000 });
  for (let round = 0; round < 100 && (await field.inputValue()) !== "5"; round++) await page.waitForTimeout(100);
  assert.equal(await field.inputValue(), "5");
  await page.keyboard.press("Control+z");
  await editor.screenshot("app, edited");
});

test("test cases are listed, and run alone and together", { skip, timeout: 120_000 }, async () => {
  await editor.closeAll();
  await page.locator(".activitybar .codicon-test-view-icon").click();
  const row = (text) => page.locator(".test-explorer .monaco-list-row", { hasText: text });
  await row("cases.essence").waitFor();
  await row("cases.essence").click();
  await page.keyboard.press("ArrowRight");
  for (const name of ["all", "not twice", "not the third"]) await row(name).waitFor();
  await editor.screenshot("test cases");
  // Run one case: the others keep the icon of cases that have not run.
  await row("not twice").hover();
  await row("not twice").locator(".codicon-testing-run-icon").click();
  await row("not twice").locator(".codicon-testing-passed-icon").waitFor();
  await row("not the third").locator(".codicon-testing-unset-icon").waitFor();
  await editor.open("cases.essence");
  await editor.command("Test: Run Tests in Current File");
  await row("not the third").locator(".codicon-testing-failed-icon").waitFor();
  await row("all").locator(".codicon-testing-passed-icon").waitFor();
  await editor.screenshot("test cases, run");
  // The diff shows the value that the case refuses beside a solution that contains it.
  await page.locator(".panel .monaco-list-row", { hasText: "expected to be refused" }).click();
  const found = page.locator(".panel .monaco-diff-editor .editor.modified .view-lines");
  await found.waitFor();
  assert.match((await found.innerText()).replace(/\u00a0/g, " "), /letting first be \d/);
  await editor.screenshot("test cases, difference");
  await editor.command("View: Toggle Panel Visibility");
});

test("a program that is missing is reported, with a button that opens the setting", { skip, timeout: 60_000 }, async () => {
  await editor.closeAll();
  await editor.open("small.essence");
  await page.waitForSelector(".codelens-decoration");
  const file = join(folder, "work/.vscode/settings.json");
  mkdirSync(join(folder, "work/.vscode"));
  writeFileSync(file, JSON.stringify({ "conjure-like.executable": "no-such-program" }));
  const message = page.locator(".notification-list-item", { hasText: "The program no-such-program is not on the PATH" });
  await message.first().waitFor();
  await editor.screenshot("missing");
  assert.equal(await page.locator(".notification-list-item").count(), 1);
  await message.first().getByText("Open the Setting").click();
  await page.waitForSelector('.tab.active:has-text("Settings")');
  rmSync(file);
});

// Keep this test last, because it leaves an unsaved text.
test("names are completed", { skip, timeout: 60_000 }, async () => {
  await editor.closeAll();
  await editor.open("small.essence");
  await page.locator(".view-line").last().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("such that alld");
  await page.keyboard.press("Control+Space");
  // There is a snippet for allDiff, but not for this one.
  await page.waitForSelector('.suggest-widget.visible .monaco-list-row:has-text("alldifferent_except")');
  await editor.screenshot("completion");
});
