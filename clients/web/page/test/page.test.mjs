// A newcomer uses the page, in Chromium.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { until } from "./browser.mjs";
import { ods, xlsx } from "./workbooks.mjs";
import { accessible, becomes, browser, DIST, fresh, serve, server, skip, useBrowser } from "./common.mjs";
import { go, model, output, paste, ready, tab, write } from "./playground.mjs";

const SCREENSHOTS = join(import.meta.dirname, "screenshots");

const PROGRAM = process.env.PROGRAM ?? "conjure-like";

if (!skip) mkdirSync(SCREENSHOTS, { recursive: true });
useBrowser();

/** The factor by which other processes slow this one down: the time of a loop over its processor time. */
function slowdown() {
  const [began, used] = [performance.now(), process.cpuUsage()];
  while (process.cpuUsage(used).user < 200_000);
  return Math.max(1, (performance.now() - began) / 200);
}

/** Opens the page in a fresh profile, which shows a model with its solution; returns the page and the seconds that this
 * would take if no other process were running. */
async function firstVisit() {
  const before = slowdown();
  const began = performance.now();
  const page = await fresh(browser, server.url);
  await page.locator(".solution .picture").waitFor();
  return { page, seconds: (performance.now() - began) / 1000 / ((before + slowdown()) / 2) };
}

test("the first visit shows a short model with its solution beside it, within two seconds", { skip }, async () => {
  let { page, seconds } = await firstVisit();
  // The machine may be busy, so take the best of several visits.
  for (let visits = 1; visits < 4 && seconds >= 2; visits++) {
    await page.context().close();
    const next = await firstVisit();
    page = next.page;
    seconds = Math.min(seconds, next.seconds);
  }
  assert.ok(seconds < 2, `it took ${seconds.toFixed(2)} s`);
  console.log(`first solution after ${seconds.toFixed(2)} s`);
  const lines = (await page.locator(".model .cm-line").allInnerTexts()).filter((line) => line.trim());
  assert.ok(lines.length < 12, `${lines.length} lines`);
  assert.ok(lines.filter((line) => line.startsWith("$")).length <= 2, "no wall of comments");
  assert.equal((await page.locator(".data .cm-content").innerText()).trim(), "letting n be 8");
  const [model, solution] = [await page.locator(".model .cm-content").boundingBox(), await page.locator(".solution .picture").boundingBox()];
  assert.ok(solution.x > model.x + model.width - 20 && solution.y < 500, "the solution stands beside the model");
  assert.deepEqual(page.complaints, []);
  await page.screenshot({ path: join(SCREENSHOTS, "solved.png") });
  await page.context().close();
});

test("New makes an empty model with empty data, and nothing that looks like either", { skip }, async () => {
  const page = await fresh(browser, `${server.url}#example=futoshiki/futoshiki-4`);
  await ready(page);
  await page.getByRole("button", { name: "New" }).click();
  for (const pane of [".model", ".data"]) {
    const [text, hint] = await page.locator(`${pane} .cm-content`).evaluate((content) => {
      const placeholder = content.querySelector(".cm-placeholder")?.textContent ?? "";
      return [content.textContent.replace(placeholder, ""), placeholder];
    });
    assert.equal(text, "");
    assert.ok(hint.length > 20);
    assert.doesNotMatch(hint, /^\s*(letting|find|given|such that)\b/m, "the hint is not Essence");
  }
  assert.equal(await page.locator(".instance").count(), 0);
  assert.equal(await page.locator(".title").inputValue(), "");
  await write(page, ".model", "find x : int(1..3)\nsuch that x > 2\n");
  await go(page).click();
  await page.locator(".solution").getByText("3").waitFor();
  // The history contains the previous work.
  await page.getByRole("button", { name: "History" }).click();
  await page.locator(".version").getByText("futoshiki").first().waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("tabs and Solve stand in one row, and on a telephone Solve is there in each view", { skip }, async () => {
  for (const width of [1180, 1200, 1280, 1366, 1440, 1920]) {
    const page = await fresh(browser, server.url, { viewport: { width, height: 900 } });
    await ready(page);
    const tops = await page.locator(".tab, .go:visible").evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top + one.getBoundingClientRect().height / 2)));
    assert.ok(Math.max(...tops) - Math.min(...tops) < 6, `${width}: ${tops}`);
    assert.equal(await page.locator(".tabs").evaluate((tabs) => tabs.scrollWidth <= tabs.clientWidth), true);
    await page.context().close();
  }
  const page = await fresh(browser, server.url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await ready(page);
  for (const view of ["Data", "Results", "Model"]) {
    await page.locator(".views").getByRole("button", { name: view }).click();
    const box = await go(page).boundingBox();
    assert.ok(box.y + box.height <= 844 && box.height >= 40, view);
  }
  await go(page).click();
  await page.locator(".solution .picture").waitFor();
  assert.ok(await page.locator(".result").isVisible());
  // An icon without visible text has a tooltip.
  for (const one of await page.locator("button:has(.icon):visible, a:has(.icon):visible").all()) {
    const named = await one.evaluate((element) => element.title || element.innerText.trim());
    assert.ok(named, await one.evaluate((element) => element.outerHTML));
  }
  await page.context().close();
});

test("no comment of an example tells its solution", { skip }, () => {
  const file = readdirSync(join(DIST, "assets")).find((name) => name.startsWith("examples-"));
  const texts = JSON.parse(readFileSync(join(DIST, "assets", file), "utf8")).flatMap(({ examples }) => examples.flatMap(({ model, instances }) => [model, ...instances.map(({ text }) => text)]));
  assert.ok(texts.length > 50);
  for (const text of texts) assert.doesNotMatch(text, /^\$ (solutions?|optimum|model):/m, text.slice(0, 200));
});

test("a page inside the page is as light or dark as it is", { skip }, async () => {
  const page = await fresh(browser, `${server.url}#example=n-queens/n-queens-4`, { colorScheme: "light" });
  await ready(page);
  await page.getByRole("button", { name: "Light or dark" }).click();
  await tab(page, "Explore");
  await go(page).click();
  const frame = page.frameLocator(".laboratory").frameLocator("iframe");
  const ground = () => frame.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
  await frame.locator("#left").waitFor();
  const around = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await becomes(async () => (await ground()) === (await around()), true);
  const dark = await ground();
  await page.getByRole("button", { name: "Light or dark" }).click();
  await frame.locator('html[data-theme="light"] body').waitFor();
  await becomes(async () => (await ground()) === (await around()) && (await ground()) !== dark, true);
  await page.context().close();
});

