// Shipped models as apps without data: the user enters an instance through the forms alone, solves it, sets a value,
// runs into a contradiction, reads the explanation, and takes the value back.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "../common.mjs";
import { cell, heldBy, instances, made, opened, parameter, placeOf, ready, run, saved, settled, skip, solved } from "./apps.mjs";

/** The default instances. All of them, with `INSTANCES=all`, take a quarter of an hour. */
const USUAL = ["allotment-3-4", "carpool-6", "choir-12", "dinners-10", "exams-7", "knapsack-5", "league-6", "luggage-12", "n-queens-4", "rain", "wedding-14"];

const { completed, normal, scaled } = await load("app/domains");

const asText = (value) => (Array.isArray(value) ? value.map((one) => (Array.isArray(one) ? `(${asText(one)})` : one)).join(", ") : String(value));

/** The scalars of a value from left to right, which are the columns of a row. */
const scalars = (value) => (typeof value === "object" && value !== null ? Object.values(value).flatMap(scalars) : [value]);

/** Fills in one input. */
async function fill(field, value) {
  const kind = await field.evaluate((element) => (element instanceof HTMLSelectElement ? "select" : element.type));
  if (kind === "select") await field.selectOption(String(value));
  else if (kind === "checkbox") await field.setChecked(value === true, { force: true });
  else await field.fill(typeof value === "object" ? asText(value) : String(value));
}

/** Enters the value of a parameter as a user does: names one by one, checkboxes, cells, added rows. */
async function enter(page, name, domain, value) {
  const box = parameter(page, name).locator(".control");
  const has = async (selector) => (await box.locator(selector).count()) > 0;
  if (await has(".names")) {
    for (const member of value) {
      await box.locator(".new-name").fill(member);
      await page.keyboard.press("Enter");
    }
  } else if (await has(".ticks, .chips")) {
    for (const member of value) await box.getByLabel([member].flat().join(", "), { exact: true }).setChecked(true, { force: true });
  } else if (await has(".grid, .list")) {
    for (const [key, image] of completed(domain, value)) {
      const label = [key].flat().join(", ");
      const row = box.locator("td > :is(input, select)").and(box.locator(`[aria-label=${JSON.stringify(label)}], [aria-label^=${JSON.stringify(`${label}, `)}]`));
      const fields = (await row.count()) === 1 ? [image] : scalars(image);
      for (const [at, one] of fields.entries()) if (one !== null) await fill(row.nth(at), one);
    }
  } else if (await has(".table-of-rows")) {
    for (const member of value) {
      await box.locator(".row-actions button").first().click();
      const row = box.locator("tbody tr").last().locator("input, select");
      const cells = (await row.count()) === scalars(member).length ? scalars(member) : member;
      for (const [at, one] of cells.entries()) await fill(row.nth(at), one);
    }
  } else if (await has(".fields")) {
    for (const [at, one] of scalars(value).entries()) await fill(box.locator("input, select").nth(at), one);
  } else await fill(box.locator("input, select"), value);
  await settled(page);
}

/** Sets a cell to the first or the last value that is not grey. Returns true if there was one. */
async function setSome(page, place, which) {
  await place.click();
  // A second click on a toggle means no.
  if (which === "last" && (await place.evaluate((one) => one.matches(".toggle.is-yes")))) await place.click();
  const offer = page.locator(".offer");
  if ((await offer.count()) > 0) {
    const open = offer.locator(".value:not(.is-out)");
    if ((await open.count()) === 0) {
      const input = offer.locator("input");
      if ((await input.count()) === 0) return false;
      await input.fill((await input.getAttribute("placeholder")).split(" … ")[0]);
      await input.press("Enter");
    } else await open[which]().click();
  }
  return true;
}

