// The page of `search --html`: steps forwards and backwards, and shows nothing of later steps.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { place, run, skip } from "./common.mjs";

const RULER = `
letting n be 4
find mark : matrix indexed by [int(1..n)] of int(0..n**2)
minimising mark[n]
such that mark[1] = 0,
  forAll i : int(2..n) . mark[i - 1] < mark[i],
  allDiff([mark[j] - mark[i] | i, j : int(1..n), i < j])
`;

const made = {};
const pages = place(() => {
  const make = (name, ...words) => (made[name] = { path: pages.at(`${name}.html`), said: run("search", ...words, "--html", pages.at(`${name}.html`)) });
  make("queens", "models/n-queens.essence", "-D", "letting n be 6", "--compare=fc,bt");
  make("sudoku", "models/sudoku.essence", "params/sudoku-easy.param");
  make("ruler", pages.write("ruler.essence", RULER), "--compare=fc");
  make("map", "models/map-colouring.essence", "params/map-colouring-australia.param", "--strategy=fc");
});

const slider = (page) => page.locator("input[type=range]").first();
const stepOf = async (page) => Number(await slider(page).inputValue());
const steps = async (page) => Number(await slider(page).getAttribute("max"));
/** Moves to a step, or to the last one if there are fewer. */
const go = (page, step) => slider(page).evaluate((slider, step) => ((slider.value = step), slider.dispatchEvent(new Event("input"))), step);
const dataOf = (page) => page.evaluate(() => JSON.parse(document.querySelector("#data").textContent));
/** The visible run. */
const runOf = async (page) => (await dataOf(page)).runs[await page.locator("select[aria-label=run]").evaluate((choice) => choice.selectedIndex)];
const counters = async (page) => {
  const shown = await page.locator(".counts [data-count]").evaluateAll((all) => all.map((one) => [one.dataset.count, one.querySelector("dd").textContent]));
  return Object.fromEntries(shown.map(([key, text]) => [key, Number(text.replaceAll(",", ""))]));
};

/** The contents of all parts of the page that may differ from step to step. */
const everything = (page) => page.evaluate(() => document.querySelector(".pane").outerHTML.replace(/max="\d+"/g, ""));

