// The tables of a solution: turned round, laid out by comments of the model, and coloured; and what the page says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { becomes } from "../common.mjs";
import { made, opened, parameter, placeOf, ready, shipped, skip, solved, written } from "./apps.mjs";

const HOTEL = `$ The choir on tour
$
$ Who sleeps in which room on which night?
$ app: axes sleeps as room by name, 2 reversed
$ app: colour sleeps by room
$ app: view starts as list
$ app: clock starts, earliest
$ app: group starts, sleeps as The night
letting singer be new type enum {Ada, Ben}
letting room be new type enum {red, blue}
$ The earliest start.
given earliest : int(0..1440)
find sleeps : function (total) (singer, int(1..2)) --> room
find starts : function (total) singer --> int(420..540)
find helps : function (total) singer --> room
such that
    forAll i : int(1..2) . sleeps((Ada, i)) != sleeps((Ben, i)),
    sleeps((Ada, 1)) = red, sleeps((Ada, 2)) = blue,
    forAll s : singer . starts(s) >= earliest,
    $ wish 2: Ada helps in the red room
    helps(Ada) = red,
    $ wish 1: Ben helps where Ada helps
    helps(Ben) = helps(Ada) /\\ helps(Ben) = blue
`;

const rows = (page, title) =>
  page.locator(".variable", { has: page.getByRole("heading", { name: title }) }).locator("tr").evaluateAll((all) => all.map((row) => [...row.cells].map((one) => [...one.children].filter((inner) => inner.checkVisibility()).map((inner) => inner.textContent).join(" ") || one.textContent)));

