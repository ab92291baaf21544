// Random edits in the apps of shipped models, checked against the command line: a value that the page greys out has no
// solution, and each explanation that it shows is one. EDITS is the number of edits, SEED selects another sequence.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { cell, heldBy, instances, made, opened, placeOf, PROGRAM, settled, skip, written } from "./apps.mjs";

const EDITS = Number(process.env.EDITS ?? 18);
const chosen = instances(["n-queens-4", "seating-6", "wedding-14"]);

let state = Number(process.env.SEED ?? 1);
const random = (below) => (state = (state * 1103515245 + 12345) % 2147483648) % below;
const one = (all) => all[random(all.length)];

/** Records which values the engine has ruled out, independently of the page. */
function listen() {
  const Native = Worker;
  window.Worker = class extends Native {
    constructor(...all) {
      super(...all);
      this.addEventListener("message", ({ data }) => {
        if (!("line" in data)) return;
        const line = JSON.parse(data.line);
        if (line.type === "cells") window.cells = line.cells;
        if (line.possible?.length > 0) window.possible = line.possible;
      });
    }
  };
}

/** The state of the plan in the browser's storage. */
const planOf = (page, key) => page.evaluate((key) => JSON.parse(localStorage.getItem(`essence.app.${key}`))?.[0].state ?? { set: [] }, key);

/** The model reduced to the requirements that start in the given lines. */
function restricted(model, requirements, lines) {
  const rows = model.split("\n");
  const keeps = ({ first_line, last_line }) =>
    requirements.some((rule) => lines.includes(rule.first_line) && rule.first_line <= last_line && first_line <= rule.last_line);
  for (const rule of requirements) {
    const text = rows.slice(rule.first_line - 1, rule.last_line).map((row) => row.replace(/\$.*$/, "")).join("\n");
    if (keeps(rule) || text.trim() === "" || /^\s*where\b/.test(text)) continue;
    const [, before, after] = /^(\s*(?:such that\b)?)[^]*?(,?)\s*$/.exec(text);
    rows.splice(rule.first_line - 1, rule.last_line - rule.first_line + 1, `${before} true${after}`, ...Array(rule.last_line - rule.first_line).fill(""));
  }
  return rows.join("\n");
}

const LIMIT = 60;

/** The program's answer about the constraints together with a model: "yes", "no", or "unknown" after the limit. */
function isPossible(model, data, constraints) {
  const file = written("held.essence", model);
  const fixed = constraints.flatMap((one) => ["--fix", one]);
  const { status, stderr } = spawnSync(PROGRAM, ["solve", file, ...data, ...fixed, "--exit-status", `--limit-time=${LIMIT}`, "-q"], { encoding: "utf8" });
  const answer = { 10: "yes", 20: "no", 30: "unknown" }[status];
  assert.ok(answer, `${stderr}\n${constraints.join(", ")}`);
  return answer;
}

/** The explanation on the page: the set values, and the lines where the requirements start. */
async function shownReason(page) {
  await page.waitForFunction(() => document.querySelector(".contradiction .rules-list li") && !document.querySelector(".contradiction .rules-list .help"));
  return page.evaluate(() => {
    const items = [...document.querySelectorAll(".contradiction .rules-list li")];
    return {
      text: items.map(({ textContent }) => textContent).join(" | "),
      says: items.flatMap(({ dataset }) => dataset.says ?? []),
      lines: items.flatMap(({ dataset }) => (dataset.line ? [Number(dataset.line)] : [])),
    };
  });
}

const total = { edits: 0, greyed: 0, reasons: 0, possible: 0, unknown: 0 };

