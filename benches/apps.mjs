// Measures the apps of models in Chromium, opened from a file with a cold cache: the first paint, the first solution,
// tasks of more than 50 ms on the main thread, and the time from an edit until the page shows possible values or a
// contradiction.
//
//     node benches/apps.mjs [--edits N] [INSTANCE …]
//
// An instance is a file in params without its extension; by default there is one for each model. PROGRAM names the
// program, APP the page that `make app` builds.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "../clients/web/page/node_modules/playwright-core/index.mjs";
import { BROWSER, FLAGS } from "../clients/web/page/test/browser.mjs";

const ROOT = join(import.meta.dirname, "..");
const { PROGRAM = "conjure-like", APP = join(ROOT, "clients/web/app.html") } = process.env;
const args = process.argv.slice(2);
const edits = args[0] === "--edits" ? Number(args.splice(0, 2)[1]) : 20;

/** The instances with their models: the named ones, or else for each model the shortest one that has solutions. */
function instances() {
  const all = readdirSync(join(ROOT, "params")).filter((name) => name.endsWith(".param"));
  const texts = new Map(all.map((name) => [name.replace(/\.param$/, ""), readFileSync(join(ROOT, "params", name), "utf8")]));
  const modelOf = (name) => /^\$ model: (\S+)\.essence/m.exec(texts.get(name))?.[1] ?? "";
  if (args.length > 0) return args.map((name) => [modelOf(name), name]);
  const solvable = [...texts.keys()].filter((name) => modelOf(name) && !/^\$ solutions: 0$/m.test(texts.get(name)));
  const shortest = new Map();
  for (const name of solvable.sort((one, other) => texts.get(other).length - texts.get(one).length)) shortest.set(modelOf(name), name);
  return [...shortest];
}

/** In the page: records tasks of more than 50 ms as [start, duration]. */
function watch() {
  window.tasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.tasks.push([Math.round(startTime), Math.round(duration)]);
  }).observe({ type: "longtask", buffered: true });
}

/** In the page: solves as soon as possible, and resolves when the first solution is shown. */
function firstSolution() {
  return new Promise((done) => {
    let isAsked = false;
    const look = () => {
      const button = document.querySelector(".solve");
      if (document.querySelector(".is-found, .living .whole, .value-only")) return done(performance.now());
      if (!isAsked && button && !button.disabled) {
        isAsked = true;
        button.click();
      }
      return performance.now() > 30_000 ? done(null) : setTimeout(look, 5);
    };
    look();
  });
}

/** In the page: sets random values, and returns the time of each until the page has an answer. */
async function edit([count, seed]) {
  let state = seed;
  const random = (below) => (state = (state * 1103515245 + 12345) % 2147483648) % below;
  const one = (all) => all[random(all.length)];
  const status = () => document.querySelector(".status").textContent;
  const answered = () =>
    new Promise((done) => {
      const until = performance.now() + 30_000;
      const look = () => (document.querySelector(".contradiction") || /^(Click|Well)/.test(status()) || performance.now() > until ? done() : setTimeout(look, 1));
      look();
    });
  if (document.querySelector(".stopping")) document.querySelector(".solve").click();
  const clear = [...document.querySelectorAll(".play .bar .quiet")].find((button) => !button.hidden);
  clear?.click();
  const times = [];
  for (let at = 0; at < count; at++) {
    const places = [...document.querySelectorAll(".place:not(.is-fixed)")];
    if (places.length === 0) break;
    let begun = performance.now();
    one(places).click();
    const offer = document.querySelector(".offer");
    if (offer) {
      const values = [...offer.querySelectorAll(".value:not(.is-out)")];
      if (values.length === 0) continue;
      begun = performance.now();
      one(values).click();
    }
    await answered();
    times.push(performance.now() - begun);
    const back = [...document.querySelectorAll(".contradiction .changes-list button")].at(-1);
    if (back) {
      back.click();
      await answered();
    }
  }
  return times;
}

const part = (times, share) => times.sort((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * share))];
const shown = (value) => (value === null || value === undefined ? "–" : value.toFixed(0)).padStart(9);

const folder = mkdtempSync(join(tmpdir(), "bench-apps-"));
const all = { edits: [], paints: [], solutions: [], tasks: [] };
try {
  console.log(`${"instance".padEnd(26)}    paint solution  longest    edits:  half    nine tenths (ms)`);
  for (const [model, name] of instances()) {
    const file = join(folder, `${name}.html`);
    execFileSync(PROGRAM, ["app", join(ROOT, "models", `${model}.essence`), join(ROOT, "params", `${name}.param`), "--page", APP, "-o", file]);
    // A fresh browser has compiled nothing yet.
    const browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
    try {
      const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en" })).newPage();
      await page.addInitScript(watch);
      await page.goto(`file://${file}`, { waitUntil: "commit" });
      // Do not wait for visibility: checking it would force a layout, which would be measured.
      await page.waitForSelector(".solve", { state: "attached" });
      const solution = await page.evaluate(firstSolution);
      const paint = await page.evaluate(() => performance.getEntriesByType("paint").at(-1)?.startTime ?? null);
      const times = solution === null ? [] : await page.evaluate(edit, [edits, 7]);
      const tasks = await page.evaluate(() => window.tasks);
      const longest = Math.max(0, ...tasks.map(([, duration]) => duration));
      console.log(`${name.padEnd(26)}${shown(paint)}${shown(solution)}${shown(longest)}         ${shown(part(times, 0.5))}${shown(part(times, 0.9))}   ${tasks.map((one) => one.join("+")).join(" ")}`);
      all.edits.push(...times);
      if (paint !== null) all.paints.push(paint);
      if (solution !== null) all.solutions.push(solution);
      all.tasks.push(longest);
    } finally {
      await browser.close();
    }
  }
  console.log(`\n${all.edits.length} edits: half within${shown(part(all.edits, 0.5))} ms, nine tenths within${shown(part(all.edits, 0.9))} ms`);
  console.log(`slowest first paint${shown(Math.max(...all.paints))} ms, slowest first solution${shown(Math.max(...all.solutions))} ms, longest task${shown(Math.max(...all.tasks))} ms`);
} finally {
  rmSync(folder, { recursive: true });
}
