// Boards for players: the places match the cells of the picture, and only given, set and found values are shown.

import assert from "node:assert/strict";
import { test } from "node:test";
import { becomes, browser, fresh, server, skip, useBrowser } from "./common.mjs";

useBrowser();

const looked = (page) => page.locator(".play .status", { hasText: /^(Click a place|Well done)/ }).waitFor({ timeout: 60_000 });
const place = (page, name) => page.locator(`.place[data-cell=${JSON.stringify(name)}]`);
const places = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((one) => `${one.dataset.cell} = ${one.textContent}`));

async function played(example, options = {}) {
  const page = await fresh(browser, `${server.url}#example=${example}`, options);
  await page.locator(".problems.fine").waitFor();
  if (options.viewport?.width < 760) await page.locator(".views").getByRole("button", { name: "Results" }).click();
  await page.getByRole("tab", { name: "Play" }).click();
  await page.locator(".place:visible").first().waitFor({ timeout: 60_000 }).catch((error) => assert.fail(`${example}: ${error}`));
  await looked(page);
  return page;
}

const SIZES = [[1280, 800], [1366, 768], [1440, 900], [1536, 864], [1600, 900], [1680, 1050], [1920, 1080], [1024, 768], [390, 844]];

test("the places of a board are on the cells of its picture, on screens of nine sizes", { skip }, async () => {
  for (const example of ["sudoku/sudoku-medium", "futoshiki/futoshiki-9", "killer-sudoku/killer-sudoku-1", "latin-square/latin-square-7", "n-queens/n-queens-8", "nonogram/nonogram-heart"]) {
    const page = await played(example);
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      if (width < 760) await page.locator(".views").getByRole("button", { name: "Results" }).click();
      const far = await page.evaluate(() => {
        const picture = document.querySelector(".drawn .picture");
        const { left, top, width, height } = picture.getBoundingClientRect();
        const across = Math.abs(width / height / (picture.naturalWidth / picture.naturalHeight) - 1) * width;
        const distances = [...document.querySelectorAll(".drawn .spot")].map((spot) => {
          const one = spot.getBoundingClientRect();
          const [x, y] = [spot.style.left, spot.style.top].map((part) => parseFloat(part) / 100);
          return Math.hypot(one.left + one.width / 2 - left - x * width, one.top + one.height / 2 - top - y * height);
        });
        return Math.max(across, ...distances);
      });
      assert.ok(far < 2, `${example} at ${width} × ${height}: ${far}`);
    }
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
});

test("before anything is solved, a board has only what the data give and what must be so", { skip }, async () => {
  for (const example of ["sudoku/sudoku-medium", "futoshiki/futoshiki-4", "parents-evening/parents-evening-4", "nurses/nurses-5", "exams/exams-7", "league/league-6", "n-queens/n-queens-6", "nonogram/nonogram-heart", "timetable/timetable-5", "job-shop/job-shop-bakery", "round-trip/round-trip-7", "map-colouring/map-colouring-australia"]) {
    const page = await played(example);
    const [open, found, drawn] = await page.evaluate(() => {
      const count = (selector) => document.querySelectorAll(selector).length;
      const isSigned = (one) => one.textContent !== "" || one.querySelector("svg");
      return [[...document.querySelectorAll(".place.is-open:not(.as-tone)")].filter(isSigned).map((one) => one.outerHTML), count(".play .place.is-found"), count(".play .whole, .play .value-only:not(:empty)")];
    });
    assert.deepEqual([open, found, drawn], [[], 0, 0], example);
    if (/sudoku|futoshiki/.test(example)) assert.equal(await page.locator(".is-forced").count(), 0, `${example} has one solution, which is not told`);
    await page.context().close();
  }
});