for (const [at, [param, file, ...data]] of chosen.entries()) {
  const edits = Math.floor((EDITS * (at + 1)) / chosen.length) - Math.floor((EDITS * at) / chosen.length);
  test(`${param}: ${edits} random edits`, { skip }, async () => {
    const app = made(`${param}-edits`, file, ...data);
    const { form, key } = heldBy(app);
    const text = readFileSync(file, "utf8");
    const page = await opened(app);
    await page.addInitScript(listen);
    await page.reload();
    await settled(page);
    // The unique solution of a puzzle is shown on demand only.
    if (await page.getByLabel("Show what is possible").isVisible()) await page.getByLabel("Show what is possible").check();
    for (let edit = 0; edit < edits; edit++) {
      const places = await page.locator(".place:not(.is-fixed)").evaluateAll((all) => all.map((one) => ({ ...one.dataset, isSet: one.matches(".is-set") })));
      if (places.length === 0) break;
      const { isSet, ...which } = one(places);
      const isBack = isSet && random(2) === 0;
      // Now and then, choose a grey value, which contradicts.
      const wanted = random(8) === 0 ? ".offer .value" : ".offer .value:not(.is-out)";
      if (isBack) {
        await placeOf(page, which).focus();
        await page.keyboard.press("Delete");
      } else {
        await placeOf(page, which).click();
        if (!(await page.locator(".offer").isVisible())) {
          // A member of a set has no menu: the click has set it.
        } else if ((await page.locator(wanted).count()) > 0) {
          await page.locator(wanted).nth(random(await page.locator(wanted).count())).click();
        } else await page.keyboard.press("Escape");
      }
      await settledOrClashed(page);
      total.edits += 1;
      const { set } = await planOf(page, key);
      // The explanation of the previous value may still be visible.
      if ((await page.locator(".contradiction:not(.why-not)").count()) > 0) {
        const { says, lines, text: shown } = await shownReason(page);
        assert.equal(isPossible(restricted(text, form.requirements, lines), data, says), "no", `${param}: ${says.join(", ")} because of ${shown}`);
        total.reasons += 1;
        await page.locator(".contradiction .changes-list button").last().click();
        await settledOrClashed(page);
        continue;
      }
      const { cells, possible } = await page.evaluate(() => ({ cells: window.cells, possible: window.possible }));
      const own = new Map(cells.flatMap(({ values }, number) => values.map(([, says]) => [says, number])));
      const others = (number) => set.filter((says) => own.get(says) !== number);
      const all = cells.flatMap(({ name, values }, number) => values.map(([shown, says], option) => ({ name, number, option, shown, says, can: possible[number]?.[option] })));
      // The values of set cells are checked against the other cells.
      const isSetPlace = new Set(set.map((says) => own.get(says)));
      const out = all.filter(({ can, number }) => can === false && !isSetPlace.has(number));
      if (out.length > 0) {
        const wrong = isPossible(text, data, [...set, `or([${out.map(({ says }) => says).join(", ")}])`]);
        assert.notEqual(wrong, "yes", `${param}: one of these is possible beside ${set.join(", ")}: ${out.map(({ says }) => says).join(", ")}`);
        if (wrong === "no") total.greyed += out.length;
        else total.unknown += 1;
      }
      // A value that the engine reports as possible must have a solution.
      const can = all.filter(({ can, number }) => can === true && !isSetPlace.has(number));
      if (can.length > 0 && form.maximises === null) {
        const { says } = one(can);
        assert.notEqual(isPossible(text, data, [...set, says]), "no", `${param}: ${says} is impossible beside ${set.join(", ")}`);
        total.possible += 1;
      }
      // An open cell with several possible values must be empty.
      const shown = await page.locator(".place").evaluateAll((all) => all.filter((one) => (one.textContent && !one.matches(".as-tone")) || one.querySelector("svg")).map((one) => one.dataset.cell));
      for (const { name, number } of all) {
        const left = possible[number]?.filter((can) => can !== false).length;
        if (shown.includes(name)) assert.ok(isSetPlace.has(number) || left === 1, `${param}: ${name} is shown beside ${set.join(", ")}`);
      }
      // The page shows the engine's answer, and explains it.
      const known = all.filter(({ can }) => can === false);
      if (known.length === 0) continue;
      const asked = one(known);
      const place = cell(page, asked.name);
      if ((await place.count()) !== 1 || (await place.evaluate((element) => element.matches(".toggle, .is-fixed")))) continue;
      await place.click();
      const offered = await page.locator(".offer [data-option].is-out").evaluateAll((all) => all.map(({ dataset }) => Number(dataset.option)));
      if (offered.length === 0 && (await page.locator(".offer input").count()) > 0) {
        await page.keyboard.press("Escape");
        continue;
      }
      assert.deepEqual(offered, known.filter(({ number }) => number === asked.number).map(({ option }) => option));
      await page.locator(`.offer [data-option="${asked.option}"] + .ask`).click();
      const { says, lines, text: because } = await shownReason(page);
      if (/could not be found/.test(because)) {
        total.unknown += 1;
        continue;
      }
      assert.ok(says.every((one) => others(asked.number).includes(one)));
      const holds = isPossible(restricted(text, form.requirements, lines), data, [...says, asked.says]);
      assert.equal(holds, "no", `${param}: ${asked.says} beside ${says.join(", ")} because of ${because}`);
      total.reasons += 1;
    }
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  });
}

test("all edits together", { skip }, (context) => {
  context.diagnostic(JSON.stringify(total));
  assert.ok(total.edits > 0 && total.greyed > 0 && total.reasons > 0);
});

/** Waits until a change has been examined, or a contradiction is shown. */
async function settledOrClashed(page) {
  await page.waitForFunction(() => document.querySelector(".contradiction:not(.why-not)") || /^(Click a place|Well done|Correct|Still missing)/.test(document.querySelector(".status")?.textContent ?? ""), null, { timeout: 60_000 });
}