/** Chooses a grey value of some cell. Returns the cell, or null if no value is grey. */
async function chooseGrey(page) {
  const names = await page.locator(".place:not(.is-fixed, .is-set)").evaluateAll((all) => all.map((one) => [one.dataset.cell, one.matches(".toggle"), one.matches(".is-forced")]));
  // If each value has its own slot, the excluded ones are marked.
  const ruledOut = page.locator(".place.is-out").first();
  if ((await ruledOut.count()) > 0) {
    const name = await ruledOut.getAttribute("data-cell");
    await ruledOut.click();
    await page.locator(".offer .is-out").click();
    return name;
  }
  if ((await page.locator(".place[data-value]:not(.toggle)").count()) > 0) return null;
  for (const [name, isToggle, isForced] of names) {
    if (isToggle && !isForced) continue;
    await cell(page, name).click();
    // The first click sets a cell that is forced to yes; the second one asks for no.
    if (isToggle && (await page.locator(".offer").count()) === 0) {
      await ready(page);
      await cell(page, name).click();
    }
    const out = page.locator(".offer .is-out").first();
    if ((await out.count()) > 0) {
      await out.click();
      return name;
    }
    if (!isToggle) await page.keyboard.press("Escape");
  }
  return null;
}

for (const [name, file, ...data] of instances(USUAL)) {
  test(`${name}: entered, solved, contradicted and resolved`, { skip }, async () => {
    const wanted = heldBy(made(`${name}-filled`, file, ...data));
    const page = await opened(made(name, file));
    await settled(page);
    const values = wanted.plans[0]?.values;
    for (const { name, domain } of wanted.form.parameters) await enter(page, name, domain, scaled(domain, normal(domain, values[name])));
    await ready(page);

    // The instance equals the one of the file, and its solution is as good as the program's.
    const says = await solved(page);
    const entered = await saved(page, "Data as JSON");
    const compare = (...input) => /\$ Objective: (.+)/.exec(run("solve", file, ...input, "-s"))?.[1];
    const best = compare(...data);
    assert.equal(compare(entered), best);
    if (best === undefined) assert.equal(says, "Solved.");
    else if (wanted.form.objective_units.every((unit) => unit === null)) assert.equal(says.replace(/ \(.*\)\./, "."), `This is a best solution: ${best}.`);

    // Set values by hand until another value becomes grey, and choose that.
    const free = await page.locator(".place:not(.is-fixed)").evaluateAll((all) => all.map((one) => ({ ...one.dataset })));
    // The unique solution of a puzzle is shown on demand only.
    if (await page.getByLabel("Show what is possible").isVisible()) await page.getByLabel("Show what is possible").check();
    assert.ok(free.length > 0, "there is something to set");
    let grey = null;
    // Start with the first value of each cell. For some models, such as coverings, these lead to a solution; then take
    // the last values.
    for (const which of ["first", "last"]) {
      for (const one of grey ? [] : free) {
        if (!(await setSome(page, placeOf(page, one), which))) continue;
        await settled(page);
        if (/^Well done/.test(await page.locator(".status").textContent())) break;
        await ready(page);
        assert.match(await placeOf(page, one).getAttribute("class"), /is-set/);
        if ((grey = await chooseGrey(page))) break;
      }
      if (grey) break;
      await page.getByRole("button", { name: "Clear what I set" }).click();
      await ready(page);
    }
    assert.ok(grey, "there is something greyed");
    const rule = page.locator(".contradiction .rules-list li:not(.yours, .help)").first();
    await rule.waitFor();
    assert.ok((await rule.textContent()).length > 5);
    assert.ok((await page.locator(".place.is-clash").count()) > 0);
    // The way out of the contradiction.
    const takes = page.locator(".contradiction .changes-list button");
    const own = (await page.locator(".contradiction .yours").count()) > 0;
    assert.ok(own && (await takes.count()) > 0);
    await cell(page, grey).first().focus();
    await page.keyboard.press("Delete");
    await ready(page);
    assert.equal(await page.locator(".contradiction").count(), 0);
    await solved(page);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  });
}
