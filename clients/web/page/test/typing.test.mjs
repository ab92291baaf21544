// Typed text appears exactly as it was typed: shipped models (with MODELS=all, each of them), and listings of the
// tutorial.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { browser, fresh, server, skip, useBrowser } from "./common.mjs";

const ROOT = join(import.meta.dirname, "../../../..");

let page;

useBrowser(async () => {
  page = await fresh(browser, server.url);
  await page.locator(".solution .picture").waitFor();
});

/** Milliseconds for a list of completions to appear and to accept keys. */
const OFFERED = 300;

const indentation = (line) => /^ */.exec(line)[0].length;

/** Types a text as a user does, without the indentation that the editor has already inserted. */
async function type(text, pauses) {
  await page.getByRole("button", { name: "New" }).click();
  await page.locator(".model .cm-content").click();
  let column = 0;
  for (const [at, line] of text.split("\n").entries()) {
    if (at > 0) await page.keyboard.press("Enter");
    const wanted = indentation(line);
    if (line) {
      // Backspace removes blanks up to the previous tab stop.
      for (; column > wanted; column -= column % 4 || 4) await page.keyboard.press("Backspace");
      await page.keyboard.type(line.slice(column));
    }
    if (line) column = wanted;
    if (pauses) await page.waitForTimeout(OFFERED);
  }
}

/** The text of the editor. It is copied, since the editor renders only the visible lines. */
async function written() {
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  return page.evaluate(() => navigator.clipboard.readText());
}

test("shipped models come out as they are typed", { skip }, async () => {
  const models = readdirSync(join(ROOT, "models")).filter((_, at) => process.env.MODELS === "all" || at % 8 === 0);
  for (const [at, name] of models.entries()) {
    const text = readFileSync(join(ROOT, "models", name), "utf8").trimEnd();
    await type(text, at === 0);
    assert.equal(await written(), text, name);
  }
  assert.deepEqual(page.complaints, []);
});

test("what the tutorial shows comes out as it is typed, slowly enough for offers", { skip }, async () => {
  const tutorial = readFileSync(join(ROOT, "docs/tutorial.md"), "utf8");
  const texts = [...tutorial.matchAll(/^```essence .*\n([^]*?)^```/gm)].map(([, text]) => text.trimEnd());
  assert.ok(texts.length > 10);
  for (const text of texts) {
    await type(text, true);
    assert.equal(await written(), text);
  }
  assert.deepEqual(page.complaints, []);
});

test("Enter begins a line, Tab accepts, and a complete word, a comma and an empty place offer nothing unasked", { skip }, async () => {
  const offers = page.locator(".cm-tooltip-autocomplete");
  for (const [text, isOffered] of [
    ["find number : int(1..3)\nsuch that num", true],
    ["find number : int(1..3)\nsuch that number", false],
    ["find x, y : int(1..3)\nsuch that x + y = 4,", false],
    ["given n : int", false],
    ["find number : int(1..3)\nsuch that ", false],
    ["find number : int(1..3)\nsuch that (", false],
  ]) {
    await type(text, false);
    await page.waitForTimeout(2 * OFFERED);
    assert.equal(await offers.count(), isOffered ? 1 : 0, text);
    await page.keyboard.press("Enter");
    await page.keyboard.type("x");
    const closed = text.endsWith("(") ? ")" : "";
    assert.equal(await written(), `${text}\nx${closed}`);
  }
  await type("find number : int(1..3)\nsuch that num", false);
  await offers.waitFor();
  await page.waitForTimeout(OFFERED);
  await page.keyboard.press("Tab");
  await page.keyboard.type(" = 1");
  assert.equal(await written(), "find number : int(1..3)\nsuch that number = 1");
  // On request, the list appears anywhere.
  await type("find number : int(1..3)\nsuch that number", false);
  await page.keyboard.press("Control+Space");
  await offers.waitFor();
  assert.deepEqual(page.complaints, []);
});