test("a broken puzzle is explained, a requirement is shown in the texts, and a repair is tried in a copy", { skip }, async () => {
  const page = await fresh(browser, `${server.url}#example=futoshiki/futoshiki-4`);
  await ready(page);
  const data = page.locator(".data .cm-content");
  await data.click();
  const text = readFileSync(join(import.meta.dirname, "../../../../params/futoshiki-4.param"), "utf8").replace("(1, 1) --> 2", "(1, 1) --> 4");
  assert.match(text, /\(1, 1\) --> 4/);
  await write(page, ".data", text);
  await go(page).click();
  await page.getByText("There is no solution.").waitFor();
  await page.getByRole("button", { name: "Why?" }).click();
  const reasons = page.locator(".reason");
  await reasons.first().waitFor();
  // A smaller explanation may replace the first one.
  await page.waitForFunction(() => !document.querySelector(".running"));
  await reasons.last().click();
  await page.locator(".cm-place").first().waitFor();
  await page.screenshot({ path: join(SCREENSHOTS, "why.png") });
  await page.getByRole("button", { name: "Try it" }).first().click();
  await page.locator(".solution .picture").waitFor();
  await page.getByText("This is a copy with the repair.").waitFor();
  assert.match(await page.locator(".title").inputValue(), /repaired/);
  await page.getByRole("button", { name: "Back to the original" }).click();
  await becomes(() => page.locator(".title").inputValue(), "futoshiki");
  await data.filter({ hasText: "(1, 1) --> 4" }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("the best solution is found, and why nothing is better is explained", { skip }, async () => {
  const page = await fresh(browser, `${server.url}#example=knapsack/knapsack-5`);
  await ready(page);
  // The keys work wherever the focus is.
  await page.keyboard.press("Control+Enter");
  await page.getByText(/ · objective \d+/).waitFor();
  await tab(page, "Why?");
  await page.getByLabel("Question").selectOption({ label: "Why is nothing better possible?" });
  await go(page).click();
  await page.getByText("A better one is impossible").waitFor();
  await page.getByText("Any one of these changes makes a better solution possible").waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("expressions are evaluated, with the names of the model and the solution that is shown", { skip }, async () => {
  const page = await fresh(browser, `${server.url}#example=futoshiki/futoshiki-4`);
  await ready(page);
  const evaluate = async (expression, expected) => {
    await page.getByLabel("An expression").fill(expression);
    await page.keyboard.press("Enter");
    await page.locator(".answers > li").first().getByText(expected).waitFor();
  };
  await tab(page, "Evaluate");
  await evaluate("n * 10 + 2", "42");
  // A parameter without a value is allowed if the expression does not need it.
  await write(page, ".model", "given n, m : int\ngiven T new type enum\nwhere m > n\nfind x : matrix indexed by [T] of int(1..m)\nsuch that forAll t : T . x[t] < n\n");
  await write(page, ".data", "letting n be 4");
  await evaluate("n * 10 + 3", "43");
  await evaluate("m + 1", "the parameter m has no value");
  await page.goto(`${server.url}#example=futoshiki/futoshiki-4`);
  await page.reload();
  await ready(page);
  await tab(page, "Evaluate");
  await evaluate("board[1, 1]", "is a decision variable, which has no value here");
  await tab(page, "Solve");
  await go(page).click();
  await page.locator(".solution .picture").waitFor();
  await tab(page, "Evaluate");
  await evaluate("sum(board[1, ..]) * 100", "1000");
  await evaluate('"<img src=x onerror=alert(1)>', "E0");
  assert.deepEqual(page.complaints, []);
  await page.screenshot({ path: join(SCREENSHOTS, "evaluate.png") });
  await page.context().close();
});

/** A place of the board. */
const place = (page, name) => page.locator(`.place[data-cell=${JSON.stringify(name)}]`);

/** Waits until the set values have been examined. */
const looked = (page) => page.locator(".play .status", { hasText: /^(Click a place|Well done)/ }).waitFor();

test("a puzzle is played: its picture without the solution, values, a contradiction and its reason, hints, and the rest filled in", { skip }, async () => {
  const page = await fresh(browser, `${server.url}#example=futoshiki/futoshiki-4`);
  await ready(page);
  await tab(page, "Play");
  await page.locator(".drawn .place").nth(15).waitFor();
  await looked(page);
  // The clues are visible, and the unique solution is not revealed.
  await becomes(() => page.locator(".place.is-fixed").count(), 2);
  assert.equal(await place(page, "board[1, 1]").textContent(), "2");
  assert.equal(await place(page, "board[1, 2]").textContent(), "");
  const filled = () => page.locator(".place").evaluateAll((all) => all.filter((one) => one.textContent !== "").length);
  assert.equal(await filled(), 2);
  assert.equal(await page.getByLabel("Show what is possible").isChecked(), false);
  const box = await place(page, "board[1, 2]").boundingBox();
  assert.ok(box.width > 24 && box.height > 24, "places can be hit");
  // One step, which names the value that it fills in.
  await page.getByRole("button", { name: "Next hint" }).click();
  await page.locator(".step").first().waitFor();
  await page.waitForFunction(() => !document.querySelector(".running"));
  const [, cell, value] = /^Fill in (\S.*) = (\d)$/.exec(await page.getByRole("button", { name: /Fill in/ }).innerText());
  assert.match(await place(page, cell).getAttribute("class"), /is-advised/);
  await page.getByRole("button", { name: /Fill in/ }).click();
  assert.equal(await place(page, cell).textContent(), value);
  assert.match(await place(page, cell).getAttribute("class"), /is-set/);
  assert.equal(await filled(), 3);
  await looked(page);
  // A wrong value by the keyboard: the page shows the violated rules in the words of the model, and the way out.
  await place(page, "board[1, 2]").focus();
  await page.keyboard.press("2");
  await page.locator(".contradiction li", { hasText: "No number stands twice in a row" }).waitFor();
  assert.match(await place(page, "board[1, 2]").getAttribute("class"), /is-clash/);
  await page.locator(".contradiction button", { hasText: "Take back" }).last().click();
  await looked(page);
  assert.equal(await page.locator(".is-clash").count(), 0);
  // The right value, by a click.
  await place(page, "board[1, 2]").click();
  await page.locator(".offer").getByRole("button", { name: "1", exact: true }).click();
  await looked(page);
  // Possible values on demand, and the explanation of an impossible one.
  await page.getByLabel("Show what is possible").check();
  assert.equal(await filled(), 16);
  await place(page, "board[1, 3]").click();
  await page.locator(".offer .is-out").first().waitFor();
  await page.locator(".offer .ask").first().click();
  await page.locator(".why-not li").first().waitFor();
  await page.locator(".why-not").getByRole("button", { name: "Close" }).click();
  assert.equal(await page.locator(".why-not").count(), 0);
  await page.getByLabel("Show what is possible").uncheck();
  assert.ok((await filled()) < 6);
  await page.getByRole("button", { name: "All steps" }).click();
  await page.getByText("Everything follows").waitFor();
  await page.getByRole("button", { name: /^Fill in \d+ values$/ }).click();
  await page.locator(".play .status", { hasText: "Well done." }).waitFor();
  await page.screenshot({ path: join(SCREENSHOTS, "play.png") });
  await page.getByRole("button", { name: "Clear what I set" }).click();
  await looked(page);
  assert.equal(await filled(), 2);
  // The solver fills in the rest; then another puzzle replaces this one.
  await go(page).click();
  await page.locator(".play .status", { hasText: "Solved." }).waitFor();
  assert.equal(await page.locator(".place.is-found").count(), 14);
  await write(page, ".data", 'letting n be 3\nletting hints be function()\nletting less_than be relation()\n');
  await page.waitForFunction(() => document.querySelectorAll(".place").length === 9 && document.querySelectorAll(".place.is-found").length === 0);
  await looked(page);
  assert.equal(await page.getByLabel("Show what is possible").isChecked(), true, "there are several solutions");
  await write(page, ".data", "letting n be 3\n");
  await page.locator(".play .diagnostics").waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("values that are typed quickly are set, in several places and again in the same", { skip }, async () => {
  const page = await fresh(browser, `${server.url}#example=futoshiki/futoshiki-4`);
  await ready(page);
  await tab(page, "Play");
  await page.locator(".drawn .place.is-fixed").first().waitFor();
  await looked(page);
  for (const [name, keys] of [["board[1, 2]", "1"], ["board[1, 3]", "24"]]) {
    await place(page, name).focus();
    await page.keyboard.type(keys);
  }
  const set = await page.locator(".place.is-set").evaluateAll((all) => all.map((one) => `${one.dataset.cell} = ${one.textContent}`));
  assert.deepEqual(set, ["board[1, 2] = 1", "board[1, 3] = 4"]);
  await page.context().close();
});

test("what is set before the values that the data give are known goes where the data give another value", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await page.addInitScript(() => {
    const Native = Worker;
    window.Worker = class extends Native {
      postMessage(message, ...rest) {
        const isHint = /"verb":"hint"/.test(message.request ?? "");
        setTimeout(() => super.postMessage(message, ...rest), isHint ? 2500 : 0);
      }
    };
  });
  await page.goto(`${server.url}#example=futoshiki/futoshiki-4`);
  await page.reload();
  await ready(page);
  // A picture shows hints at once, a constraint does not.
  const text = readFileSync(join(import.meta.dirname, "../../../../models/futoshiki.essence"), "utf8");
  await write(page, ".model", text.replace("$ picture:", "$"));
  await page.locator(".problems.fine").waitFor();
  await tab(page, "Play");
  await page.locator(".drawn .place").nth(15).waitFor();
  await looked(page);
  assert.equal(await page.locator(".place.is-fixed").count(), 0);
  for (const [name, value] of [["board[1, 1]", "3"], ["board[1, 2]", "1"]]) {
    await place(page, name).focus();
    await page.keyboard.press(value);
  }
  await place(page, "board[2, 2]").click();
  await page.locator(".offer").waitFor();
  await becomes(() => page.locator(".place.is-fixed").evaluateAll((all) => all.map((one) => [one.dataset.cell, one.textContent])), [
    ["board[1, 1]", "2"],
    ["board[2, 2]", "2"],
  ]);
  assert.equal(await page.locator(".offer").count(), 0);
  await looked(page);
  await becomes(() => page.locator(".place.is-set").evaluateAll((all) => all.map((one) => one.dataset.cell)), ["board[1, 2]"]);
  assert.equal(await page.locator(".contradiction, .is-clash").count(), 0);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("the page is printed in full, from its first page on", { skip }, async () => {
  const page = await fresh(browser, `${server.url}#example=killer-sudoku/killer-sudoku-1`, { viewport: { width: 1440, height: 600 } });
  await ready(page);
  await go(page).click();
  await page.locator(".solution .picture").waitFor();
  const example = readFileSync(join(import.meta.dirname, "../../../../models/killer-sudoku.essence"), "utf8");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  // The width of A4 within its margins.
  await page.setViewportSize({ width: 703, height: 1000 });
  const [model, data] = await page.locator(".printed").allTextContents();
  assert.ok(example.includes(model.split("\n").at(-1).trim()) && model.split("\n").length > 15);
  assert.match(data, /letting cages/);
  const boxes = await page.evaluate(() => [".model", ".data", ".result"].map((one) => document.querySelector(one).getBoundingClientRect()).map(({ top, left, right, height }) => ({ top, left, right, height })));
  assert.ok(boxes[0].top < 150, "the model begins on the first page");
  assert.ok(boxes.every(({ left, right, height }) => left >= 0 && right <= 704 && height > 50), JSON.stringify(boxes));
  assert.ok(boxes[0].top < boxes[1].top && boxes[1].top < boxes[2].top);
  assert.notEqual(await page.locator(".model.pane").evaluate((pane) => getComputedStyle(pane).breakInside), "avoid-page");
  const clipped = await page.evaluate(() => [...document.querySelectorAll(".printed, .output, .paper, .picture")].filter((one) => one.checkVisibility() && (one.getBoundingClientRect().right > 704 || one.scrollWidth > one.clientWidth + 2)).map((one) => one.className));
  assert.deepEqual(clipped, []);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await page.locator(".printed").count(), 0);
  await page.context().close();
});

test("what is wrong is said where it is entered: a second model that is missing, a picture that cannot be data", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await ready(page);
  await tab(page, "Compare");
  await go(page).click();
  await page.getByText("Paste the other model first.").waitFor();
  assert.equal(await page.getByLabel("The other model").evaluate((one) => one === document.activeElement), true);
  const instances = await page.locator(".instance").count();
  const picture = { name: "cat.png", mimeType: "image/png", buffer: Buffer.from("89504e470d0a1a0a0000000d49484452ff00", "hex") };
  await page.locator('input[type="file"]').first().setInputFiles(picture);
  await page.getByText("cat.png is not a text file, so it was not opened.").waitFor();
  assert.equal(await page.locator(".instance").count(), instances);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("of better and better solutions, the last one is called the best, and each is a step", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await model(page, "find x : int(1..50)\nfind s : set of int(1..9)\nsuch that x = sum(s)\nmaximising x\n");
  await go(page).click();
  await page.getByText("The last solution is a best one.").waitFor();
  await page.locator(".position", { hasText: /^Best solution · objective 45/ }).waitFor();
  if (await page.getByRole("button", { name: "Previous solution" }).isEnabled()) {
    await page.getByRole("button", { name: "Previous solution" }).click();
    await page.locator(".position", { hasText: /^Step \d+ of \d+/ }).waitFor();
  }
  await page.context().close();
});

test("on a telephone, the first visit says what the page is and shows a solved board, and icons have names", { skip }, async () => {
  const page = await fresh(browser, server.url, { viewport: { width: 390, height: 844 } });
  await page.locator(".welcome").waitFor();
  const { y } = await page.locator(".solution .picture").boundingBox();
  assert.ok(y < 600, String(y));
  for (const name of ["New", "Examples", "Share", "Open", "Save", "History", "Learn", "Settings", "Theme"]) {
    const { x, width } = await page.locator(".menu .label", { hasText: name }).boundingBox();
    assert.ok(x >= 0 && x + width <= 390 && width > 10, name);
  }
  await page.context().close();
});

test("on a telephone, all tabs of the results are in sight", { skip }, async () => {
  const page = await fresh(browser, server.url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await ready(page);
  await page.locator(".views").getByRole("button", { name: "Results" }).click();
  for (const one of await page.locator(".tab").all()) {
    const { x, width } = await one.boundingBox();
    assert.ok(x >= 0 && x + width <= 390, await one.textContent());
  }
  await page.context().close();
});

const parameter = (page, name) => page.locator(`.parameter[data-parameter="${name}"]`);

test("the data are a form, too: each changes the other, mistakes stand at their fields, and tables become values", { skip }, async () => {
  const page = await fresh(browser, `${server.url}#example=knapsack/knapsack-5`);
  await ready(page);
  const text = () => page.evaluate(() => [...document.querySelectorAll(".data .cm-line")].map((line) => line.textContent).join("\n"));
  const show = (view) => page.locator(".data-views").getByRole("button", { name: view }).click();
  await show("Form");
  const capacity = parameter(page, "capacity").locator("input");
  await capacity.waitFor();
  await becomes(() => capacity.inputValue(), "11");
  await capacity.fill("13");
  await page.waitForFunction(() => document.querySelector(".data .cm-content").textContent.includes("letting capacity be 13"));
  // Only this statement has changed.
  assert.match(await text(), /^\$ Five items\.\n\nletting item be new type enum \{tent, stove, rope, map, lamp\}\n\nletting weight be function\(\n {4}tent --> 9, stove --> 4,/);
  // Renaming a member changes all its uses.
  await parameter(page, "item").locator("input").first().fill("big tent");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => document.querySelector(".data .cm-content").textContent.includes('"big tent" --> 15'));
  await becomes(async () => /new type enum \{"big tent", stove, rope, map, lamp\}[^]*"big tent" --> 9/.test(await text()), true);
  await go(page).click();
  await page.getByText(/ · objective 23/).waitFor();
  // Outside its domain, and back.
  await parameter(page, "weight").getByLabel("rope", { exact: true }).fill("0");
  await parameter(page, "weight").locator(".problem", { hasText: "please, instead of 0" }).waitFor();
  await becomes(() => parameter(page, "weight").getByLabel("rope", { exact: true }).getAttribute("aria-invalid"), "true");
  await page.waitForFunction(() => /rope --> 0/.test(document.querySelector(".data .cm-content").textContent));
  await parameter(page, "weight").getByLabel("rope", { exact: true }).fill("6");
  await page.waitForFunction(() => /rope --> 6/.test(document.querySelector(".data .cm-content").textContent));
  // A change of the text appears in the form.
  await show("Text");
  await write(page, ".data", '{"item": ["pen", "ink"], "weight": {"pen": 1, "ink": 3}, "value": {"pen": 2, "ink": 5}, "capacity": 3}');
  await show("Form");
  await page.waitForFunction(() => document.querySelector('[data-parameter="weight"] [aria-label="ink"]')?.value === "3");
  await capacity.fill("4");
  await page.waitForFunction(() => document.querySelector(".data .cm-content").textContent.includes('"capacity": 4'));
  // A table in a file with the parameter's name, and a table with an error.
  const open = (name, text) => page.locator('.top input[type="file"]').setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await open("weight.csv", "item;weight\npen;7\nink;8\n");
  await page.waitForFunction(() => document.querySelector('[data-parameter="weight"] [aria-label="ink"]')?.value === "8");
  await page.waitForFunction(() => document.querySelector(".data .cm-content").textContent.includes('["ink",8]'));
  await open("weight.csv", "item;weight\npen;much\n");
  await parameter(page, "weight").locator(".problem", { hasText: "weight.csv, row 2, column weight: much is not a whole number" }).waitFor();
  // Workbooks: a file or a sheet with the parameter's name, one of several sheets, and errors.
  const openBook = (name, buffer) => page.locator('.top input[type="file"]').setInputFiles({ name, mimeType: "application/octet-stream", buffer });
  const book = page.locator("dialog[open]");
  assert.ok(!server.requests.some((path) => path.includes("workbook-")), "the module for workbooks is loaded when it is needed");
  await openBook("weight.xlsx", xlsx({ Mia: [["item", "weight"], ["pen", 9], ["ink", 6]] }));
  await page.waitForFunction(() => document.querySelector('[data-parameter="weight"] [aria-label="ink"]')?.value === "6");
  assert.ok(server.requests.some((path) => path.includes("workbook-")));
  await openBook("plan.ods", ods({ Notes: [["a note"]], weight: [["item", "weight"], ["pen", 3], ["ink", 4]] }));
  await page.waitForFunction(() => document.querySelector('[data-parameter="weight"] [aria-label="ink"]')?.value === "4");
  await openBook("staff.xlsx", xlsx({ Notes: [["nothing"]], Mia: [["item", "weight"], [], ["pen", 5], ["ink", "much"]] }));
  await book.getByLabel("Sheet").selectOption("Mia");
  await book.getByText("much").waitFor();
  await book.getByLabel("Parameter").selectOption({ label: "Weight" });
  await accessible(page, "a sheet");
  await book.getByRole("button", { name: "Make it the value" }).click();
  await parameter(page, "weight").locator(".problem", { hasText: "staff.xlsx#Mia, row 4, column weight: much is not a whole number" }).waitFor();
  await openBook("broken.ods", Buffer.from("PK\x03\x04 and nothing else", "latin1"));
  await book.getByText("cannot read broken.ods").waitFor();
  await page.keyboard.press("Escape");
  await openBook("weight.ods", ods({ Mia: [["item", "weight"], ["pen", 7], ["ink", 8]] }));
  await page.waitForFunction(() => document.querySelector('[data-parameter="weight"] [aria-label="ink"]')?.value === "8");
  // Rows from a spreadsheet, pasted into the text.
  await show("Text");
  await page.evaluate(() => navigator.clipboard.writeText("item\tvalue\npen\t20\nink\t30\n"));
  await page.locator(".data .cm-content").click();
  await page.keyboard.press("Control+v");
  const dialog = page.locator("dialog[open]");
  await dialog.getByLabel("Parameter").selectOption({ label: "Value" });
  await accessible(page, "a table");
  await dialog.getByRole("button", { name: "Make it the value" }).click();
  await page.waitForFunction(() => document.querySelector('[data-parameter="value"] [aria-label="ink"]')?.value === "30");
  await page.waitForFunction(() => document.querySelector(".data .cm-content").textContent.includes('["ink",30]'));
  // A text that cannot be parsed is not overwritten.
  await show("Text");
  await write(page, ".data", '[{"capacity": 3}, {"capacity": 4}]');
  await show("Form");
  await page.locator(".data-form .diagnostics", { hasText: "holds 2 instances, but one is needed here" }).waitFor();
  await becomes(() => page.locator(".parameter").count(), 0);
  // Without data, the form fills in a text.
  await page.getByRole("button", { name: "Add an instance" }).click();
  await page.waitForFunction(() => document.querySelector('[data-parameter="capacity"] input')?.value === "");
  await parameter(page, "capacity").locator("input").fill("5");
  await page.waitForFunction(() => document.querySelector(".data .cm-content").textContent.trim() === "letting capacity be 5");
  await parameter(page, "weight").locator(".problem, .control").first().waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a text that is not a value is told at its field, until another value is entered", { skip }, async () => {
  const page = await fresh(browser, server.url);
  const show = (view) => page.locator(".data-views").getByRole("button", { name: view }).click();
  await model(page, "given n : int(1..9)\ngiven m : int(1..n)\ngiven s : set of int(1..9)\nfind x : int(1..n)\nsuch that x <= m, x in s\n", "letting n be foo\nletting m be 3\nletting s be 7\n");
  await show("Form");
  const problem = (name) => parameter(page, name).locator(".problem");
  await problem("n").filter({ hasText: "The name foo is not declared." }).waitFor();
  await problem("s").filter({ hasText: "The parameter s has type set of int, but this is int" }).waitFor();
  await becomes(() => problem("m").textContent(), "");
  const field = parameter(page, "n").locator("input");
  await becomes(() => field.getAttribute("aria-invalid"), "true");
  // The error stays while other values are entered, and disappears with a valid value.
  await parameter(page, "m").locator("input").fill("4");
  await page.waitForFunction(() => document.querySelector(".data .cm-content").textContent.includes("letting m be 4"));
  await problem("n").filter({ hasText: "The name foo is not declared." }).waitFor();
  await field.fill("5");
  await page.waitForFunction(() => document.querySelector(".data .cm-content").textContent.includes("letting n be 5"));
  await page.waitForFunction(() => document.querySelector('[data-parameter="n"] .problem').textContent === "");
  // The same in JSON, and in a definition of another name.
  await show("Text");
  await write(page, ".data", '{"n": "foo", "m": 3, "s": [2]}');
  await show("Form");
  await problem("n").filter({ hasText: "A value of int is needed here, but this is a string." }).waitFor();
  await becomes(() => parameter(page, "m").locator("input").inputValue(), "3");
  await field.fill("6");
  await page.waitForFunction(() => document.querySelector(".data .cm-content").textContent.includes('"n": 6'));
  await page.waitForFunction(() => document.querySelector('[data-parameter="n"] .problem').textContent === "");
  await show("Text");
  await write(page, ".data", "letting a be foo\nletting n be a\nletting m be 2\nletting s be {1}\n");
  await show("Form");
  await page.locator(".general", { hasText: "The name foo is not declared." }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("what was entered into the form of the data is undone and redone", { skip }, async () => {
  const page = await fresh(browser, `${server.url}#example=knapsack/knapsack-5`);
  await ready(page);
  const steps = page.locator(".data-steps");
  assert.equal(await steps.isVisible(), false, "an editor has keys of its own");
  await page.locator(".data-views").getByRole("button", { name: "Form" }).click();
  const [undo, redo] = ["Undo", "Redo"].map((name) => steps.getByRole("button", { name }));
  const holds = (text) => page.waitForFunction((text) => document.querySelector(".data .cm-content").textContent.includes(text), text);
  const shows = (name, text) => page.waitForFunction(([name, text]) => document.querySelector(`[data-parameter="${name}"] input`).value === text, [name, text]);
  const capacity = parameter(page, "capacity").locator("input");
  await capacity.waitFor();
  const disabled = async () => [await undo.isDisabled(), await redo.isDisabled()];
  await becomes(disabled, [true, true]);
  await capacity.fill("13");
  await holds("capacity be 13");
  await parameter(page, "item").locator("input").first().fill("big tent");
  await page.keyboard.press("Tab");
  await holds('"big tent" --> 15');
  // Undo restores a name in all its uses.
  await undo.click();
  await shows("item", "tent");
  await holds("tent --> 15");
  await undo.click();
  await shows("capacity", "11");
  await becomes(disabled, [true, false]);
  await redo.click();
  await shows("capacity", "13");
  await holds("capacity be 13");
  // The keys undo outside text fields only; in these, the browser undoes the typing.
  await page.locator(".data-form").focus();
  await page.keyboard.press("Control+z");
  await shows("capacity", "11");
  await page.keyboard.press("Control+y");
  await shows("capacity", "13");
  await page.keyboard.press("Control+Shift+z");
  await shows("item", "big tent");
  await page.keyboard.press("Control+z");
  await shows("item", "tent");
  // A pending value is written first.
  await capacity.fill("7");
  await page.locator(".data-form").focus();
  await page.keyboard.press("Control+z");
  await shows("capacity", "13");
  await redo.click();
  await shows("capacity", "7");
  // A value that is entered while an earlier state is laid out must survive.
  await page.evaluate(() => {
    document.querySelector(".data-steps button").click();
    const input = document.querySelector('[data-parameter="capacity"] input');
    input.value = "8";
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await holds("capacity be 8");
  await shows("capacity", "8");
  // The keys on the board do not undo data; another instance has a separate history.
  await tab(page, "Play");
  await page.locator(".place").first().focus();
  await page.keyboard.press("Control+z");
  await becomes(async () => [await capacity.inputValue(), await redo.isDisabled()], ["8", true]);
  await page.getByRole("button", { name: "Add an instance" }).click();
  await page.waitForFunction(() => document.querySelector('[data-parameter="capacity"] input')?.value === "");
  await becomes(() => undo.isDisabled(), true);
  await accessible(page, "the form of the data");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("all solutions are shown one by one, with what differs", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await model(page, "find x, y : int(1..3)\nsuch that x < y\n");
  await page.getByLabel("Find").selectOption("all");
  await go(page).click();
  await page.getByText("These are all: 3 solutions.").waitFor();
  await page.getByText("Solution 1 of 3").waitFor();
  await page.getByRole("button", { name: "Next solution" }).click();
  await page.getByText(/^Compared with solution 1, [xy]/).waitFor();
  await page.locator(".solution mark").first().waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a search is stepped in the laboratory, and strategies are compared", { skip }, async () => {
  const page = await fresh(browser, `${server.url}#example=n-queens/n-queens-6`);
  await ready(page);
  await tab(page, "Search");
  await page.getByRole("button", { name: "Compare strategies" }).click();
  await page.locator(".comparison tbody tr").nth(5).waitFor();
  const frame = page.frameLocator(".laboratory").frameLocator("iframe");
  const step = async () => {
    await frame.getByRole("button", { name: "one step back" }).click();
    await frame.getByRole("button", { name: "one step on" }).click();
  };
  await until(step, frame.getByText(/^step 1 of /));
  // The buttons of a search must be visible.
  for (const [width, height] of [[1440, 900], [1366, 768]]) {
    await page.setViewportSize({ width, height });
    await go(page).click();
    await page.waitForFunction(() => !document.querySelector(".running"));
    const on = await frame.getByRole("button", { name: "one step on" }).boundingBox();
    assert.ok(on.y > 0 && on.y + on.height <= height - 30, `${height}: ${on.y}`);
    await page.getByRole("button", { name: "Compare strategies" }).click();
    await page.locator(".comparison tbody tr").nth(5).waitFor();
  }
  await until(step, frame.getByText(/^step 1 of /));
  // The frame has a separate origin, so it cannot access the page.
  const inner = page.frames().at(-1);
  assert.equal(await inner.evaluate(() => self.origin), "null");
  assert.deepEqual(page.complaints, []);
  await page.screenshot({ path: join(SCREENSHOTS, "search.png") });
  await page.context().close();
});

test("the space of solutions is explored", { skip }, async () => {
  const page = await fresh(browser, `${server.url}#example=n-queens/n-queens-6`);
  await ready(page);
  await tab(page, "Explore");
  await page.getByRole("button", { name: "Explore", exact: true }).click();
  await page.getByText("There are 4 solutions.").waitFor();
  await write(page, ".model", "given n : int(1..)\nfind x, y : int(1..4)\nmaximising x\n");
  await page.getByRole("button", { name: "Explore", exact: true }).click();
  await page.getByText("There are 4 best solutions.").waitFor();
  await write(page, ".model", "given n : int(1..)\nfind queen : matrix indexed by [int(1..n)] of int(1..n)\nsuch that allDiff(queen), forAll i, j : int(1..n) , i < j . |queen[i] - queen[j]| != j - i\n");
  await page.getByRole("button", { name: "Explore", exact: true }).click();
  await page.getByText("There are 4 solutions.").waitFor();
  const frame = page.frameLocator(".laboratory").frameLocator("iframe");
  await frame.getByText("4 solutions", { exact: false }).first().waitFor();
  const inner = page.frames().at(-1);
  assert.equal(await inner.evaluate(() => self.origin), "null");
  assert.deepEqual(page.complaints, []);
  await page.screenshot({ path: join(SCREENSHOTS, "explore.png") });
  await page.context().close();
});

test("a model is compared with another one", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await model(page, "find x, y : int(1..4)\nsuch that x < y\n");
  await tab(page, "Compare");
  await page.getByLabel("The other model").fill("find x, y : int(1..4)\nsuch that x <= y\n");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByText("The models differ.").waitFor();
  const compared = page.locator(".comparing");
  await compared.getByRole("heading", { name: "The other model allows this, yours does not:" }).waitFor();
  await compared.locator(".reason").getByText("x < y").waitFor();
  assert.doesNotMatch(await compared.innerText(), /[─│╭╰]/);
  await page.getByLabel("The other model").fill("find x, y : int(1..3)\nsuch that x < y\n");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await compared.getByRole("heading", { name: "Your model allows this, the other one does not:" }).waitFor();
  assert.doesNotMatch(await compared.innerText(), /[─│╭╰]/);
  await page.getByLabel("The other model").fill("find x, y : int(1..4)\nsuch that y > x\n");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByText("No difference.").waitFor();
  await page.getByLabel("The other model").fill("find x : int(1..4)\nsuch that y > x\n");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.locator(".results .diagnostics li.error, .diagnostics .error").first().waitFor();
  assert.deepEqual(page.complaints, []);
  await page.screenshot({ path: join(SCREENSHOTS, "compare.png") });
  await page.context().close();
});

test("mistakes are shown as one types, with a fix; words are explained and completed; texts are laid out", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await model(page, "find number : int(1..3)\nsuch that numbre = 2\n");
  await page.locator(".problems.error").waitFor();
  await page.locator(".cm-lintRange-error").hover();
  await page.locator(".cm-diagnosticAction").click();
  await page.locator(".problems.fine").waitFor();
  await page.locator(".model .cm-content", { hasText: "such that number = 2" }).waitFor();
  await page.locator(".model .cm-line").first().getByText("int").hover();
  await page.locator(".cm-tooltip .markdown").waitFor();
  await write(page, ".model", "find numbers : set of int(1..3)\nsuch that |num");
  await page.keyboard.press("Control+Space");
  await page.locator(".cm-tooltip-autocomplete").getByText("numbers").waitFor();
  // The editor ignores keys for a list that has only just appeared.
  await page.waitForTimeout(200);
  await page.keyboard.press("Tab");
  await page.keyboard.type("|=2");
  await page.getByRole("button", { name: "Format" }).click();
  await page.waitForFunction(() => document.querySelector(".model .cm-content").textContent.includes("|numbers| = 2"));
  // Warnings appear while the user types, too.
  await page.locator(".problems.warning").waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("what a solver proves is told a moment later, and goes away with the next change", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await model(page, "given limit : int(1..20)\nfind x : int(1..9)\nsuch that x > 0, x <= limit\n", "letting limit be 5");
  await page.locator(".problems.warning").waitFor();
  await becomes(async () => /this constraint always holds/.test(await page.locator(".problems").getAttribute("title")), true);
  await becomes(() => page.locator(".model .cm-lintRange-warning").innerText(), "x > 0");
  await page.keyboard.press("Control+End");
  await write(page, ".model", "given limit : int(1..20)\nfind x : int(1..9)\nsuch that x > 1, x <= limit\n");
  await page.locator(".problems.fine").waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a link holds the model, the data and the settings, and sends nothing", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await model(page, "given n : int(1..)\nfind x : int(1..n)\nsuch that x * x = n\n", "letting n be 49\n");
  await page.getByLabel("Find").selectOption("all");
  await page.getByRole("button", { name: "Share" }).click();
  const link = await page.getByLabel("Link").inputValue();
  const sent = server.requests.length;
  const other = await fresh(browser, link);
  await ready(other);
  await other.waitForFunction(() => document.querySelector(".model .cm-content").textContent.includes("x * x = n"));
  const secret = new URL(link).hash.slice(1, 20);
  assert.ok(
    secret.startsWith("1.") && server.requests.slice(sent).every((path) => !path.includes(secret)),
    "the server does not see what is in the link",
  );
  await becomes(() => other.getByLabel("Find").inputValue(), "all");
  await go(other).click();
  await other.getByText("This is the only solution.").waitFor();
  await becomes(async () => /\b7\b/.test(await output(other).innerText()), true);
  assert.deepEqual([...page.complaints, ...other.complaints], []);
  // The history contains the replaced work.
  await other.getByRole("button", { name: "Examples" }).click();
  await other.locator(".card").first().click();
  await other.getByRole("button", { name: "History" }).click();
  await other.locator(".version").first().click();
  await other.waitForFunction(() => document.querySelector(".model .cm-content").textContent.includes("x * x = n"));
  await page.context().close();
  await other.context().close();
});

test("what is set in Play is in a link, a frame and a cell, in the history, and there when the page is loaded again", { skip }, async (context) => {
  const page = await fresh(browser, `${server.url}#example=futoshiki/futoshiki-4`);
  await ready(page);
  await tab(page, "Play");
  const put = async (page, name, value) => {
    await place(page, name).focus();
    await page.keyboard.press(value);
    await looked(page);
  };
  const set = (page) => page.locator(".place.is-set").evaluateAll((all) => all.map((one) => `${one.dataset.cell} = ${one.textContent}`));
  await page.locator(".drawn .place.is-fixed").first().waitFor();
  await looked(page);
  await put(page, "board[1, 2]", "1");
  await put(page, "board[1, 3]", "4");
  const both = ["board[1, 2] = 1", "board[1, 3] = 4"];
  assert.deepEqual(await set(page), both);
  await page.getByRole("button", { name: "Share" }).click();
  const link = await page.getByLabel("Link").inputValue();
  await page.getByLabel("Show the puzzle instead of its source").check();
  const frame = /src="([^"]*)"/.exec(await page.getByLabel("As a frame").inputValue())[1].replaceAll("&amp;", "&");
  const element = await page.getByLabel("As a cell").inputValue();
  await page.keyboard.press("Escape");
  // Opening the link shows the board.
  const other = await fresh(browser, link);
  await other.locator(".place.is-set").nth(1).waitFor();
  await looked(other);
  assert.deepEqual(await set(other), both);
  await other.context().close();
  const cell = await fresh(browser, frame);
  await cell.locator(".place.is-set").nth(1).waitFor();
  assert.deepEqual(await set(cell), both);
  await cell.context().close();
  const lecture = await serve({ "/lecture.html": `<!doctype html><html lang="en"><title>Lecture</title><link rel="icon" href="data:,">${element}` });
  context.after(lecture.close);
  const around = await fresh(browser, new URL("/lecture.html", lecture.url).href);
  await around.frameLocator("iframe").locator(".place.is-set").nth(1).waitFor();
  assert.deepEqual(await set(around.frameLocator("iframe")), both);
  await around.context().close();
  // Reload the page.
  await put(page, "board[1, 4]", "3");
  await page.reload();
  await ready(page);
  await tab(page, "Play");
  await page.locator(".place.is-set").nth(2).waitFor();
  assert.deepEqual(await set(page), [...both, "board[1, 4] = 3"]);
  // A new model has no set values; the history has the previous work, in one version.
  await page.getByRole("button", { name: "New" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".place").length === 0);
  await page.getByRole("button", { name: "History" }).click();
  assert.deepEqual((await page.locator(".version .first").allTextContents()).map((text) => / · (.*)/.exec(text)?.[1]), ["3 values set"]);
  await page.locator(".version").first().click();
  await tab(page, "Play");
  await page.locator(".place.is-set").nth(2).waitFor();
  await page.getByRole("button", { name: "Clear what I set" }).click();
  await looked(page);
  await page.getByRole("button", { name: "Share" }).click();
  assert.ok((await page.getByLabel("Link").inputValue()).length < link.length);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("everything works without a network after the first visit", { skip }, async () => {
  const own = await serve();
  const page = await fresh(browser, own.url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await own.close();
  await page.reload();
  await ready(page);
  await go(page).click();
  await page.locator(".solution .picture").waitFor();
  await tab(page, "Search");
  await go(page).click();
  await page
    .frameLocator(".laboratory")
    .frameLocator("iframe")
    .getByText(/^step 0 of /)
    .waitFor();
  await page.goto(`${own.url}docs/why.html`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.context().close();
});

test("a newer version of the pages is offered, and loaded on demand", { skip }, async () => {
  const further = {};
  const own = await serve(further);
  const page = await fresh(browser, own.url);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  further["/essence/sw.js"] = readFileSync(join(DIST, "sw.js"), "utf8").replace(/essence-/, "essence-newer-");
  await page.reload();
  await page.getByText("There is a newer version of this page.").waitFor();
  await page.getByRole("button", { name: "Load it" }).click();
  await page.waitForFunction(
    async () => (await caches.keys()).join() === (await caches.keys()).find((name) => name.startsWith("essence-newer-")),
  );
  await ready(page);
  await go(page).click();
  await page.locator(".solution .picture").waitFor();
  await page.context().close();
  await own.close();
});

test("data can be written in JSON", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await model(page, "given n : int(1..)\nfind x : int(1..n)\nsuch that x * x = n\n", '{"n": 81}');
  await go(page).click();
  await becomes(async () => /\b9\b/.test(await output(page).innerText()), true);
  await page.context().close();
});

/** It has 2^60 solutions. */
const ENDLESS = "find x : matrix indexed by [int(1..60)] of bool\n";

test("several instances in JSON become several tabs, from the editor and from a file", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await model(page, "given n : int(1..20)\nfind x : int(1..20)\nsuch that x = n + 1\n", '[{"n": 4},\n {"n": 5}]');
  await page.getByRole("button", { name: "Make 2 instances" }).click();
  const tabs = () => page.locator(".instance").allInnerTexts();
  await becomes(async () => (await tabs()).length, 2);
  await page.locator(".instance").nth(1).click();
  await becomes(() => page.locator(".data .cm-content").innerText(), '{"n": 5}');
  await becomes(() => page.getByRole("button", { name: /Make . instances/ }).count(), 0);
  await go(page).click();
  await output(page).getByText("6", { exact: true }).first().waitFor();
  const lines = Buffer.from('{"n": 7}\n{"n": 8}\n{"n": 9}\n');
  await page.locator('input[type="file"]').setInputFiles({ name: "boards.json", mimeType: "application/json", buffer: lines });
  await page.waitForFunction(() => document.querySelectorAll(".instance").length === 5);
  assert.deepEqual((await tabs()).slice(2), ["boards-1.json", "boards-2.json", "boards-3.json"]);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("an endless run is stopped, a limit ends one, and the next run works", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await model(page, ENDLESS);
  await page.getByLabel("Find").selectOption("all");
  await go(page).click();
  await page.getByRole("button", { name: "Stop" }).waitFor();
  // The page responds during the run.
  await page.locator(".run-status", { hasText: /Running, 0\.[5-9]|Running, [1-9]/ }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText(/Stopped\. .* solutions found so far\./).waitFor();
  await page.getByRole("button", { name: "Settings and keys" }).click();
  await page.getByLabel(/Time limit/).fill("1");
  await page.getByRole("button", { name: "Close" }).click();
  await go(page).click();
  await page.getByText(/Time is up/).waitFor();
  await write(page, ".model", "find x : int(1..3)\nsuch that x > 2\n");
  for (let times = 0; times < 6; times++) {
    await go(page).click();
    await page.getByText("This is the only solution.").waitFor();
  }
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("words beyond the chosen step of the course are marked, and the model is solved all the same", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await model(page, "find s : set (size 2) of int(1..3)\nsuch that 3 in s, allDiff([x | x <- s])\n");
  const said = page.locator(".problems");
  await page.getByRole("button", { name: "Settings and keys" }).click();
  await page.getByLabel(/Level of the language/).selectOption({ label: "Steps 1 to 4: Parameters" });
  await page.getByRole("button", { name: "Close" }).click();
  await page.waitForFunction(() => document.querySelector(".problems")?.title.includes("`set` is beyond step 4 of the course"));
  await go(page).click();
  await output(page).getByText(/\{[12], 3\}/).first().waitFor();
  await page.reload();
  // The level is kept, as other settings are.
  await page.waitForFunction(() => document.querySelector(".problems")?.title.includes("beyond step 4"));
  await page.getByRole("button", { name: "Settings and keys" }).click();
  await accessible(page, "settings");
  await page.getByLabel(/Level of the language/).selectOption({ label: "All of Essence" });
  await page.getByRole("button", { name: "Close" }).click();
  await page.waitForFunction(() => !document.querySelector(".problems")?.title.includes("beyond"));
  assert.equal(await said.count(), 1);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

const MARKUP = `<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>`;

/** A link with any value in it. */
async function linkWith(page, value) {
  return page.evaluate(async (value) => {
    const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    return `1.${btoa(String.fromCharCode(...bytes))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replace(/=+$/, "")}`;
  }, value);
}

test("a hostile link executes nothing", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await ready(page);
  const hostile = [
    {
      name: MARKUP,
      model: `$ ${MARKUP}\nletting c be new type enum {"${MARKUP.replaceAll('"', "'")}", b}\nfind x : c\nfind y : matrix indexed by [c] of int(1..2)\n`,
      data: [{ name: MARKUP, text: `$ ${MARKUP}` }],
    },
    {
      name: "javascript:alert(1)",
      model: `find x : int(1..3)\nsuch that ${MARKUP}`,
      data: [{ name: "__proto__", text: MARKUP }],
      settings: { solutions: MARKUP, limit: "x", seed: {} },
    },
    { name: "none", model: "find x, y : int(1..3)\nsuch that x < y, y < x $ " + MARKUP, data: [] },
  ];
  for (const work of hostile) {
    const fragment = await linkWith(page, work);
    const other = await fresh(browser, `${server.url}#${fragment}`);
    await ready(other);
    await go(other).click();
    await other.locator(".solution, .diagnostics, .verdict").first().waitFor();
    for (const name of ["Why?", "Play", "Search"]) {
      await tab(other, name);
      await go(other).click();
      await other.waitForFunction(() => !document.querySelector(".running"));
    }
    await other.getByRole("button", { name: "Share" }).click();
    await other.getByLabel("As a cell").waitFor();
    assert.equal(await other.evaluate(() => globalThis.hacked), undefined);
    assert.equal(await other.locator("body img[onerror], body script").count(), 0);
    await other.context().close();
  }
  for (const broken of ["1.%%%", "1.AAAA", await linkWith(page, { model: 5 }), await linkWith(page, [])]) {
    const other = await fresh(browser, `${server.url}#${broken}`);
    await other.getByText("This link is broken").waitFor();
    await ready(other);
    assert.deepEqual(other.complaints, []);
    await other.context().close();
  }
  await page.context().close();
});

test("the listings of the tutorial run in place, and run as they are edited", { skip }, async () => {
  const page = await fresh(browser, `${server.url}docs/tutorial.html`);
  const listing = page.locator("figure.listing").first();
  const console_ = page.locator("figure.console").first();
  await console_.getByRole("button", { name: "Run" }).click();
  await console_.locator(".live").getByText(/letting hens be 5/).waitFor();
  await listing.getByRole("button", { name: "Edit" }).click();
  await listing.locator(".cm-content").click();
  await paste(page, "find hens, rabbits : int(0..9)\nsuch that hens + rabbits = 9, 2 * hens + 4 * rabbits = 24\n");
  await console_.getByRole("button", { name: "Run" }).click();
  await console_
    .locator(".live")
    .getByText(/letting hens be 6/)
    .waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("the documentation is searched from the keyboard, and every page stands in its contents", { skip }, async () => {
  const page = await fresh(browser, `${server.url}docs/tutorial.html`);
  await page.keyboard.press("/");
  await page.keyboard.type("decimal num");
  await page.locator("#search li", { hasText: "Decimal numbers" }).first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/tables\.html#decimal-numbers$/);
  await page.locator("#search input").fill("xyzzyplugh");
  await page.locator("#search .nothing").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("#search ul").waitFor({ state: "hidden" });
  const listed = await page.locator(".side a").evaluateAll((links) => links.map((link) => link.getAttribute("href").replace(/\.html$/, "")));
  const manual = readdirSync(join(import.meta.dirname, "../../../../docs")).filter((file) => file.endsWith(".md"));
  assert.deepEqual(manual.map((file) => file.replace(/\.md$/, "")).filter((name) => !listed.includes(name)), []);
  await page.getByRole("link", { name: "Reference of the library" }).click();
  await page.getByRole("heading", { name: "Crate conjure_like" }).waitFor();
  await page.goto(`${server.url}api/conjure_like/index.html?search=Model`);
  await page.locator("#search a", { hasText: "conjure_like::Model" }).first().waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("every command of the tutorial that runs in place gives the recorded answer", { skip }, async () => {
  const page = await fresh(browser, `${server.url}docs/tutorial.html`);
  const consoles = await page.locator("figure.console[data-commands]").all();
  assert.equal(consoles.length, await page.locator("figure.console").count(), "each command runs");
  const words = (text) => text.replace(/\$ (Solution|Visualisation).*|\$ [\d ]+$|language Essence 1.3/gm, "").match(/[\w']+/g) ?? [];
  for (const one of consoles) {
    const [command] = JSON.parse(await one.getAttribute("data-commands"));
    if (command.options.picture) continue;
    const recorded = await one.locator(".recorded").innerText();
    await one.getByRole("button", { name: "Run" }).click();
    await one.getByRole("button", { name: "Run" }).waitFor();
    await one.locator(".live").waitFor();
    await page.waitForFunction((element) => !element.querySelector(".stopping"), await one.elementHandle());
    const live = await one.locator(".live").innerText();
    assert.doesNotMatch(live, /bug in conjure-like/);
    if (command.verb === "evaluate") assert.deepEqual(live.trim().split("\n").at(-1), recorded.trim().split("\n").at(-1));
    if (command.verb === "explore") assert.ok(words(live).join(" ").includes(words(recorded.split("\n")[0]).slice(2, 4).join(" ")), live);
    if (command.verb === "check") {
      for (const [code] of recorded.matchAll(/[WE]\d{4}/g)) assert.ok(live.includes(code), `${code} in ${live}`);
    }
    if (command.options.transcript) assert.match(live, /board\[2, 2\] loses 1/);
    if (["why", "hint", "forced"].includes(command.verb)) {
      // The first line is the answer.
      const first = words(recorded.split("\n")[0]);
      assert.deepEqual(words(live).slice(0, first.length), first, recorded);
    }
  }
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("an exercise tells what is wrong with an answer, and when it is right", { skip }, async () => {
  const page = await fresh(browser, `${server.url}docs/course.html`);
  await page.locator(".prose").getByRole("link", { name: "Coins in the jar" }).click();
  await page.waitForURL(/course-1-first-constraints-1-coins/);
  const answer = page.locator("section.answer");
  const check = async (text, verdict) => {
    await answer.locator(".cm-content").click();
    await paste(page, text);
    await answer.getByRole("button", { name: "Check" }).click();
    await answer.locator(".graded").getByText(verdict).first().waitFor();
    return answer.locator(".graded").innerText();
  };
  await answer.locator(".cm-content", { hasText: "find twos, fives" }).waitFor();
  await check("find twos, fives : int(0..10)\nsuch that twos + fives =", /cannot be read/);
  await check("find two, fives : int(0..10)\nsuch that two + fives = 10", /does not have the variables/);
  const allowed = await check("find twos, fives : int(0..10)\nsuch that twos + fives = 10", /not right yet/);
  assert.match(allowed, /allows this/);
  assert.match(allowed, /letting twos be/);
  await check("find twos, fives : int(0..10)\nsuch that twos + fives = 10, 2 * twos + 5 * fives = 29, twos = 5", /refuses it/);
  await answer.locator(".graded .reason").first().waitFor();
  assert.doesNotMatch(await answer.locator(".graded").innerText(), /[─│╭╰]/);
  await check("find twos, fives : int(0..10)\nsuch that twos + fives = 10, 2 * twos + 5 * fives = 29", /Your model is right/);
  // The answer survives a reload.
  await page.reload();
  await answer.locator(".cm-content").getByText("2 * twos").waitFor();
  // Several instances, with and without generated ones.
  await page.goto(`${server.url}docs/course-4-parameters-1-savings.html`);
  await answer.getByRole("button", { name: "Check" }).click();
  await answer.locator(".graded .verdict").waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("cells work in other pages, as a frame and as an element", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await ready(page);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByLabel("Readers cannot change the texts").check();
  const source = await page.getByLabel("As a frame").inputValue();
  const element = await page.getByLabel("As a cell").inputValue();
  const other = await serve({ "/lecture.html": `<!doctype html><title>Lecture</title>${source}\n${element}` });
  const lecture = await page.context().newPage();
  await lecture.goto(new URL("/lecture.html", other.url).href);
  for (const index of [0, 1]) {
    const cell = lecture.frameLocator("iframe").nth(index);
    await cell.getByRole("button", { name: "Solve" }).click();
    await cell.locator(".solution .picture").waitFor();
    assert.equal(await cell.locator(".model .cm-content").getAttribute("aria-readonly"), "true");
  }
  await page.context().close();
  await other.close();
});

test("a cell shows the puzzle instead of its source, with the data as a form", { skip }, async () => {
  const page = await fresh(browser, `${server.url}#example=futoshiki/futoshiki-4`);
  await ready(page);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByLabel("Show the puzzle instead of its source").check();
  const [source, element] = [await page.getByLabel("As a frame").inputValue(), await page.getByLabel("As a cell").inputValue()];
  const example = `<essence-cell example="futoshiki/futoshiki-4" name="A puzzle" view="play" readonly></essence-cell>`;
  const other = await serve({ "/lecture.html": `<!doctype html><html lang="en"><title>Lecture</title>${source}\n${element}\n${example}` });
  const lecture = await page.context().newPage();
  await lecture.goto(new URL("/lecture.html", other.url).href);
  for (const index of [0, 1, 2]) {
    await lecture.locator("iframe").nth(index).scrollIntoViewIfNeeded();
    const cell = lecture.frameLocator("iframe").nth(index);
    const at = (name) => cell.locator(`.place[data-cell=${JSON.stringify(name)}]`);
    await cell.locator(".drawn .place").nth(15).waitFor();
    await cell.locator(".status", { hasText: "There is only one solution" }).waitFor();
    assert.equal(await cell.locator(".cm-content").count(), 0);
    await cell.locator(".about", { hasText: "Fill in the numbers 1 to n" }).waitFor();
    await at("board[1, 1]").filter({ hasText: /^2$/ }).waitFor();
    await at("board[1, 2]").click();
    await cell.locator(".offer").getByRole("button", { name: "2", exact: true }).click();
    await cell.locator(".contradiction li", { hasText: "No number stands twice in a row" }).waitFor();
    await cell.getByRole("button", { name: "Clear what I set" }).click();
    await becomes(() => cell.locator("details.data").isVisible(), index < 2, "a reader who cannot change anything has no form");
  }
  // Other data give another puzzle; the first data give the first one again.
  const cell = lecture.frameLocator("iframe").nth(1);
  await cell.locator("details.data > summary").click();
  await cell.locator('[data-parameter="n"] input').fill("5");
  await cell.locator(".place").nth(24).waitFor();
  await cell.getByRole("button", { name: "Solve" }).click();
  await cell.locator(".status", { hasText: "Solved." }).waitFor();
  await cell.getByRole("button", { name: "Reset" }).click();
  await cell.locator(".status", { hasText: "There is only one solution" }).waitFor();
  await becomes(() => cell.locator(".place").count(), 16);
  await becomes(() => cell.locator('[data-parameter="n"] input').inputValue(), "4");
  await page.context().close();
  await other.close();
});

test("an exercise checks answers in a lecturer's own page, which does not show its reference", { skip }, async () => {
  const folder = join(import.meta.dirname, "../../../../course/4-parameters/1-savings");
  const embed = (form) =>
    execFileSync(PROGRAM, ["embed", folder, `--pages=${server.url}`, `--as=${form}`], { encoding: "utf8" });
  const [element, frame] = [embed("element"), embed("frame")];
  const reference = readFileSync(join(folder, "reference.essence"), "utf8");
  const constraint = reference.split("such that")[1].trim().split("\n")[0];
  for (const html of [element, frame]) assert.ok(!html.includes(constraint) && !html.includes("given"), html);
  const other = await serve({ "/lecture.html": `<!doctype html><html lang="en"><title>Lecture</title>${element}${frame}` });
  const lecture = await fresh(browser, new URL("/lecture.html", other.url).href);
  for (const index of [0, 1]) {
    const cell = lecture.frameLocator("iframe").nth(index);
    const answer = async (text, verdict) => {
      await cell.locator(".cm-content").click();
      await paste(lecture, text);
      await cell.getByRole("button", { name: "Check" }).click();
      await cell.locator(".graded").getByText(verdict).first().waitFor();
    };
    await cell.getByRole("heading", { name: "Growing savings" }).waitFor();
    // Both frames store the answer under the same key.
    if (index === 0) await cell.locator(".cm-content", { hasText: "given" }).waitFor();
    await answer(reference, /Your model is right/);
    await answer(reference.split("such that")[0], /allows this/);
  }
  // The lecture has no icon, and the frames come from another server.
  assert.deepEqual(lecture.complaints.filter((line) => !/request to|404/.test(line)), []);
  const broken = await fresh(browser, `${server.url}embed.html#exercise=1.nonsense`);
  await broken.getByText("This cell holds no model").waitFor();
  for (const page of [lecture, broken]) await page.context().close();
  await other.close();
});

test("a cell has its name, and follows the theme of the page around it and not the system's", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await ready(page);
  const cell = `<script src="${server.url}cell.js"></script><essence-cell example="futoshiki/futoshiki-4" name="A puzzle & more"></essence-cell>`;
  const lecture = (style) => `<!doctype html><html lang="en"><title>Lecture</title><style>${style}</style>${cell}`;
  const other = await serve({
    "/light.html": lecture(""),
    "/dark.html": lecture("body { background: #101418; color: #eee }"),
    "/scheme.html": lecture(":root { color-scheme: dark }"),
    "/switch.html": lecture("body.dark { background: #101418 }"),
  });
  for (const colorScheme of ["light", "dark"]) {
    for (const [name, theme] of [["light", "light"], ["dark", "dark"], ["scheme", "dark"], ["switch", "light"]]) {
      const open = await fresh(browser, new URL(`/${name}.html`, other.url).href, { colorScheme });
      const inside = open.frameLocator("iframe");
      await inside.locator(`html[data-theme="${theme}"] .cell-page`).waitFor();
      await becomes(() => inside.locator("h1").innerText(), "A puzzle & more");
      assert.equal(await open.locator("iframe").getAttribute("title"), "A puzzle & more");
      if (name === "switch") {
        await open.evaluate(() => document.body.classList.add("dark"));
        await inside.locator('html[data-theme="dark"] .cell-page').waitFor();
      }
      await open.context().close();
    }
    // A frame without a script is light, as most pages are, or follows its address.
    for (const [option, theme] of [["", "light"], ["&theme=dark", "dark"], ["&theme=auto", colorScheme]]) {
      const open = await fresh(browser, `${server.url}embed.html#example=futoshiki${option}`, { colorScheme });
      await open.locator(`html[data-theme="${theme}"] .cell-page`).waitFor();
      await open.context().close();
    }
  }
  await page.context().close();
  await other.close();
});

test("the pages can be used with a screen reader, in light, in dark and on a telephone", { skip }, async () => {
  for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }]) {
    const where = JSON.stringify(options);
    const page = await fresh(browser, `${server.url}#example=futoshiki/futoshiki-4`, { reducedMotion: "reduce", ...options });
    await ready(page);
    await accessible(page, `before a run ${where}`);
    // The button is visible in all states.
    await go(page).click();
    await page.locator(".solution .picture").waitFor();
    await accessible(page, `after a run ${where}`);
    await tab(page, "Play");
    await page.getByRole("button", { name: "Next hint" }).click();
    await page.locator(".step").first().waitFor();
    await accessible(page, `play ${where}`);
    await page.getByRole("button", { name: "All steps" }).click();
    await page.getByRole("heading", { name: "Step 2" }).waitFor();
    await accessible(page, `all steps ${where}`);
    if (options.viewport) await page.locator(".views").getByRole("button", { name: "Data" }).click();
    await page.locator(".data-views").getByRole("button", { name: "Form" }).click();
    await page.locator(".data-form .parameter").first().waitFor();
    await accessible(page, `data as a form ${where}`);
    if (options.viewport) await page.locator(".views").getByRole("button", { name: "Results" }).click();
    await tab(page, "Search");
    await page.getByRole("button", { name: "Compare strategies" }).click();
    await page.locator(".comparison").waitFor();
    await accessible(page, `search ${where}`);
    await page.getByRole("button", { name: "Examples" }).click();
    await page.locator(".card").first().waitFor();
    await accessible(page, `examples ${where}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `the page is ${wide} pixels too wide ${where}`);
    await page.goto(`${server.url}docs/tutorial.html`);
    await accessible(page, `tutorial ${where}`);
    await page.goto(`${server.url}docs/course-1-first-constraints-1-coins.html`);
    await accessible(page, `exercise ${where}`);
    await page.goto(`${server.url}embed.html#example=futoshiki&theme=auto`);
    await page.locator(".model .cm-line").first().waitFor();
    await accessible(page, `cell ${where}`);
    await page.goto("about:blank");
    await page.goto(`${server.url}embed.html#example=futoshiki/futoshiki-4&theme=auto&view=play`);
    await page.locator(".drawn .place").first().waitFor();
    await page.locator("details.data > summary").click();
    await page.locator(".data-form .parameter").first().waitFor();
    await accessible(page, `cell to play with ${where}`);
    await page.context().close();
  }
});

test("the keyboard reaches everything, in the order of the page", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await ready(page);
  await page.locator(".brand").focus();
  const seen = [];
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press("Tab");
    seen.push(
      await page.evaluate(
        () =>
          document.activeElement?.getAttribute("aria-label") ??
          document.activeElement?.labels?.[0]?.textContent ??
          document.activeElement?.textContent ??
          "",
      ),
    );
  }
  const expected = [
    "Examples",
    "Share",
    "Format",
    "The model, in Essence",
    "The data of this instance, in Essence or JSON",
    "Solve",
    "Find",
  ];
  const order = expected.map((name) => seen.findIndex((one) => one.trim() === name || one.startsWith(name)));
  assert.ok(
    order.every((at) => at >= 0),
    `${expected} in ${seen}`,
  );
  assert.deepEqual(
    order,
    [...order].sort((one, other) => one - other),
  );
  await page.locator(".model .cm-content").focus();
  await page.keyboard.press("Control+Enter");
  await page.locator(".solution .picture").waitFor();
  await page.context().close();
});

test("all files but the reference together have at most 3.6 MB compressed, and name nothing outside", { skip }, () => {
  const files = (folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)],
    );
  let [total, blocksSize] = [0, 0];
  for (const file of files(DIST).filter((file) => !file.startsWith(join(DIST, "api")))) {
    const bytes = readFileSync(file);
    const isLater = /\/(workbook|pane)-[^/]*$/.test(file);
    if (/\/pane-[^/]*$/.test(file)) blocksSize = gzipSync(bytes, { level: 9 }).length / 1e6;
    if (!isLater) total += Math.min(gzipSync(bytes, { level: 9 }).length, statSync(file).size);
    const [, hash] = /-([0-9a-f]{10})\.(?:bin|json)$/.exec(file) ?? [];
    if (hash) assert.equal(createHash("sha256").update(bytes).digest("hex").slice(0, 10), hash, file);
    if (!file.endsWith(".html") || file.endsWith("laboratory.html")) continue;
    const text = bytes.toString();
    assert.match(text, /Content-Security-Policy/, file);
    assert.doesNotMatch(text, /(src|action)="https?:|<script(?![^>]* src=)|<link[^>]*href="https?:/, file);
  }
  console.log(`${(total / 1e6).toFixed(2)} MB compressed`);
  const manual = readFileSync(join(import.meta.dirname, "../../../../docs/browser.md"), "utf8");
  const [, engine, all, later, blocks] = /The engine is ([\d.]+) MB compressed, all files together are ([\d.]+) MB\. The module for workbooks is another ([\d.]+) MB, and the blocks ([\d.]+) MB\./.exec(manual).map(Number);
  const size = (name) => statSync(join(DIST, "assets", readdirSync(join(DIST, "assets")).find((file) => file.startsWith(name)))).size / 1e6;
  const differences = [engine - size("engine-"), all - total / 1e6, later - size("workbook-"), blocks - blocksSize];
  assert.ok(differences.every((one) => Math.abs(one) < 0.11), `docs/browser.md tells other sizes: UPDATE=1 make web; ${differences}`);
  assert.ok(total <= 3.6e6, `${total} bytes`);
});