test("steps lead forwards and back to the same pictures", { skip }, async () => {
  const page = await pages.open(made.queens.path);
  assert.equal(await stepOf(page), 0);
  const before = await everything(page);
  const seen = [before];
  const visited = [0];
  for (let count = 1; count <= 25; count++) {
    await page.getByRole("button", { name: "one step on" }).click();
    visited.push(await stepOf(page));
    seen.push(await everything(page));
  }
  assert.equal(new Set(seen).size, 26, "every step is seen");
  // Between two stops there are only removals for one reason.
  const { events } = await runOf(page);
  for (const [index, from] of visited.slice(0, -1).entries()) {
    const kinds = new Set(events.slice(from, visited[index + 1]).map(([kind, , , reason]) => `${kind}${reason}`));
    assert.equal(kinds.size, 1, `from ${from} to ${visited[index + 1]}`);
  }
  for (let count = 24; count >= 0; count--) {
    await page.getByRole("button", { name: "one step back" }).click();
    assert.equal(await stepOf(page), visited[count]);
    assert.equal(await everything(page), seen[count], `step ${visited[count]}`);
  }
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("nothing of a later step is visible", { skip }, async () => {
  for (const name of ["queens", "sudoku", "ruler"]) {
    const page = await pages.open(made[name].path);
    const { runs, variables } = await dataOf(page);
    const last = runs[0].events.length;
    for (const part of [0, 0.1, 0.35, 0.6, 0.9, 1]) {
      const step = Math.floor(part * last);
      // The picture of a step must not depend on the step before.
      await go(page, step + 3);
      await go(page, step);
      const before = runs[0].events.slice(0, step);
      const count = (kind) => before.filter(([one]) => one === kind).length;
      const expected = before.filter(([one]) => one === "a").map(([, variable, value]) => `${variables[variable][0]} = ${variables[variable][1][value]}`);
      const labels = await page.locator(".tree .node title").allTextContents();
      assert.deepEqual(labels.slice(1).sort(), expected.sort(), `${name}: the nodes of step ${step}`);
      const { nodes, pruned } = await counters(page);
      assert.deepEqual({ nodes, pruned }, { nodes: count("a"), pruned: count("p") }, name);
      const text = await page.locator(".pane").innerText();
      assert.equal(/The search is over/.test(text), step === last, `${name}: the verdict at step ${step}`);
      // Only the slider reveals the length of the run.
      assert.deepEqual([await steps(page), await stepOf(page)], [last, step]);
      assert.ok(text.includes(`step ${step.toLocaleString("en")} of ${last.toLocaleString("en")}`), name);
      if (part < 0.6) assert.equal(await page.locator(".tree .good").count() > 0, count("s") > 0);
    }
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
});

test("the whole tree is shown on demand only", { skip }, async () => {
  const page = await pages.open(made.queens.path, { fragment: "#step=5" });
  const nodes = () => page.locator(".tree .node").count();
  const few = await nodes();
  await page.getByRole("button", { name: "whole tree" }).click();
  const all = (await runOf(page)).events.filter(([kind]) => kind === "a").length + 1;
  assert.equal(await nodes(), all);
  assert.ok(few < all);
  assert.ok((await page.locator(".tree .later").count()) > 0);
  await page.keyboard.press("w");
  assert.equal(await nodes(), few);
  await page.context().close();
});

test("thirty keys move the slider by the share of their steps, and a circle of the graph holds values only", { skip }, async () => {
  const page = await pages.open(made.sudoku.path);
  for (let presses = 0; presses < 30; presses++) await page.keyboard.press("ArrowRight");
  const [step, last] = [await stepOf(page), await steps(page)];
  assert.ok(step < last && step > 0, `${step} of ${last}`);
  const width = await slider(page).evaluate((slider) => slider.valueAsNumber / slider.max);
  assert.equal(width, step / last);
  await page.context().close();
  const map = await pages.open(made.map.path);
  const { runs, variables } = await dataOf(map);
  for (const wanted of [0, 3, 7, 1e9]) {
    await go(map, wanted);
    const step = await stepOf(map);
    const assigned = new Map();
    for (const [kind, variable, position] of runs[0].events.slice(0, step)) {
      if (kind === "a") assigned.set(variable, variables[variable][1][position]);
      if (kind === "u") assigned.delete(variable);
    }
    const values = variables.flatMap((_, variable) => assigned.get(variable) ?? []);
    assert.deepEqual(await map.locator(".graph .value").allTextContents(), values, `step ${step}`);
    const sizes = await map.locator(".graph .name").filter({ hasText: " left" }).count();
    assert.equal(sizes, variables.length - values.length);
  }
  await map.context().close();
});

test("the counters end where the program's table ends", { skip }, async () => {
  for (const [name, row] of [["queens", "fc"], ["ruler", "fc"]]) {
    const page = await pages.open(made[name].path);
    await page.keyboard.press("End");
    const [, nodes, dead, checks, pruned] = made[name].said.split("\n").map((line) => line.split(/\s+/)).find(([first]) => first === row);
    const shown = await counters(page);
    assert.deepEqual([shown.nodes, shown.dead, shown.checks, shown.pruned], [nodes, dead, checks, pruned].map(Number), name);
    await page.context().close();
  }
});

test("keys step, jump, play and change the speed", { skip }, async () => {
  const page = await pages.open(made.queens.path);
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
    return stepOf(page);
  };
  const last = await steps(page);
  assert.equal(await press("ArrowRight", "ArrowRight", "ArrowLeft"), 1);
  assert.equal(await press("Home"), 0);
  assert.equal(await press("End"), last);
  assert.equal(await press("ArrowRight"), last);
  assert.equal(await press("Home", ".", ".", ".", ","), 2);
  const { events } = await runOf(page);
  const kindAt = (step) => events[step - 1][0];
  assert.equal(kindAt(await press("Home", "ArrowDown", "ArrowDown")), "a");
  assert.ok("vwn".includes(kindAt(await press("d"))));
  assert.equal(kindAt(await press("s")), "s");
  const speed = () => page.getByLabel("speed").evaluate((choice) => choice.selectedOptions[0].textContent);
  assert.equal(await speed(), "4/s");
  await press("+", "+", "-", "+", "+", "+", "+", "+", "+", "+");
  assert.equal(await speed(), "120/s");
  await press("Home", " ");
  await page.waitForFunction(() => document.querySelector("input[type=range]").valueAsNumber > 20);
  await press(" ");
  const paused = await stepOf(page);
  await page.waitForTimeout(200);
  assert.equal(await stepOf(page), paused);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).getByText("to the next dead end").waitFor();
  await page.keyboard.press("ArrowRight");
  assert.equal(await stepOf(page), paused, "keys rest while a dialog is open");
  await page.getByRole("button", { name: "Close" }).click();
  await page.keyboard.press("?");
  await page.keyboard.press("Escape");
  assert.equal(await press("."), Math.min(paused + 1, last));
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("an address names the step and the run, and the command is there to copy", { skip }, async () => {
  const page = await pages.open(made.queens.path, { fragment: "#step=17&run=1" });
  assert.equal(await stepOf(page), 17);
  assert.equal((await runOf(page)).strategy, "bt");
  await page.keyboard.press(".");
  await page.waitForFunction(() => location.hash === "#step=18&run=1");
  await page.getByRole("button", { name: "Share" }).click();
  assert.match(await page.getByLabel("This command makes the page").inputValue(), /^conjure-like search models\/n-queens\.essence -D 'letting n be 6' --compare=fc,bt --html /);
  assert.match(await page.getByLabel("This address shows this step").inputValue(), /^file:.*queens\.html#step=18&run=1$/);
  for (const fragment of ["#step=-5", "#step=1e9&run=77", "#step=x&run=y"]) {
    const other = await pages.open(made.queens.path, { fragment });
    assert.ok((await stepOf(other)) >= 0);
    assert.deepEqual(other.complaints, [], fragment);
    await other.context().close();
  }
  await page.context().close();
});

test("two runs are stepped side by side", { skip }, async () => {
  const page = await pages.open(made.queens.path, { viewport: { width: 1920, height: 1080 } });
  await page.getByLabel("compare two runs").check();
  await page.keyboard.press("ArrowRight");
  const shown = (pane) => [pane.querySelector("input[type=range]").valueAsNumber, pane.querySelector("select[aria-label=run]").selectedIndex];
  const panes = await page.locator(".pane").all();
  assert.deepEqual(await Promise.all(panes.map((pane) => pane.evaluate(shown))), [[1, 0], [1, 1]]);
  assert.equal(await page.locator(".pane").count(), 2);
  await page.context().close();
});

test("the picture holds the values of each cell, the clues and what has just been removed", { skip }, async () => {
  const page = await pages.open(made.sudoku.path);
  assert.equal(await page.locator(".cell").count(), 81);
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator(".cell .fresh").count(), 8, "a clue leaves one value");
  assert.ok((await page.locator(".cell .many").count()) >= 81 * 9 - 81);
  await page.keyboard.press("End");
  assert.equal(await page.locator(".cell .big").count(), 81);
  const [rows] = await page.locator(".cell .big").evaluateAll((all) => [all.map((one) => one.textContent).join("").match(/.{9}/g)]);
  for (const row of rows) assert.equal([...row].sort().join(""), "123456789");
  // A constraint highlights its variables.
  const { runs, constraints } = await dataOf(page);
  await go(page, runs[0].events.findIndex(([kind, , , constraint]) => kind === "p" && constraints[constraint][1].length === 9) + 1);
  assert.equal(await page.locator(".cell .halo").count(), 9);
  assert.equal(await page.locator(".graph .lit").count(), 9);
  const map = await pages.open(made.map.path);
  await map.keyboard.press("End");
  assert.equal(await map.locator(".cell").count(), 7);
  assert.ok((await map.locator(".cell .box").evaluateAll((all) => new Set(all.map((one) => one.style.fill)).size)) >= 3, "colours are colours");
  await page.context().close();
  await map.context().close();
});

test("branch and bound tells the best solution so far and what is still possible", { skip }, async () => {
  const page = await pages.open(made.ruler.path);
  const shown = () => page.locator(".objective").evaluate((one) => [one.querySelector("strong").textContent, one.querySelector("em").textContent]);
  assert.match(await page.locator(".objective").innerText(), /minimising mark\[4\]/);
  assert.equal((await shown())[0], "–");
  const best = [];
  const last = await steps(page);
  while ((await stepOf(page)) < last) {
    await page.keyboard.press("s");
    best.push(Number((await shown())[0]));
  }
  assert.equal(best.at(-1), 6, "the shortest ruler with four marks");
  assert.deepEqual(best, best.toSorted((left, right) => right - left), "it only becomes better");
  await go(page, (await runOf(page)).events.findLastIndex(([kind]) => kind === "n") + 1);
  const [incumbent, bound] = (await shown()).map(Number);
  assert.ok(bound >= incumbent, `${bound} is not better than ${incumbent}`);
  await page.context().close();
});

test("names are only text", { skip }, async () => {
  const hostile = "</script><img src=x onerror=alert(1)><b>\"'&{{7*7}}";
  const name = "<img src=x onerror=alert(2)>";
  run("search", pages.write(`${name}.essence`, "find x, y : int(1..2) such that x != y"), "--html", pages.at("named.html"));
  const page = await pages.open(pages.at("named.html"));
  assert.equal(await page.locator("h1").innerText(), name);
  await page.context().close();
  // Names in a model cannot be hostile, but the page does not rely on that.
  for (const source of ["sudoku", "map", "ruler"]) {
    const text = readFileSync(made[source].path, "utf8");
    const [line, json] = /(?<=<script type="application\/json" id="data">)(.*)(?=<\/script>)/.exec(text);
    const changed = JSON.parse(json, (key, value) => (typeof value === "string" && !["queen", "mark", "sense"].includes(key) && !/^(text|tone|dot|fill|queen|[apvnwsu]|M[\d.]+ .*)$/.test(value) ? hostile + value : value));
    const path = pages.write("hostile.html", text.replace(line, () => JSON.stringify(changed).replaceAll("<", "\\u003c")));
    const page = await pages.open(path);
    for (const step of [0, 3, 9, 20, 1e9]) await go(page, step);
    await page.keyboard.press("w");
    await page.getByRole("button", { name: "Share" }).click();
    assert.equal(await page.locator("img, b img").count(), 0);
    assert.ok((await page.locator(".pane").innerText()).includes("<img"), source);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
});

test("the page fits windows of all sizes, light and dark", { skip }, async () => {
  for (const [width, height] of [[360, 740], [1024, 768], [1920, 1080]]) {
    for (const name of Object.keys(made)) {
      const page = await pages.open(made[name].path, { viewport: { width, height }, colorScheme: width === 1024 ? "dark" : "light", fragment: "#step=12" });
      const [across, down] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
      assert.ok(across <= width, `${name} is ${across} wide in ${width}`);
      if (width > 1000) assert.ok(down <= height, `${name} is ${down} high in ${height}`);
      for (const part of [".said", ".values", ".search", ".bar"]) {
        const box = await page.locator(part).boundingBox();
        assert.ok(box.width > 100 && box.x >= 0 && box.x + box.width <= width, `${part} of ${name} at ${width}`);
      }
      const bar = await page.locator(".bar").boundingBox();
      assert.ok(bar.y + bar.height <= height + 1, `the buttons of ${name} are in sight at ${width}`);
      assert.deepEqual(page.complaints, []);
      await page.context().close();
    }
  }
});
