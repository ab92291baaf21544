// The page of `campaign report`: contradictions first, a sortable table, plots, and names that are not executed.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { place, run, skip } from "./common.mjs";

const pages = place();

const PLAN = `time = 60

[[instances]]
name = "</script><script>document.title = 'hacked'</script>"
model = "less.essence"
parameters = "*.param"

[settings]
one = "--solver=cadical"
two = "--solver=batsat"
`;

/** The results of a plan with other times and statuses, given for each parameter file and both settings. */
function changed(results, runs) {
  return results
    .trim()
    .split("\n")
    .map((line) => {
      const result = JSON.parse(line);
      const [seconds, status] = runs[result.parameters][["one", "two"].indexOf(result.setting)];
      return `${JSON.stringify({ ...result, seconds, status, message: null })}\n`;
    })
    .join("");
}

test("a report shows contradictions, a table and plots", { skip }, async () => {
  pages.write("less.essence", "given n : int\nfind x : int(1..5)\nsuch that x < n\n");
  for (const n of [1, 2, 3]) pages.write(`${n}.param`, `letting n be ${n}\n`);
  const plan = pages.write("plan.toml", PLAN);
  run("campaign", "run", plan);
  const runs = pages.at("plan.results/runs.jsonl");
  const results = changed(readFileSync(runs, "utf8"), {
    "1.param": [[0.5, "unsatisfiable"], [2, "satisfied"]],
    "2.param": [[1, "satisfied"], [60, "time limit"]],
    "3.param": [[3, "satisfied"], [1, "satisfied"]],
  });
  writeFileSync(runs, results);
  const html = pages.at("report.html");
  run("campaign", "report", plan, "-o", html);
  const page = await pages.open(html, { viewport: { width: 1280, height: 900 } });
  assert.equal(await page.title(), "Campaign plan");
  assert.match(await page.locator(".bad").textContent(), /A contradiction.*1\.param: one says there is no solution, two says there are solutions/);
  assert.equal(await page.locator("#families tbody tr").count(), 2);
  assert.match(await page.locator("#families tbody tr").nth(1).textContent(), /two3210/);
  await page.getByRole("button", { name: "PAR2 in s" }).click();
  await page.getByRole("button", { name: "PAR2 in s" }).click();
  assert.match(await page.locator("#families tbody tr").first().textContent(), /two.*41\.0/);
  assert.equal(await page.locator("#cactus path").count(), 2);
  assert.equal(await page.locator("#scatter circle").count(), 3);
  assert.equal(await page.locator("#scatter circle.limit").count(), 1);
  await page.getByLabel("Up:").selectOption("one");
  assert.equal(await page.locator("#scatter circle.limit").count(), 0);
  await page.setViewportSize({ width: 390, height: 800 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
});
