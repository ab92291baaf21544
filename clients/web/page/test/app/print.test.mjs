// An app is printed in full, on A4 and on Letter. INSTANCES=all prints one instance of each model.

import assert from "node:assert/strict";
import { test } from "node:test";
import { instances, made, opened, settled, skip } from "./apps.mjs";

/** The widths of text on paper, in pixels: in portrait and in landscape, within the margins. */
const PAPER = { A4: [703, 1031], Letter: [725, 965] };
/** Smaller letters, in pixels, are not legible. */
const LEAST = 6.5;

/** The elements that would be cut off on paper, and the smallest font size. */
function laidOut(width) {
  const cut = [];
  let least = Infinity;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility({ visibilityProperty: true }) || element.closest("noscript, script, style, summary, option")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width === 0) continue;
    if (box.right > width + 1 || box.left < -1) cut.push(`${node.data.trim()} at ${Math.round(box.right)}`);
    for (let around = element; around; around = around.parentElement) {
      if (getComputedStyle(around).overflowX === "visible" || around === document.documentElement || around === document.body) continue;
      const { left, right } = around.getBoundingClientRect();
      if (box.right > right + 2 || box.left < left - 2) cut.push(`${node.data.trim()} in ${around.className}`);
    }
    // The letters of scaled boxes are scaled, too.
    if (element.closest(".play")) least = Math.min(least, parseFloat(getComputedStyle(element).fontSize) * (element.currentCSSZoom ?? 1));
  }
  for (const input of document.querySelectorAll("input:not([type=checkbox], [type=radio], [type=file]), select")) {
    if (!input.checkVisibility() || input.closest(".tools, .plans")) continue;
    const box = input.getBoundingClientRect();
    if (box.right > width + 1) cut.push(`${input.value} at ${Math.round(box.right)}`);
  }
  return { cut: cut.slice(0, 8), least };
}

const USUAL = ["sudoku-medium", "duty-roster", "nurses-5", "parents-evening-4", "wedding-14", "job-shop-bakery"];

for (const [name, file, ...data] of instances(USUAL)) {
  test(`${name}: everything is printed`, { skip }, async () => {
    const page = await opened(made(`print-${name}`, file, ...data));
    await settled(page);
    await page.waitForFunction(() => !document.querySelector(".solve")?.disabled, null, { timeout: 60_000 });
    await page.locator(".solve").click();
    await page.waitForFunction(() => !document.querySelector(".stopping") && /^(Solved|This is a best|The best|The time)/.test(document.querySelector(".status").textContent), null, { timeout: 130_000 });
    for (const [format, [upright, across]] of Object.entries(PAPER)) {
      await page.emulateMedia({ media: "screen" });
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      const isAcross = await page.evaluate(() => document.documentElement.classList.contains("across"));
      await page.emulateMedia({ media: "print" });
      const width = isAcross ? across : upright;
      await page.setViewportSize({ width, height: 1000 });
      const { cut, least } = await page.evaluate(laidOut, width);
      assert.deepEqual(cut, [], `${name} on ${format}`);
      assert.ok(least >= LEAST, `${name} on ${format}: letters of ${least} pixels`);
      await page.evaluate(() => dispatchEvent(new Event("afterprint")));
      await page.emulateMedia({ media: "screen" });
      const pdf = (await page.pdf({ format, preferCSSPageSize: true })).toString("latin1");
      const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
      assert.ok(pages >= 1 && pages <= 4, `${name} on ${format}: ${pages} pages`);
    }
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  });
}