test("clues look like clues, also if they contradict, and a solution of other data goes", { skip }, async () => {
  const page = await played("sudoku/sudoku-medium");
  const clues = await places(page, ".place.is-fixed");
  assert.ok(clues.length > 20);
  await page.getByRole("button", { name: "Solve" }).last().click();
  await page.locator(".play .status", { hasText: "Solved." }).waitFor();
  assert.deepEqual(await places(page, ".place.is-fixed"), clues);
  assert.equal(await page.locator(".place.is-found").count(), 81 - clues.length);
  const look = (selector) => page.locator(selector).first().evaluate((one) => [getComputedStyle(one).color, getComputedStyle(one).fontWeight, getComputedStyle(one).backgroundColor].join());
  assert.notEqual(await look(".place.is-fixed"), await look(".place.is-found"));
  await page.locator(".legend", { hasText: "given by the data" }).getByText("found by the solver").waitFor();
  // Put two equal digits into the first row.
  const data = await page.locator(".data .cm-content").innerText();
  const [first] = /\[\s*\[[^\]]*\]/.exec(data);
  const twice = first.replace(/\d(?=[^\d]*\d[^\d]*\])/, "5").replace(/\d(?=[^\d]*\])/, "5");
  await page.locator(".data .cm-content").click();
  await page.evaluate((text) => navigator.clipboard.writeText(text), data.replace(first, twice).replace(/\n\n/g, "\n"));
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+v");
  await page.locator(".play .status", { hasText: "There is no solution with these data." }).waitFor();
  await becomes(() => page.locator(".place.is-found").count(), 0);
  assert.ok((await page.locator(".place.is-fixed").count()) >= clues.length);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a typed value is the one that Enter sets", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await page.locator(".solution .picture").waitFor();
  await page.getByRole("button", { name: "New" }).click();
  await page.locator(".model .cm-content").click();
  await page.keyboard.type("find x, y : int(1..30)\nsuch that x < y\nfind z : int(1..500)\n");
  await page.locator(".problems:not(:empty)").waitFor();
  await page.getByRole("tab", { name: "Play" }).click();
  await place(page, "x").waitFor();
  await looked(page);
  const typed = async (name, text, end = "Enter") => {
    await place(page, name).click();
    await page.locator(".offer").waitFor();
    await page.keyboard.type(text);
    if (end) await page.keyboard.press(end);
    await looked(page);
    return place(page, name).textContent();
  };
  assert.equal(await typed("x", "7", null), "7");
  assert.equal(await typed("y", "29", null), "29");
  // 1 is a prefix of 12, so Enter says which one is meant.
  assert.equal(await typed("x", "1"), "1");
  assert.equal(await typed("x", "12", null), "12");
  assert.equal(await typed("z", "345"), "345");
  // A text that is not a value sets nothing.
  await place(page, "x").click();
  await page.keyboard.type("q");
  await page.keyboard.press("Enter");
  assert.equal(await place(page, "x").textContent(), "12");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("queens are played on the chessboard, a nonogram on its squares, a map by its colours", { skip }, async () => {
  const page = await played("n-queens/n-queens-6");
  const square = (row, column) => page.locator(`.place[data-cell="queen(${row})"][data-value="${column}"], .place[data-cell="queen[${row}]"][data-value="${column}"]`);
  assert.equal(await page.locator(".drawn .as-queen").count(), 36);
  await square(1, 2).click();
  await looked(page);
  assert.equal(await square(1, 2).locator("svg").count(), 1);
  assert.match(await square(1, 2).getAttribute("class"), /is-set/);
  // Squares that the queen attacks are ruled out; a click shows the explanation.
  assert.match(await square(2, 3).getAttribute("class"), /is-out/);
  await square(2, 3).click();
  await page.locator(".offer .ask").click();
  await page.locator(".why-not li:not(.help)").first().waitFor();
  await page.locator(".why-not").getByRole("button", { name: "Close" }).click();
  assert.equal(await page.locator(".why-not").count(), 0);
  await page.getByRole("button", { name: "Solve" }).last().click();
  await page.locator(".play .status", { hasText: "Solved." }).waitFor();
  assert.equal(await page.locator(".drawn svg.queen").count(), 6);
  await square(1, 2).click();
  await looked(page);
  assert.equal(await page.locator(".place.is-set").count(), 0);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
  const nonogram = await played("nonogram/nonogram-heart");
  const fill = nonogram.locator(".drawn .as-fill").first();
  await fill.click();
  await nonogram.waitForFunction(() => document.querySelector(".drawn .as-fill.is-set.is-yes, .contradiction, .offer"));
  await nonogram.context().close();
  const map = await played("map-colouring/map-colouring-australia");
  const node = map.locator(".drawn .as-tone").first();
  const name = await node.textContent();
  await node.click();
  await map.locator(".offer .value").first().click();
  await looked(map);
  assert.match(await node.getAttribute("class"), /is-set.*is-toned|is-toned.*is-set/);
  assert.equal(await node.textContent(), name);
  await map.context().close();
});

test("a contradiction is told below the board, which stays in sight, on a telephone, too", { skip }, async () => {
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    const page = await played("sudoku/sudoku-medium", { viewport: { width, height } });
    const clue = page.locator(".place.is-fixed").first();
    const value = await clue.textContent();
    const row = /\[(\d), /.exec(await clue.getAttribute("data-cell"))[1];
    const free = page.locator(`.place:not(.is-fixed)[data-cell^="grid[${row}, "]`).first();
    await free.click();
    const before = await free.boundingBox();
    await page.locator(".offer .value", { hasText: new RegExp(`^${value}$`) }).click();
    await page.locator(".contradiction .rules-list:not(.settings) li:not(.help)").first().waitFor();
    const after = await free.boundingBox();
    assert.ok(Math.abs(before.y - after.y) < 3, `${width}: the place has moved from ${before.y} to ${after.y}`);
    const { bottom, top } = await page.locator(".message-box").evaluate((box) => box.getBoundingClientRect());
    assert.ok(top < height - 60 && bottom <= height + 1 && top > after.y, `${width}: ${top}, ${bottom}`);
    await page.context().close();
  }
});
