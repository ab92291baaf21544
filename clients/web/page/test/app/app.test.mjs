// A user who does not know Essence uses the apps of shipped models, in Chromium.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { test } from "node:test";
import { becomes, serve } from "../common.mjs";
import { ods, xlsx } from "../workbooks.mjs";
import { cell, inFolder, made, opened, parameter, placeOf, PROGRAM, ready, ROOT, run, saved, set, settled, shipped, skip, solved, written } from "./apps.mjs";

const AXE = skip ? "" : readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SCREENSHOTS = join(import.meta.dirname, "../screenshots");

/** The value of an expression in the program's solution. */
function valueOf(expression, model, data) {
  const file = join(ROOT, "models", `${model}.essence`);
  const solution = written(`${model}.solution`, run("solve", file, data));
  return /\d+/.exec(run("eval", expression, "-m", file, "-p", data, "-s", solution))[0];
}

function solutionOf(model, data) {
  const json = JSON.parse(run("solve", join(ROOT, "models", `${model}.essence`), data, "--output-format=json", "--json=plain"));
  return [json].flat()[0];
}

test("a rota: other people, a solution as good as the program's, a contradiction and its reason", { skip }, async () => {
  const page = await opened(made("nurses", ...shipped("nurses", "nurses-5")));
  await ready(page);
  // Change the instance through the form alone: a new name, another nurse, another wish.
  await parameter(page, "nurse").locator("input").nth(1).fill("Zoe");
  await page.keyboard.press("Tab");
  await parameter(page, "nurse").locator(".new-name").fill("Fay");
  await page.keyboard.press("Enter");
  await parameter(page, "wishes").getByLabel("Fay, We", { exact: true }).check({ force: true });
  await ready(page);
  assert.equal(await parameter(page, "wishes").getByLabel("Zoe, Sa", { exact: true }).isChecked(), true, "wishes follow the name");
  const says = await solved(page);
  assert.equal(await page.locator(".goal").textContent(), "Goal, the more the better: How many wishes come true.");
  const data = await saved(page, "Data as JSON");
  assert.deepEqual(JSON.parse(readFileSync(data, "utf8")).nurse, ["Ada", "Zoe", "Cleo", "Dan", "Eve", "Fay"]);
  // The solution is as good as the program's.
  assert.equal(says, `This is a best solution: ${valueOf("sum (n, d) in wishes . toInt(rota[n, d] = free)", "nurses", data)} (how many wishes come true).`);
  // The solver keeps a value that was set by hand.
  await set(page, "rota[Ada, Mo]", "night");
  await ready(page);
  await solved(page);
  assert.equal(await cell(page, "rota[Ada, Mo]").textContent(), "night");
  assert.match(await cell(page, "rota[Ada, Mo]").getAttribute("class"), /is-set/);
  // Impossible values beside it are grey, and the page explains why.
  await cell(page, "rota[Ada, Tu]").click();
  await page.locator(".offer .is-out").first().waitFor();
  await becomes(() => page.locator(".offer .is-out").allTextContents(), ["early", "late"]);
  await page.getByRole("button", { name: "Why not early?" }).click();
  await page.locator(".why-not li", { hasText: "After a night, a nurse sleeps" }).waitFor();
  assert.match(await page.locator(".why-not").textContent(), /You have set.*Rota Ada, Mo: night/);
  // A contradiction, its explanation, and a way out.
  await cell(page, "rota[Ada, Tu]").click();
  await page.locator(".offer .is-out", { hasText: "early" }).click();
  await page.locator(".contradiction li", { hasText: "After a night, a nurse sleeps" }).waitFor();
  await becomes(() => page.locator(".place.is-clash").count(), 2);
  await page.getByRole("button", { name: "Take back Rota Ada, Tu: early" }).click();
  await ready(page);
  assert.equal(await page.locator(".contradiction").count(), 0);
  await solved(page);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a puzzle: clues typed into a grid, the only solution, every wrong number marked", { skip }, async () => {
  const page = await opened(made("futoshiki", ...shipped("futoshiki", "futoshiki-4")));
  await ready(page);
  const before = solutionOf("futoshiki", join(ROOT, "params/futoshiki-4.param"));
  await solved(page);
  for (const [row, column] of [
    [1, 1],
    [2, 3],
    [4, 4],
  ])
    assert.equal(await cell(page, `board[${row}, ${column}]`).textContent(), String(before.board[row - 1][column - 1]));
  // Another size: the grids adapt.
  await parameter(page, "n").locator("input").fill("5");
  await page.waitForFunction(() => document.querySelectorAll('.parameter[data-parameter="hints"] .grid tbody tr').length === 5);
  await ready(page);
  await parameter(page, "hints").getByLabel("5, 5", { exact: true }).fill("5");
  await ready(page);
  const status = await solved(page);
  assert.match(status, /^Solved/);
  assert.equal(await cell(page, "board[5, 5]").textContent(), "5");
  await becomes(() => page.locator(".place").count(), 25);
  const data = JSON.parse(readFileSync(await saved(page, "Data as JSON"), "utf8"));
  assert.equal(data.n, 5);
  assert.ok(data.hints.some(([[row, column], value]) => row === 5 && column === 5 && value === 5));
  // A digit on the keyboard sets the cell.
  await cell(page, "board[5, 4]").focus();
  await page.keyboard.press("5");
  await page.locator(".contradiction li", { hasText: "No number stands twice in a row" }).waitFor();
  await page.keyboard.press("Delete");
  await ready(page);
  assert.equal(await page.locator(".is-clash").count(), 0);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("another puzzle of the same kind has one solution and other clues", { skip }, async () => {
  const page = await opened(made("another", ...shipped("latin-square", "latin-square-4")));
  await ready(page);
  const data = async () => JSON.parse(readFileSync(await saved(page, "Data as JSON"), "utf8"));
  const before = await data();
  await page.getByRole("button", { name: "Make me another" }).click();
  await page.getByRole("button", { name: "Make me another", disabled: false }).waitFor();
  await ready(page);
  const after = await data();
  assert.equal(after.n, before.n);
  assert.notDeepEqual(after.hints, before.hints);
  const file = written("another.param.json", JSON.stringify(after));
  const found = run("solve", join(ROOT, "models/latin-square.essence"), file, "--all", "--output-format=jsonstream");
  assert.equal(found.trim().split("\n").length, 1);
  // A model with an objective makes no puzzles.
  const other = await opened(made("no-puzzle", ...shipped("knapsack", "knapsack-5")));
  await ready(other);
  assert.equal(await other.getByRole("button", { name: "Make me another" }).count(), 0);
  // Neither does a plan with many solutions of which the data fix a part.
  const shelves = "given heavy : set of int(1..3)\nfind stands : function (total) int(1..3) --> int(1..3)\nsuch that forAll x in heavy . stands(x) = 1\n";
  const plan = await opened(made("shelves", written("shelves.essence", shelves), "-D", "letting heavy be {2}"));
  await ready(plan);
  await solved(plan);
  assert.equal(await plan.getByRole("button", { name: "Make me another" }).count(), 0);
  await plan.context().close();
  assert.deepEqual([page.complaints, other.complaints, plan.complaints], [[], [], []]);
  await page.context().close();
  await other.context().close();
});

test("a knapsack: rows from a spreadsheet, members that are set, solutions as good as the program's", { skip }, async () => {
  const page = await opened(made("knapsack", ...shipped("knapsack", "knapsack-5")));
  await ready(page);
  await parameter(page, "capacity").locator("input").fill("13");
  await parameter(page, "weight").getByLabel("rope", { exact: true }).fill("3");
  await ready(page);
  const says = await solved(page);
  const data = await saved(page, "Data as a parameter file");
  assert.equal(says, `This is a best solution: ${valueOf("sum i in chosen . value(i)", "knapsack", data)} (the value of all items in the knapsack).`);
  await cell(page, "stove in chosen").click();
  await ready(page);
  await solved(page);
  assert.match(await cell(page, "stove in chosen").getAttribute("class"), /is-set.*is-yes/);
  for (const name of ["tent", "stove"]) if (!/is-set/.test(await cell(page, `${name} in chosen`).getAttribute("class"))) await cell(page, `${name} in chosen`).click();
  await ready(page);
  await cell(page, "rope in chosen").click();
  if ((await page.locator(".offer").count()) > 0) await page.locator(".offer .is-out", { hasText: "yes" }).click();
  await page.locator(".contradiction li.yours").first().waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a seating plan, a timetable, a set of sites, a colouring and a board of queens are solved, set and unset", { skip }, async () => {
  const cases = [
    ["seating", "seating-6", 1],
    ["timetable", "timetable-5", 1],
    ["set-covering", "set-covering-6", 1],
    ["n-queens", "n-queens-6", 1],
    ["sudoku", "sudoku-medium", 1],
    ["job-shop", "job-shop-bakery", 1],
    ["round-trip", "round-trip-7", 1],
  ];
  for (const [model, param] of cases) {
    const page = await opened(made(model, ...shipped(model, param)));
    await ready(page);
    await solved(page);
    // Set a value of the solution; the solver keeps it.
    const { cell: name, value } = await page.evaluate(() => ({ ...[...document.querySelectorAll(".place.is-found")].at(-1)?.dataset }));
    assert.ok(name, `${model}: there is something to set`);
    if (value !== undefined) {
      // Each value has its own slot, so that a click sets it.
      const place = page.locator(`.place[data-cell=${JSON.stringify(name)}][data-value="${value}"]`);
      await place.click();
      await ready(page);
      await solved(page);
      assert.match(await place.getAttribute("class"), /is-set/, model);
      await page.locator("button", { hasText: "Clear what I set" }).click();
      await ready(page);
      await page.context().close();
      continue;
    }
    const shown = await cell(page, name).textContent();
    await cell(page, name).focus();
    if (await cell(page, name).evaluate((element) => element.classList.contains("toggle"))) {
      await cell(page, name).click();
      if (shown !== "✓") await cell(page, name).click();
    } else await set(page, name, shown.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace("–", "(–|undefined)"));
    await page.waitForFunction((name) => document.querySelector(`.place[data-cell=${JSON.stringify(name)}]`)?.className.includes("is-set"), name);
    await solved(page);
    assert.equal(await cell(page, name).textContent(), shown, `${model}: ${name}`);
    await page.locator("button", { hasText: "Clear what I set" }).click();
    await ready(page);
    assert.equal(await page.locator(".place.is-set").count(), 0);
    assert.deepEqual(page.complaints, [], model);
    await page.context().close();
  }
});

test("what is wrong is said at its field, in the words of the program's messages", { skip }, async () => {
  const model = "$ Numbers\n\n$ How many there are.\ngiven n : int(1..9)\ngiven list : sequence of int(1..9)\n$ There are at least two.\nwhere n >= 2\nfind x : int(1..n)\n";
  const page = await opened(made("where", written("where.essence", model), "-D", "letting n be 3 letting list be sequence(1, 2)"));
  await ready(page);
  await parameter(page, "n").locator("input").fill("12");
  await parameter(page, "n").locator(".problem", { hasText: "1 to 9, please" }).waitFor();
  await becomes(() => parameter(page, "n").locator("input").getAttribute("aria-invalid"), "true");
  await becomes(() => page.locator(".solve").isDisabled(), true);
  await parameter(page, "n").locator("input").fill("");
  await parameter(page, "n").locator(".problem", { hasText: "This needs a value." }).waitFor();
  await parameter(page, "n").locator("input").fill("1");
  await page.locator(".problem-box", { hasText: "There are at least two." }).waitFor();
  await parameter(page, "n").locator("input").fill("4");
  await parameter(page, "list").locator("input").nth(1).fill("77");
  await parameter(page, "list").locator(".problem", { hasText: "1 to 9, please" }).waitFor();
  await becomes(() => parameter(page, "list").locator("input").nth(1).getAttribute("aria-invalid"), "true");
  assert.equal(await parameter(page, "list").locator("input").nth(0).getAttribute("aria-invalid"), null);
  await parameter(page, "list").locator("input").nth(1).fill("7");
  await ready(page);
  // Rows from a spreadsheet.
  await parameter(page, "list").locator("button", { hasText: "Paste" }).click();
  await parameter(page, "list").locator("textarea").fill("list\n3\n4\n");
  await parameter(page, "list").locator("button", { hasText: "Use these rows" }).click();
  await ready(page);
  assert.deepEqual(JSON.parse(readFileSync(await saved(page, "Data as JSON"), "utf8")), { n: 4, list: [1, 7, 3, 4] });
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("numbers are in the units of the model, and several instances are several plans", { skip }, async () => {
  const model = `$ Prices

given item new type enum
given price : function (total) item --> int(0..10000) $ unit price, cost, objective: 0.01
find chosen : set (minSize 1) of item
find cost : int(0..100000)
such that cost = sum([price(i) | i <- chosen])
minimising cost
`;
  const data = JSON.stringify([
    { item: ["tea", "milk"], price: { tea: 2.5, milk: 1.2 } },
    { item: ["salt"], price: { salt: 0.4 } },
  ]);
  const page = await opened(made("units", written("prices.essence", model), written("prices.json", data)));
  await ready(page);
  const milk = parameter(page, "price").getByLabel("milk", { exact: true });
  assert.equal(await milk.inputValue(), "1.20");
  assert.equal(await solved(page), "This is a best solution: 1.20 (Cost).");
  await milk.fill("1,35");
  await ready(page);
  assert.equal(await solved(page), "This is a best solution: 1.35 (Cost).");
  assert.equal(await page.locator('[data-cell="cost"]').textContent(), "1.35");
  assert.deepEqual(JSON.parse(readFileSync(await saved(page, "Data as JSON"), "utf8")).price, [
    ["tea", 2.5],
    ["milk", 1.35],
  ]);
  await milk.fill("1.355");
  await parameter(page, "price").locator(".problem", { hasText: "not a multiple of 0.01" }).waitFor();
  assert.deepEqual(await page.locator(".plans option").allTextContents(), ["prices-1", "prices-2"]);
  await page.locator(".plans select").selectOption("1");
  await page.locator(".status", { hasText: "Everything here follows from the data." }).waitFor();
  assert.equal(await solved(page), "This is a best solution: 0.40 (Cost).");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

const OFFERS = `$ Offers

letting customer be new type enum {Ada, Ben}
find deal : record {price : int(0..400), to : customer}
find rest : (int(0..2000), bool)
find paid : relation (size 2) of (customer * int(100, 150, 200))
$ unit deal.price, rest.1, paid.2: 0.01
such that
$ Everything is paid.
    deal[price] = sum([x | (_, x) <- paid]),
    rest[1] = 1500 + deal[price],
    deal[to] = Ben
`;

test("parts of tuples, records and relations are in their units, also where they cannot be set", { skip }, async () => {
  const page = await opened(made("offers", written("offers.essence", OFFERS)));
  await ready(page);
  assert.deepEqual(await page.locator(".cells thead th").allTextContents(), ["1.00", "1.50", "2.00"]);
  await cell(page, "(Ada, 200) in paid").click();
  await ready(page);
  await cell(page, "(Ben, 150) in paid").click();
  await ready(page);
  await solved(page);
  assert.equal(await cell(page, "deal[price]").textContent(), "3.50");
  assert.equal(await page.locator('[data-cell="rest[1]"]').textContent(), "18.50");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

const ROOMS = `$ Rooms

letting group be new type enum {Ada, Ben, Cleo}
letting room be new type enum {r101, r102}
letting clash be relation((Ada, Ben))
find in_room : function (total) group --> room
such that
    $ Groups that disturb each other have different rooms.
    $ why: {a} and {b} cannot share {r}
    $ why in de: {a} und {b} passen nicht zusammen in {r}
    forAll (a, b) in clash . forAll r : room . !(in_room(a) = r /\\ in_room(b) = r)
`;

test("a rule in the words of its template, in the language of the page, with the formula behind a toggle", { skip }, async () => {
  const file = made("rooms", written("rooms.essence", ROOMS));
  for (const [locale, says] of [["en", "Ada and Ben cannot share r101"], ["de", "Ada und Ben passen nicht zusammen in r101"]]) {
    const page = await opened(file, { locale });
    await ready(page);
    await set(page, "in_room(Ada)", "r101");
    await ready(page);
    await placeOf(page, { cell: "in_room(Ben)", value: "r101" }).click();
    await page.locator(".offer .is-out", { hasText: "r101" }).click();
    const rule = page.locator(".contradiction .rules-list:not(.settings) li", { hasText: says });
    await rule.waitFor();
    assert.equal(await rule.locator("code").first().isVisible(), false);
    await rule.locator("summary").click();
    assert.equal(await rule.locator("code").first().isVisible(), true);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
});

test("bounds of a domain are in the language of the page", { skip }, async () => {
  const text = `letting group be new type enum {Ada, Ben, Cleo}
find at : function (total) group --> int(1..2)
such that
    $ Nobody comes at the same time as somebody else.
    forAll a, b : group, a < b . at(a) != at(b)
`;
  const file = made("times", written("times.essence", text));
  for (const [locale, says] of [["en", "Each value of At is from 1 to 2"], ["de", "Jeder Wert von At liegt zwischen 1 und 2"]]) {
    const page = await opened(file, { locale });
    await page.locator(".contradiction .rules-list li", { hasText: says }).waitFor({ timeout: 30_000 });
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
});

// The sum of these 2,000 values becomes a decision diagram with a layer for each of them.
test("the reason of a contradiction has parts in their units", { skip }, async () => {
  const page = await opened(made("offers", written("offers.essence", OFFERS)));
  await ready(page);
  await cell(page, "(Ada, 200) in paid").click();
  await ready(page);
  await cell(page, "deal[price]").click();
  await page.locator(".offer input").fill("2.50");
  await page.locator(".offer input").press("Enter");
  const reason = page.locator(".contradiction");
  await reason.locator(".rules-list:not(.settings) li", { hasText: "Everything is paid." }).waitFor({ timeout: 15_000 });
  assert.match(await reason.locator(".settings").textContent(), /price: 2\.50/);
  assert.match(await reason.locator(".settings").textContent(), /Ada, 2\.00/);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("undo and redo, several plans, a link, a file, another language", { skip }, async () => {
  const file = made("plans", ...shipped("knapsack", "knapsack-5"));
  const page = await opened(file);
  await ready(page);
  const capacity = () => parameter(page, "capacity").locator("input");
  const first = await capacity().inputValue();
  await capacity().fill("7");
  await ready(page);
  await cell(page, "map in chosen").click();
  await ready(page);
  await page.waitForTimeout(700);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await capacity().inputValue(), first);
  await page.getByRole("button", { name: "Redo" }).click();
  await page.getByRole("button", { name: "Redo" }).click();
  assert.equal(await capacity().inputValue(), "7");
  await ready(page);
  assert.match(await cell(page, "map in chosen").getAttribute("class"), /is-set/);
  // A second plan; both survive a reload.
  await page.locator(".plans .menu > summary").click();
  await page.locator(".plans button", { hasText: "Duplicate" }).click();
  await capacity().fill("9");
  await ready(page);
  await page.reload();
  await ready(page);
  assert.equal(await page.locator(".plans select option").count(), 2);
  assert.equal(await capacity().inputValue(), "9");
  // A name that another plan has is refused with a word, and Escape leaves the name as it was.
  const [original, second] = await page.locator(".plans select option").allTextContents();
  for (const [name, key] of [[original, "Enter"], ["Other", "Escape"]]) {
    await page.locator(".plans .menu > summary").click();
    await page.locator(".plans button", { hasText: "Rename" }).click();
    await page.getByLabel("Name of the plan").fill(name);
    await page.keyboard.press(key);
    if (key === "Enter") await page.getByText(`Already in the list: ${original}.`).waitFor();
    assert.deepEqual(await page.locator(".plans select option").allTextContents(), [original, second]);
  }
  await page.locator(".plans select").selectOption("0");
  assert.equal(await capacity().inputValue(), "7");
  // A link contains everything.
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator(".menu > summary", { hasText: "Save" }).click();
  await page.locator(".menu-list button", { hasText: "link" }).click();
  await page.waitForFunction(() => location.hash.length > 20);
  const other = await opened(`${file}${new URL(page.url()).hash}`);
  await ready(other);
  assert.equal(await parameter(other, "capacity").locator("input").inputValue(), "7");
  assert.match(await cell(other, "map in chosen").getAttribute("class"), /is-set/);
  // A parameter file becomes a plan.
  await other.locator("input[type=file]").setInputFiles(join(ROOT, "params/knapsack-12.param"));
  await other.waitForFunction(() => document.querySelectorAll('.parameter[data-parameter="weight"] input').length === 12);
  await other.getByLabel("Language").selectOption("de");
  await other.getByRole("button", { name: "Lösen" }).waitFor();
  assert.deepEqual([...page.complaints, ...other.complaints], []);
  await page.context().close();
  await other.context().close();
});

/** Converts a value from the board to Essence: the board shows tuples without parentheses. */
const inEssence = (value) => (value.includes(", ") ? `(${value})` : value);

test("no greyed value is possible, whatever has been set", { skip }, async () => {
  let [state, asked] = [7, 0];
  const random = (below) => (state = (state * 1103515245 + 12345) % 2147483648) % below;
  for (const [model, param] of [
    ["futoshiki", "futoshiki-5-less"],
    ["seating", "seating-6"],
    ["nurses", "nurses-5"],
    ["timetable", "timetable-5"],
  ]) {
    const [file, data] = shipped(model, param);
    const page = await opened(made(`${model}-greys`, file, data));
    await ready(page);
    // For a puzzle, possible values are shown on demand only.
    if (await page.getByLabel("Show what is possible").isVisible()) await page.getByLabel("Show what is possible").check();
    const settings = [];
    for (let edit = 0; edit < 4; edit++) {
      const names = await page.locator(".place:not(.toggle, .is-fixed, .is-set, .as-tick)").evaluateAll((all) => all.map((one) => one.dataset.cell));
      if (names.length === 0) break;
      const name = names[random(names.length)];
      await cell(page, name).click();
      // The values that follow from the data may have arrived in the meantime.
      if ((await page.locator(".offer .value:not(.is-out)").count()) === 0) continue;
      const out = await page.locator(".offer .is-out").allTextContents();
      for (const value of out.slice(0, 3)) {
        const given = [...settings, `${name} = ${inEssence(value)}`].join(",\n");
        const partial = written("partial.solution", `such that\n${given}\n`);
        const { verdict } = JSON.parse(run("why", file, data, "--expect", partial, "--output-format=json"));
        assert.equal(verdict, "not extensible", `${model}: ${given}`);
        asked += 1;
      }
      const open = page.locator(".offer .value:not(.is-out)");
      const chosen = open.nth(random(await open.count()));
      const value = await chosen.textContent();
      await chosen.click();
      if (value === "–") break;
      settings.push(`${name} = ${inEssence(value)}`);
      await ready(page);
    }
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
  assert.ok(asked >= 10, `${asked} greyed values were held against the program`);
});

test("names and comments inject nothing", { skip }, async () => {
  const bits = ["<img src=x onerror=window.hit=1>", "</script><script>window.hit=1</script>", "<!--", "-->", "]]>", "javascript:window.hit=1", "\" onclick=\"window.hit=1", "' onfocus='window.hit=1", "&lt;b&gt;", "${window.hit=1}", "{{window.hit=1}}", "\\u003cscript>", "@app data@", "@app title@", "$&", "</style>", "</title><svg onload=window.hit=1>", "\u2028", "\u202e", "`code`", "http://example.com/?", "a, b", "(1, 2)", "x in y", "] = 3"];
  const names = Array.from({ length: 500 }, (_, at) => `${bits[at % bits.length]}${bits[(at * 7 + 3) % bits.length]}${at}`);
  const hostile = bits.join(" ").replaceAll("\n", " ");
  const model = `$ ${hostile}\n$\n$ ${hostile}\n\n$ ${hostile}\ngiven guest new type enum\ngiven "${"<img src=x onerror=window.hit=1>"}" : int(0..9)\n$ ${hostile}\nfind s : set (minSize 1) of guest\nfind first : guest\n$ ${hostile}\nsuch that first in s\n`;
  const data = written("hostile.json", JSON.stringify({ guest: names, "<img src=x onerror=window.hit=1>": 3 }));
  const file = made("hostile", written("hostile.essence", model), data);
  const page = await opened(file);
  await page.waitForFunction(() => document.querySelectorAll(".place").length > 400, null, { timeout: 60_000 });
  assert.equal(await parameter(page, "guest").locator("li input").first().inputValue(), names[0]);
  await page.locator(".solve").click();
  await page.waitForFunction(() => document.querySelector(".status")?.textContent === "Solved.", null, { timeout: 60_000 });
  const scripts = await page.evaluate(() => [document.scripts.length, document.querySelectorAll("img[onerror], [onclick], [onfocus], [onload]").length, window.hit]);
  assert.deepEqual(scripts, [5, 0, undefined]);
  assert.ok((await page.title()).startsWith("<img src=x onerror=window.hit=1>"));
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("the file names no other host, has a strict policy, and is small enough for a mail", { skip }, () => {
  const file = made("hosts", ...shipped("seating", "seating-8"));
  const text = readFileSync(file, "utf8");
  // The namespace of SVG looks like an address, but nothing is loaded from it.
  const addresses = [...text.matchAll(/[a-z]+:\/\/[\w.-]+[\w/.-]*/gi)].map(([address]) => address);
  assert.deepEqual([...new Set(addresses)], ["http://www.w3.org/2000/svg"]);
  // The script of `--split` names a file that this page does not have.
  assert.doesNotMatch(text.replace(/<script[^]*?<\/script>/g, ""), /(src|href)=["']?(?!data:)[a-z/]/i);
  const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(text);
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+' 'wasm-unsafe-eval' blob:; worker-src blob:; style-src 'sha256-[^']+'; font-src data:; img-src blob: data:; base-uri 'none'; form-action 'none'$/);
  assert.ok(statSync(file).size <= 4_500_000, `${statSync(file).size} bytes`);
});

test("without the page, the program says how to get it", { skip }, () => {
  const missing = spawnSync(PROGRAM, ["app", ...shipped("seating", "seating-8"), "--page", written("no.html", "<p>"), "-o", inFolder("no-app.html")], { encoding: "utf8" });
  assert.equal(missing.status, 2);
  assert.match(missing.stderr, /is not a page that an app can be built from[^]*make app/);
  assert.equal(existsSync(inFolder("no-app.html")), false);
});

test("axe finds nothing, in light and dark, on a phone and on a desk", { skip }, async () => {
  const file = made("axe", ...shipped("nurses", "nurses-5"));
  mkdirSync(SCREENSHOTS, { recursive: true });
  for (const colorScheme of ["light", "dark"])
    for (const width of [390, 1280, 2560]) {
      const page = await opened(file, { colorScheme, viewport: { width, height: 1000 }, bypassCSP: true });
      await ready(page);
      await set(page, "rota[Ada, Mo]", "night");
      await cell(page, "rota[Ada, Tu]").click();
      await page.locator(".offer .is-out").first().click();
      await page.locator(".contradiction li", { hasText: "After a night" }).waitFor();
      await page.addScriptTag({ content: AXE });
      const check = () => page.evaluate(async () => (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).slice(0, 3).join(" ")}`));
      assert.deepEqual(await check(), [], `${colorScheme}, ${width}`);
      await page.screenshot({ path: join(SCREENSHOTS, `app-${colorScheme}-${width}.png`), fullPage: true });
      await page.getByRole("button", { name: "Clear what I set" }).click();
      await ready(page);
      await solved(page);
      assert.deepEqual(await check(), [], `${colorScheme}, ${width}, solved`);
      // Nothing may be wider than the window.
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
      await page.context().close();
    }
});

test("on a telephone nothing is wider than the page, and every value in a picture is whole", { skip }, async () => {
  for (const [model, param] of [["allotment", "allotment-3-4"], ["choir", "choir-12"], ["league", "league-6"], ["futoshiki", "futoshiki-9"], ["map-colouring", "map-colouring-australia"]]) {
    const page = await opened(made(`narrow-${model}`, ...shipped(model, param)), { viewport: { width: 390, height: 844 } });
    await ready(page);
    await solved(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, model);
    const cut = await page.locator(".spot").evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent));
    assert.deepEqual(cut, [], model);
    await page.context().close();
  }
});

test("a large relation on a telephone: names that stay, places for a finger, and a sign that there is more", { skip }, async () => {
  const page = await opened(made("relation", ...shipped("wedding", "wedding-14")), { viewport: { width: 390, height: 844 } });
  await ready(page);
  const box = parameter(page, "friends").locator(".scrolled");
  const looks = () =>
    box.evaluate((element) => {
      const left = (selector) => Math.round(element.querySelector(selector).getBoundingClientRect().left - element.getBoundingClientRect().left);
      const { width, height } = element.querySelector(".tick").getBoundingClientRect();
      return { names: left("tbody th"), corner: left("thead td"), isLarge: Math.min(width, height) >= 24, fades: getComputedStyle(element).getPropertyValue("--fading") !== "0px" };
    });
  assert.deepEqual(await looks(), { names: 0, corner: 0, isLarge: true, fades: true });
  await box.evaluate((element) => (element.scrollLeft = element.scrollWidth));
  await becomes(looks, { names: 0, corner: 0, isLarge: true, fades: false });
  await page.context().close();
});

test("a value is dragged to another place, a member to another set, and the same is done by the keyboard", { skip }, async () => {
  const model = "letting guest be new type enum {ann, bob, cid}\n$ app: view seat as list\nfind seat : matrix indexed by [int(1..3)] of guest\nfind team : matrix indexed by [int(1..2)] of set of guest\nsuch that allDiff(seat)\n";
  const page = await opened(made("drag", written("drag.essence", model)));
  await ready(page);
  const middle = async (name) => {
    const { x, y, width, height } = await cell(page, name).boundingBox();
    return [x + width / 2, y + height / 2];
  };
  const drag = async (from, to) => {
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(to)), { steps: 5 });
    const targets = await page.locator(".place.target").evaluateAll((all) => all.map((one) => one.dataset.cell));
    await page.mouse.up();
    return targets;
  };
  const texts = async (...names) => Promise.all(names.map((name) => cell(page, name).textContent()));
  await set(page, "seat[1]", "ann");
  await ready(page);
  // Dropped on an open cell, the value moves.
  assert.deepEqual(await drag("seat[1]", "seat[2]"), ["seat[2]", "seat[3]"]);
  await ready(page);
  assert.deepEqual(await texts("seat[1]", "seat[2]"), ["", "ann"]);
  assert.equal(await page.locator(".offer, .dragged, .target").count(), 0);
  // Dropped on a cell with a value, the two values are swapped.
  await set(page, "seat[3]", "bob");
  await ready(page);
  await drag("seat[2]", "seat[3]");
  await ready(page);
  assert.deepEqual(await texts("seat[2]", "seat[3]"), ["bob", "ann"]);
  assert.equal(await page.locator(".place.is-set").count(), 2);
  // This is one step of undo.
  await page.getByRole("button", { name: "Undo" }).click();
  await ready(page);
  assert.deepEqual(await texts("seat[2]", "seat[3]"), ["ann", "bob"]);
  // A member moves from one set to another one, and nowhere else.
  await cell(page, "ann in team[1]").click();
  await ready(page);
  assert.ok((await drag("ann in team[1]", "ann in team[2]")).every((name) => name.includes("team")));
  await ready(page);
  assert.deepEqual(await texts("ann in team[1]", "ann in team[2]"), ["–", "✓"]);
  // Dropped outside a cell, nothing happens; Escape cancels.
  await page.mouse.move(...(await middle("seat[2]")));
  await page.mouse.down();
  await page.mouse.move(...(await middle("seat[1]")), { steps: 4 });
  await page.keyboard.press("Escape");
  await page.mouse.up();
  // The third guest is the only one left.
  assert.deepEqual(await texts("seat[1]", "seat[2]"), ["cid", "ann"]);
  // A click still opens the menu, and the keyboard moves the same value.
  await page.keyboard.press("Escape");
  await cell(page, "seat[2]").focus();
  await page.keyboard.press("Delete");
  await ready(page);
  await cell(page, "seat[1]").focus();
  await page.keyboard.press("a");
  await ready(page);
  assert.deepEqual(await texts("seat[1]", "seat[2]"), ["ann", "cid"]);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("the members of unnamed types: why they contradict, and the most different solution", { skip }, async () => {
  const page = await opened(made("pigeons", ...shipped("pigeonholes"), "-D", "letting pigeons be 3 letting holes be 4"));
  await ready(page);
  await set(page, "home(pigeon_1)", "hole_2");
  await ready(page);
  const third = placeOf(page, { cell: "home(pigeon_3)", value: "hole_2" });
  await third.click();
  await page.locator(".offer .is-out").first().waitFor();
  await page.getByRole("button", { name: "Why not hole_2?" }).click();
  await page.locator(".why-not li", { hasText: "No value occurs twice in Home" }).waitFor();
  await third.click();
  await page.locator(".offer .is-out", { hasText: "hole_2" }).click();
  await page.locator(".contradiction li", { hasText: "No value occurs twice in Home" }).waitFor();
  await becomes(() => page.locator(".place.is-clash").count(), 2);
  await page.getByRole("button", { name: "Take back Home pigeon_3: hole_2" }).click();
  await ready(page);
  await solved(page);
  await page.getByRole("button", { name: "Most different" }).click();
  await page.locator(".status", { hasText: "Solution 2 differs from those before it in 2 places" }).waitFor();
  assert.equal(await placeOf(page, { cell: "home(pigeon_1)", value: "hole_2" }).textContent(), "✓");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("an app of data that are not complete asks for what is missing", { skip }, async () => {
  const page = await opened(made("partial", ...shipped("knapsack"), "-D", "letting item be new type enum {pen, ink} letting weight be function(pen --> 2, ink --> 3)"));
  await page.locator(".status", { hasText: "Still missing: Value, Capacity." }).waitFor();
  await becomes(() => page.locator(".parameter .problem").allTextContents(), ["", "", "This needs a value.", "This needs a value."]);
  await becomes(() => parameter(page, "weight").getByLabel("ink", { exact: true }).inputValue(), "3");
  await parameter(page, "value").getByLabel("pen", { exact: true }).fill("5");
  await parameter(page, "value").getByLabel("ink", { exact: true }).fill("4");
  await parameter(page, "capacity").locator("input").fill("4");
  await ready(page);
  assert.equal(await solved(page), "This is a best solution: 5 (the value of all items in the knapsack).");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("the apps of daily life are printed on one page", { skip }, async () => {
  for (const param of ["wedding-14", "carpool-6", "volunteers-7", "allotment-3-4", "league-6", "parents-evening-4", "luggage-12", "exams-7", "dinners-10", "choir-12"]) {
    const page = await opened(made(`print-${param}`, ...shipped(param.replace(/-[-\d]+$/, ""), param)), { colorScheme: "dark" });
    await ready(page);
    await solved(page);
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1, param);
    // A dark page is printed on white, too.
    await page.emulateMedia({ media: "print" });
    const colour = () => page.evaluate(() => Math.max(...getComputedStyle(document.querySelector("h1")).color.match(/\d+/g).map(Number)));
    await becomes(async () => (await colour()) < 80, true, param);
    await page.context().close();
  }
});

test("what is wrong with a file of data stands at its fields", { skip }, async () => {
  const page = await opened(made("wrong", ...shipped("knapsack", "knapsack-5")));
  await ready(page);
  const open = (text) => page.locator("input[type=file]").setInputFiles(written("wrong.param", text));
  await open("letting item be new type enum {pen}\nletting weight be function(pen --> heavy)\nletting value be function(pen --> 1)\nletting capacity be {5}\n");
  await parameter(page, "weight").locator(".problem", { hasText: "The name heavy is not declared." }).waitFor();
  await parameter(page, "capacity").locator(".problem", { hasText: "The parameter capacity has type int, but this is set of int." }).waitFor();
  await becomes(() => page.locator(".solve").isDisabled(), true);
  await parameter(page, "capacity").locator("input").fill("5");
  await page.waitForFunction(() => document.querySelector('[data-parameter="capacity"] .problem').textContent === "");
  await parameter(page, "weight").getByLabel("pen", { exact: true }).fill("4");
  await ready(page);
  // A file that gives no value is rejected.
  await open("hello");
  await page.getByText("wrong.param cannot be read").waitFor({ state: "attached" });
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("after a search that was stopped, a better solution", { skip }, async () => {
  const ruler = await opened(made("better", ...shipped("golomb-ruler"), "-D", "letting n be 11"));
  await ready(ruler);
  await ruler.locator(".solve").click();
  await ruler.locator(".status", { hasText: "Searching for a solution better" }).waitFor();
  await ruler.getByRole("button", { name: "Stop" }).click();
  const length = async () => Number(/\d+/.exec(await ruler.locator(".status").textContent())[0]);
  await ruler.getByRole("button", { name: "Better than this" }).click();
  const before = await length();
  await ruler.waitForFunction((before) => Number(/\d+/.exec(document.querySelector(".status").textContent)?.[0]) < before, before);
  assert.deepEqual(ruler.complaints, []);
  await ruler.context().close();
});

test("tables are opened at their forms, and a snippet embeds the page", { skip }, async () => {
  const page = await opened(made("tables", ...shipped("knapsack", "knapsack-5")));
  await ready(page);
  const open = async (name, file) => {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), parameter(page, name).getByRole("button", { name: "Open a table" }).click()]);
    await chooser.setFiles(file);
  };
  await open("weight", written("weights.csv", "item;weight;note\ntent;9;\nstove;4;\nrope;7;long\nmap;2;\nlamp;2;\n"));
  await page.waitForFunction(() => document.querySelector('[data-parameter="weight"] [aria-label="rope"]')?.value === "7");
  await open("weight", written("wrong.csv", "item;weight\nrope;heavy\n"));
  await parameter(page, "weight").locator(".problem", { hasText: "wrong.csv, row 2, column weight: heavy is not a whole number" }).waitFor();
  assert.equal(await parameter(page, "weight").getByLabel("rope", { exact: true }).inputValue(), "7");
  // Workbooks: a sheet is taken if it is the only one or has the name of the parameter; otherwise the user chooses.
  const rows = (rope) => [["item", "weight"], ["tent", 9], ["stove", 4], ["rope", rope], ["map", 2], ["lamp", 2]];
  const weighs = (weight) => page.waitForFunction((weight) => document.querySelector('[data-parameter="weight"] [aria-label="rope"]')?.value === weight, weight);
  await open("weight", written("one.xlsx", xlsx({ Mia: rows(6) })));
  await weighs("6");
  await open("weight", written("two.ods", ods({ Notes: [["none"]], weight: rows(5) })));
  await weighs("5");
  await open("weight", written("three.ods", ods({ Mia: rows(8), Ben: rows("heavy") })));
  await parameter(page, "weight").locator(".problem").getByRole("button", { name: "Ben" }).click();
  await parameter(page, "weight").locator(".problem", { hasText: "three.ods#Ben, row 4, column weight: heavy is not a whole number" }).waitFor();
  await open("weight", written("broken.xlsx", Buffer.from("PK\x03\x04 and nothing else", "latin1")));
  await parameter(page, "weight").locator(".problem", { hasText: "Cannot read broken.xlsx" }).waitFor();
  await open("weight", written("three.ods", ods({ Mia: rows(7), Ben: rows("heavy") })));
  await parameter(page, "weight").locator(".problem").getByRole("button", { name: "Mia" }).click();
  await weighs("7");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator(".menu > summary", { hasText: "Save" }).click();
  await page.locator(".menu-list button", { hasText: "embeds" }).click();
  await page.getByText("The snippet is in the clipboard.").waitFor({ state: "attached" });
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^<iframe src="file:[^"]*#[^"]{20,}" title="[^"]+" width="100%" height="800" loading="lazy"><\/iframe>$/);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("apps with --split share the file of the engine, from a folder and from a server", { skip }, async (context) => {
  const folder = inFolder("split");
  mkdirSync(folder);
  const files = ["knapsack-5", "futoshiki-4"].map((param) => made(`split/${param}`, ...shipped(param.split("-")[0], param), "--split"));
  const engines = readdirSync(folder).filter((name) => name.endsWith(".js"));
  assert.equal(engines.length, 1);
  assert.match(engines[0], /^conjure-like-engine-[0-9a-f]{16}\.js$/);
  for (const file of files) assert.ok(statSync(file).size < 400_000, `${statSync(file).size} bytes`);
  for (const file of files) {
    const page = await opened(file);
    await ready(page);
    assert.match(await solved(page), /^(Solved|This is a best solution)/);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
  const server = await serve({}, folder);
  context.after(server.close);
  const page = await opened(files[0], {}, `${server.url}${basename(files[0])}`);
  await ready(page);
  assert.match(await solved(page), /^This is a best solution/);
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(server.requests.filter((path) => !path.endsWith("favicon.ico")), [`/essence/${basename(files[0])}`, `/essence/${engines[0]}`]);
  await page.context().close();
  // Without the file, the page says which file is missing.
  const alone = inFolder("alone.html");
  copyFileSync(files[0], alone);
  const lost = await opened(alone);
  await lost.locator(".message-box", { hasText: `The solver is in the file ${engines[0]}, which must be in the same folder as this page.` }).waitFor();
  await lost.context().close();
});

test("the most different solution, beside what is set and as good as the others", { skip }, async () => {
  const model = "find row : matrix indexed by [int(1..6)] of int(1..3)\nfind first : int(1..3)\nsuch that first = row[1]\n";
  const page = await opened(made("different", written("different.essence", model)));
  await ready(page);
  await set(page, "row[2]", "2");
  await ready(page);
  await solved(page);
  const shown = async () => Promise.all([1, 2, 3, 4, 5, 6].map((at) => cell(page, `row[${at}]`).textContent()));
  const different = async () => {
    await page.getByRole("button", { name: "Most different" }).click();
    await page.locator(".status", { hasText: "differs from those before it" }).waitFor();
    return shown();
  };
  const one = await shown();
  const other = await different();
  // All cells but the set one and `first`.
  assert.equal(await page.locator(".status").textContent(), "Solution 2 differs from those before it in 6 places. No other solution differs more.");
  assert.deepEqual(other.map((value, at) => value !== one[at]), [true, false, true, true, true, true]);
  const third = await different();
  assert.match(await page.locator(".status").textContent(), /^Solution 3 differs from those before it in 6 places or more\./);
  assert.ok(third.every((value, at) => at === 1 || (value !== one[at] && value !== other[at])));
  await page.getByRole("button", { name: "Previous solution" }).click();
  assert.deepEqual(await shown(), other);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
  // With an objective, and with names that only the data declare, only solutions as good as the best count.
  const knapsack = await opened(made("different-knapsack", ...shipped("knapsack", "knapsack-5")));
  await ready(knapsack);
  await solved(knapsack);
  await knapsack.getByRole("button", { name: "Most different" }).click();
  await knapsack.locator(".status", { hasText: /^(Solution 2 differs|There is no other solution)/ }).waitFor();
  assert.deepEqual(knapsack.complaints, []);
  await knapsack.context().close();
});

test("whoever shows the text of the page in a frame hears what is entered and found; others hear nothing", { skip }, async (context) => {
  const file = made("host", ...shipped("knapsack", "knapsack-5"));
  const html = `<!DOCTYPE html><title>Host</title><link rel="icon" href="data:,"><script>
    window.told = [];
    addEventListener("message", ({ data }) => data.essence && told.push(data));
    addEventListener("load", async () => {
      const frame = document.createElement("iframe");
      frame.width = 1200; frame.height = 800;
      if (location.hash === "#srcdoc") { frame.sandbox = "allow-scripts"; frame.srcdoc = await (await fetch("app.html")).text(); }
      else frame.src = "app.html";
      document.body.append(frame);
    });
  </script><body></body>`;
  const server = await serve({ "/essence/host.html": html, "/essence/app.html": readFileSync(file) });
  context.after(server.close);
  const page = await opened(file, {}, `${server.url}host.html#srcdoc`);
  const frame = page.frameLocator("iframe");
  const field = frame.locator('[data-parameter="capacity"] input');
  await field.fill("13");
  await frame.locator(".status", { hasText: "Click a place" }).waitFor({ timeout: 60_000 });
  await frame.locator(".solve").click();
  await page.waitForFunction(() => told.at(-1)?.essence.solution, null, { timeout: 60_000 });
  const last = await page.evaluate(() => told.at(-1).essence);
  assert.deepEqual([last.usable, last.data.capacity, last.set], [true, 13, []]);
  assert.ok(Array.isArray(last.solution.chosen));
  assert.deepEqual(await page.evaluate(() => told.map(({ isFirst }) => isFirst).indexOf(true)), 0);
  // A link to a page without an address would lead nowhere.
  await frame.locator(".menu > summary", { hasText: "Save" }).click();
  assert.equal(await frame.locator(".menu-list button", { hasText: "link" }).count(), 0);
  // The host may put data into the page.
  await page.evaluate((data) => document.querySelector("iframe").contentWindow.postMessage({ essence: { data: { ...data, capacity: 7 }, set: ["tent in chosen"] } }, "*"), last.data);
  await page.waitForFunction(() => told.at(-1)?.essence.data.capacity === 7);
  await becomes(() => field.inputValue(), "7");
  assert.deepEqual(page.complaints, []);
  await page.context().close();

  const stranger = await opened(file, {}, `${server.url}host.html`);
  const inside = stranger.frameLocator("iframe");
  await inside.locator(".status", { hasText: "Click a place" }).waitFor({ timeout: 60_000 });
  await stranger.evaluate(() => document.querySelector("iframe").contentWindow.postMessage({ essence: { data: { capacity: 7 }, set: [] } }, "*"));
  await inside.locator(".solve").click();
  await inside.locator(".status", { hasText: "best solution" }).waitFor({ timeout: 60_000 });
  assert.deepEqual(await stranger.evaluate(() => told), []);
  assert.notEqual(await inside.locator('[data-parameter="capacity"] input').inputValue(), "7");
  await stranger.context().close();
});

const SPORTS_DAY = `$ Sports day
$
$ Who helps where?
$ app: in de title Sportfest
$ app: in de say "Who helps where?" as "Wer hilft wo?"
language Essence 1.3

$ app: order place, most, helper
$ app: group place, most as The ground
$ app: group helper as People
$ app: fix most
$ app: in de label helper as Helfer
$ app: in de say "How many help at one place." as "Wie viele an einem Platz helfen."
$ app: in fr label helper as Bénévoles

$ Who comes.
given helper new type enum
given place new type enum
$ How many help at one place.
given most : int(1..5)
$ Where each helper is.
find at : function (total) helper --> place
find least : int(0..9)
$ app: order least

such that
    $ A place is not crowded.
    $ app: optional
    forAll p : place .
        |preImage(at, p)| <= most,
    $ Somebody is everywhere.
    $ app: optional
    forAll p : place . |preImage(at, p)| >= 1,
    least = 1
`;
const HELPERS = `letting helper be new type enum {Ada, Ben, Cleo}
letting place be new type enum {gate, track}
letting most be 1
`;

test("comments of the model order, group and fix its data, translate its words, and let people switch rules off", { skip }, async () => {
  const page = await opened(made("sports", written("sports.essence", SPORTS_DAY), written("three.param", HELPERS)));
  await becomes(() => page.locator(".form > *").evaluateAll((all) => all.map((one) => one.dataset.parameter ?? one.textContent)), ["The ground", "place", "most", "People", "helper"]);
  assert.equal(await parameter(page, "most").locator("input").isDisabled(), true);
  assert.deepEqual(await page.locator(".rules-off label").allTextContents(), ["A place is not crowded.", "Somebody is everywhere."]);
  // Three helpers are too many for two places with one helper each, unless places may be crowded.
  await page.locator(".contradiction", { hasText: "A place is not crowded." }).waitFor();
  await page.getByLabel("A place is not crowded.").uncheck();
  await solved(page);
  assert.deepEqual(new Set(await page.locator('.place[data-cell^="at"].is-found').evaluateAll((all) => all.map((one) => one.dataset.value))).size, 2);
  await page.getByLabel("Somebody is everywhere.").uncheck();
  await ready(page);
  for (const name of ["Ada", "Ben", "Cleo"]) await set(page, `at(${name})`, "gate");
  await settled(page);
  // Each switch is a step of undo, and the plan stores it.
  await page.reload();
  await becomes(() => page.locator(".rules-off input").evaluateAll((all) => all.map((one) => one.checked)), [false, false]);
  assert.equal(await placeOf(page, { cell: "at(Cleo)", value: "gate" }).textContent(), "✓");
  await page.getByLabel("Somebody is everywhere.").check();
  await page.locator(".contradiction", { hasText: "Somebody is everywhere." }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await becomes(() => page.getByLabel("Somebody is everywhere.").isChecked(), false);
  await settled(page);
  // The page shows the model's texts in other languages. Its own texts are English for languages that it lacks.
  await page.getByLabel("Language").selectOption("de");
  assert.equal(await page.locator("h1").textContent(), "Sportfest");
  assert.equal(await page.locator(".intro").textContent(), "Wer hilft wo?");
  await parameter(page, "most").getByText("Wie viele an einem Platz helfen.").waitFor();
  await parameter(page, "helper").getByRole("heading", { name: "Helfer" }).waitFor();
  await page.getByLabel("Sprache").selectOption({ label: "français" });
  await parameter(page, "helper").getByRole("heading", { name: "Bénévoles" }).waitFor();
  assert.equal(await page.locator(".solve").textContent(), "Solve");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});