test("a function from few to few has both sides as heads, and is turned round", { skip }, async () => {
  const page = await opened(made("turned", ...shipped("wedding", "wedding-14")));
  await ready(page);
  await solved(page);
  const table = await rows(page, "Sits at");
  assert.deepEqual(table[0], ["", "window", "middle", "door"]);
  assert.equal(table.length, 15);
  for (const row of table.slice(1)) assert.equal(row.filter((one) => one === "✓").length, 1, row.join());
  await page.getByRole("button", { name: "By tables" }).click();
  const turned = await rows(page, "Sits at");
  assert.deepEqual(turned.map(([head]) => head), ["", "window", "middle", "door"]);
  // Both show the same solution, and a click sets a value in either.
  for (const [at, head] of turned[0].entries()) if (at > 0) for (const row of turned.slice(1)) assert.equal(row[at] === "✓", table.find(([name]) => name === head)[table[0].indexOf(row[0])] === "✓");
  await placeOf(page, { cell: "sits_at(Ada)", value: "door" }).click();
  await becomes(() => placeOf(page, { cell: "sits_at(Ada)", value: "door" }).getAttribute("aria-label"), "Sits at, Ada, door: door, set by you");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

const HOUSE = `letting FLAT be new type enum {Sea, Dune, Loft}
letting WHO be new type enum {Maria, Piotr}
letting place be domain int(1..3)
find cleans : function (total) WHO --> set of FLAT
find ready : set of FLAT
find order : matrix indexed by [place] of FLAT
find pairs : partition (partSize 1) from FLAT
find tour : sequence (size 2, injective) of FLAT
such that
    forAll f : FLAT . (sum w : WHO . toInt(f in cleans(w))) = 1,
    allDiff(order),
    Sea in ready
`;

test("sets of a function are ticks, axes have the names of the model, and a set is not drawn twice", { skip }, async () => {
  const page = await opened(made("house", written("house.essence", HOUSE)));
  await ready(page);
  await solved(page);
  const cleans = await rows(page, "Cleans");
  assert.deepEqual([cleans[0], cleans.length], [["", "Sea", "Dune", "Loft"], 3]);
  const choices = (title) => page.locator(".variable", { has: page.getByRole("heading", { name: title, exact: true }) }).locator(".turns button").allTextContents();
  assert.deepEqual(await choices("Cleans"), ["By WHO", "By FLAT"]);
  assert.deepEqual(await choices("Order"), ["By place", "By FLAT"]);
  assert.deepEqual(await choices("Tour"), ["By 1 … 2", "By FLAT"]);
  // The pairs of a partition are the same from both sides.
  assert.deepEqual(await choices("Pairs"), []);
  // Only the parts of the partition are drawn beside the tables.
  assert.deepEqual(await page.locator(".whole").count(), 1);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("comments of the model choose views, axes, colours, times and headings; broken wishes are named", { skip }, async () => {
  const page = await opened(made("choir", written("choir.essence", HOTEL), "-D", "letting earliest be 450"));
  await ready(page);
  assert.equal(await parameter(page, "earliest").locator("input").inputValue(), "7:30");
  await parameter(page, "earliest").locator("input").fill("8:15");
  await ready(page);
  assert.equal(await solved(page), "This is a best solution. Not met: Ben helps where Ada helps.");
  // The rooms are the rows, sorted by their names; the nights are the columns, the last one first; the cells have names.
  assert.deepEqual(await rows(page, "Sleeps"), [["", "2", "1"], ["blue", "Ada", "Ben"], ["red", "Ben", "Ada"]]);
  const colours = await page.locator(".as-name.is-toned:visible").evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  assert.equal(new Set(colours).size, 2);
  assert.match(await page.locator('.place[data-cell="starts(Ada)"]').textContent(), /^[89]:\d\d$/);
  assert.deepEqual(await page.locator(".living > .group").allTextContents(), ["The night"]);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a roster is scrolled within itself below its heads, and a long form has an index", { skip }, async () => {
  const page = await opened(made("roster", ...shipped("duty-roster"), new URL("instances/duty-roster.json", import.meta.url).pathname), { viewport: { width: 1440, height: 700 } });
  await ready(page);
  await page.getByRole("button", { name: "By DAY" }).click();
  const box = page.locator(".tables .scrolled");
  assert.ok(await box.evaluate((one) => one.scrollHeight > one.clientHeight && one.clientHeight < 0.7 * innerHeight));
  await box.evaluate((one) => one.scrollTo(0, 400));
  assert.ok(await box.evaluate((one) => Math.abs(one.getBoundingClientRect().top - one.querySelector("thead th").getBoundingClientRect().top) < 2));
  await page.getByRole("navigation", { name: "Contents" }).getByRole("button", { name: "Leads" }).click();
  await becomes(() => parameter(page, "leads").evaluate((one) => one.getBoundingClientRect().top < innerHeight), true);
  await page.context().close();
});

test("a phone says first what the app is and shows a solution, and its icons have names", { skip }, async () => {
  const page = await opened(made("phone", ...shipped("wedding", "wedding-14")), { viewport: { width: 390, height: 844 } });
  await page.locator(".status", { hasText: "This is a best solution: 7 (how many friends share a table)." }).waitFor();
  const top = (part) => page.locator(part).first().evaluate((one) => one.getBoundingClientRect().top);
  assert.ok((await top(".intro")) < (await top(".answer")) && (await top(".answer")) < (await top(".data")));
  assert.ok((await top(".whole .picture")) < 600);
  for (const name of ["Undo", "Redo", "Open", "Save", "Print", "Theme"]) assert.ok(await page.locator(".tools .label", { hasText: name }).isVisible(), name);
  assert.equal(await page.evaluate(() => document.fonts.check('16px "Inter Variable"')), true);
  assert.match(await page.locator("h1").evaluate((one) => getComputedStyle(one).fontFamily), /^"Inter Variable"/);
  await page.context().close();
});

test("the shipped models with times show clock times, in their forms and in their solutions", { skip }, async () => {
  const page = await opened(made("deliveries", ...shipped("deliveries", "deliveries-3")));
  await ready(page);
  for (const name of ["opens", "closes"]) assert.match(await parameter(page, name).locator("input").first().inputValue(), /^\d+:\d\d$/, name);
  await solved(page);
  const times = await page.locator('[data-cell^="at("], [data-cell^="home("]').allTextContents();
  assert.equal(times.length, 5);
  for (const time of times) assert.match(time, /^\d+:\d\d$/);
  assert.equal(await parameter(page, "START").locator(".bounds").innerText(), "0:00 to 24:00");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});
