// Pages that the program writes, opened in a browser as files. PROGRAM names the program, CHROMIUM the browser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";

const ROOT = join(import.meta.dirname, "../..");
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
const PROGRAM = process.env.PROGRAM ?? join(ROOT, "target/release/conjure-like");

function playwright() {
  try {
    return createRequire(join(ROOT, "clients/web/page/package.json"))("playwright-core");
  } catch {
    return null;
  }
}

const driver = playwright();

/** The reason why these tests cannot run; false if everything is installed. */
export const skip =
  (!existsSync(BROWSER) && `there is no browser at ${BROWSER}`) ||
  (!driver && "playwright-core is not installed in clients/web/page") ||
  (!existsSync(PROGRAM) && `there is no program at ${PROGRAM}`);

/**
 * The fixture of a test file: a browser, and a folder for pages. Both are made before its tests, followed by `prepare`,
 * and removed after them.
 */
export function place(prepare = () => undefined) {
  let browser;
  const made = {
    /** The folder. */
    path: "",
    /** Writes a file into the folder, and returns its path. */
    write: (name, text) => (writeFileSync(made.at(name), text), made.at(name)),
    at: (...names) => join(made.path, ...names),
    /** Opens a page in a new window. */
    open: (path, options) => open(browser, path, options),
  };
  before(async () => {
    if (skip) return;
    browser = await driver.chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu", "--no-first-run"] });
    made.path = mkdtempSync(join(tmpdir(), "pages-"));
    await prepare(made);
  });
  after(async () => {
    await browser?.close();
    if (made.path) rmSync(made.path, { recursive: true });
  });
  return made;
}

/** The output of the program; paths are relative to the repository. */
export const run = (...words) => execFileSync(PROGRAM, words, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** Opens a page in a new window. Its errors are collected in `complaints`, and so are its requests. */
async function open(browser, path, { fragment = "", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, ...options });
  const page = await context.newPage();
  const url = `${pathToFileURL(path)}${fragment}`;
  page.setDefaultTimeout(20_000);
  page.complaints = [];
  page.on("console", (message) => message.type() === "error" && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.on("dialog", (dialog) => (page.complaints.push(`dialog ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => request.url().split("#")[0] !== url.split("#")[0] && page.complaints.push(`request to ${request.url()}`));
  await page.goto(url);
  return page;
}

/** Asserts that axe finds no violations on a page. */
export async function accessible(page, where) {
  await page.evaluate(readFileSync(join(ROOT, "clients/web/page/node_modules/axe-core/axe.min.js"), "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }));
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  assert.deepEqual(found, [], where);
}
