// The package PACKAGE as a user gets it: installed into an empty folder.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "../../../..");
const PAGE = createRequire(join(HERE, "../../page/package.json"));
const read = (path) => readFileSync(join(ROOT, path), "utf8");

const folder = mkdtempSync(join(tmpdir(), "conjure-like-npm-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const write = (name, text) => writeFileSync(join(folder, name), text);
write("package.json", '{ "private": true, "type": "module" }');
execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", process.env.PACKAGE], { cwd: folder, stdio: "pipe" });
write("all.js", 'export * from "conjure-like";');
const { ask, check, EssenceError, hint, session, solve, why } = await import(pathToFileURL(join(folder, "all.js")).href);

const futoshiki = read("models/futoshiki.essence");
const four = read("params/futoshiki-4.param");
/**
 * That the numbers up to 161 have no such colouring is the fifth Schur number; its proof has two petabytes, so this
 * search never ends by itself.
 */
const schur =
  "find c : matrix indexed by [int(1..161)] of int(1..5)\n" +
  "such that forAll i, j : int(1..160) . i <= j /\\ i + j <= 161 -> !(c[i] = c[j] /\\ c[j] = c[i + j])";
const contradiction = "find x, y : int(1..9)\nsuch that x < y\nsuch that y < x";

test("the package has nothing to install, and what the licences ask for", () => {
  assert.deepEqual(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".")), ["conjure-like"]);
  const files = readdirSync(join(folder, "node_modules/conjure-like"));
  assert.deepEqual(files.sort(), ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "dist", "licences.txt", "package.json", "sbom.cdx.json"]);
  const licences = readFileSync(join(folder, "node_modules/conjure-like/licences.txt"), "utf8");
  for (const name of ["@bjorn3/browser_wasi_shim", "batsat"]) assert.match(licences, new RegExp(`^${name} [0-9.]+: MIT`, "m"));
});

test("a futoshiki is solved", async () => {
  const solved = await solve(futoshiki, { data: four });
  assert.equal(solved.status, "satisfied");
  assert.equal(solved.solutions.length, 1);
  const board = Object.values(solved.solutions[0].json.board).map((row) => Object.values(row));
  assert.deepEqual(board, [[2, 1, 4, 3], [4, 2, 3, 1], [3, 4, 1, 2], [1, 3, 2, 4]]);
  assert.match(solved.solutions[0].svg, /^<svg/);
});

test("all solutions come in a promise, one by one, and to a function", async () => {
  const options = { data: read("params/futoshiki-3-many.param"), solutions: "all", pictures: false };
  const told = [];
  const solved = await solve(futoshiki, { ...options, onSolution: ({ essence }) => told.push(essence) });
  assert.equal(solved.status, "all solutions");
  assert.ok(solved.solutions.length > 1);
  const iterated = [];
  for await (const { essence, svg } of solve(futoshiki, options)) {
    assert.equal(svg, undefined);
    iterated.push(essence);
  }
  assert.deepEqual(told, solved.solutions.map(({ essence }) => essence));
  assert.deepEqual(iterated, told);
  assert.equal(new Set(iterated).size, iterated.length);
});

test("solutions are counted, and the seed and the data may be values", async () => {
  const model = "given n : int\ngiven m : matrix indexed by [int(1..2)] of int\nfind x : int(1..n)\nsuch that x > m[2]";
  const solved = await solve(model, { data: { n: 9, m: [1, 4] }, solutions: 3, seed: 7 });
  assert.equal(solved.solutions.length, 3);
  for (const { json } of solved.solutions) assert.ok(json.x > 4 && json.x <= 9);
});

test("an iteration that is left ends the search", async () => {
  const began = performance.now();
  const solving = solve("find x : set of int(1..60)", { solutions: "all", pictures: false });
  let count = 0;
  for await (const _ of solving) if (++count === 5) break;
  await assert.rejects(solving, { name: "AbortError" });
  assert.ok(performance.now() - began < 20_000);
});

test("a signal ends a search, and the next one works", async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  setTimeout(() => first.abort(), 300);
  await assert.rejects(solve(schur, { signal: first.signal }), { name: "AbortError" });
  setTimeout(() => second.abort(new Error("enough")), 300);
  await assert.rejects(async () => {
    for await (const _ of solve(schur, { signal: second.signal }));
  }, /^Error: enough$/);
  await assert.rejects(solve(futoshiki, { data: four, signal: first.signal }), { name: "AbortError" });
  assert.equal((await solve(futoshiki, { data: four })).status, "satisfied");
});

test("a limit ends a search with what is known", async () => {
  const solved = await solve(schur, { limit: 0.3 });
  assert.deepEqual([solved.status, solved.solutions], ["time limit", []]);
});

test("what a program's function throws comes to the program", async () => {
  const onSolution = () => {
    throw new Error("mine");
  };
  await assert.rejects(solve("find x : bool", { onSolution }), /^Error: mine$/);
});

test("requests may run at the same time", async () => {
  const values = [1, 2, 3, 4];
  const solved = await Promise.all(values.map((value) => solve(`find x : int(${value})`)));
  assert.deepEqual(solved.map(({ solutions }) => solutions[0].json.x), values);
});

test("`why` tells which requirements contradict each other, and why something is not a solution", async () => {
  const { answer, complete } = await why(contradiction);
  assert.ok(complete);
  assert.equal(answer.reasons.length, 2);
  assert.deepEqual(answer.reasons.map(({ places }) => places[0].line), [2, 3]);
  const refused = await why("find x : int(1..9)\nsuch that x > 5", { expected: "letting x be 3" });
  assert.equal(refused.answer.reasons[0].places[0].line, 2);
});

test("`hint` tells a step", async () => {
  const { answer } = await hint(futoshiki, { data: four, limit: 20 });
  assert.equal(answer.steps.length, 1);
  assert.match(answer.steps[0].says, /board/);
});

test("a mistake is an error with its place, and what `check` tells", async () => {
  const wrong = "find x : int(1..9)\nsuch that x = y";
  const failed = await solve(wrong).then(assert.fail, (error) => error);
  assert.ok(failed instanceof EssenceError);
  assert.match(failed.message, /`y`/);
  const [diagnostic] = failed.diagnostics;
  assert.deepEqual([diagnostic.severity, diagnostic.labels[0].file, diagnostic.labels[0].line], ["error", "model", 2]);
  assert.equal(wrong.slice(diagnostic.labels[0].from, diagnostic.labels[0].to), "y");
  const found = await check({ name: "mine.essence", text: wrong });
  assert.deepEqual(found.map(({ code, labels }) => [code, labels[0].file]), [[diagnostic.code, "mine.essence"]]);
  assert.deepEqual(await check(futoshiki, { data: four }), []);
  await assert.rejects(async () => {
    for await (const _ of solve(wrong));
  }, EssenceError);
});

const total = "given n : int\nfind x, y : int(0..n)\nsuch that x + y = n\nmaximising x";
const best = async (begun, options) => {
  const { status, solutions } = await begun.solve({ pictures: false, ...options });
  return [status, solutions.at(-1)?.objective];
};

test("a session keeps its instance while requirements and data come and go", async () => {
  const begun = await session(total, { data: { n: 6 } });
  assert.deepEqual(await best(begun), ["optimal", 6]);
  await begun.require("x <= 4", "y != 2");
  assert.equal(begun.steps, 1);
  assert.deepEqual(await best(begun), ["optimal", 3]);
  await begun.require("y < 3");
  assert.deepEqual(await best(begun), ["unsatisfiable", undefined]);
  await begun.undo(2);
  await begun.set({ n: 9 });
  const values = [];
  for await (const { json } of begun.solve()) values.push(json.x);
  assert.equal(values.at(-1), 9);
  await begun.undo();
  assert.deepEqual([begun.steps, await best(begun)], [0, ["optimal", 6]]);
  begun.close();
  await assert.rejects(begun.solve(), /the session is closed/);
});

test("what is wrong in a session leaves it as it was", async () => {
  await assert.rejects(session("given n : int find x : int(1..m)", { data: { n: 1 } }), EssenceError);
  await assert.rejects(session("given n : int(1..3) find x : int(1..n)", { data: { n: 7 } }), EssenceError);
  const begun = await session(total, { data: { n: 6 } });
  await begun.require("x < 5");
  const failed = await begun.require("z = 1").then(assert.fail, (error) => error);
  assert.match(failed.message, /`z`/);
  await assert.rejects(begun.set({ n: "many" }), EssenceError);
  await assert.rejects(begun.undo(2), /there are 1 steps to take back, not 2/);
  assert.deepEqual([begun.steps, await best(begun)], [1, ["optimal", 4]]);
  begun.close();
});

test("a session goes on after a search that was stopped, and the last solution comes first", async () => {
  const begun = await session(`${schur.replaceAll("161", "limit").replaceAll("160", "limit - 1").replace("find", "given limit : int\nfind")}`, { data: { limit: 20 } });
  await begun.require("c[1] = 2");
  const [first] = (await begun.solve({ pictures: false })).solutions;
  assert.equal(first.json.c["1"] ?? first.json.c[0], 2);
  const again = (await begun.solve({ pictures: false })).solutions;
  assert.deepEqual(again[0].json, first.json);
  await begun.set({ limit: 161 });
  await assert.rejects(begun.solve({ signal: AbortSignal.timeout(500) }), { name: "TimeoutError" });
  await begun.undo();
  const [last] = (await begun.solve({ pictures: false })).solutions;
  assert.equal(last.json.c["1"] ?? last.json.c[0], 2);
  const { status } = await begun.solve({ limit: 5 });
  assert.equal(status, "satisfied");
  begun.close();
});

test("a board tells the solution that differs most from others", async () => {
  const model = { name: "m", text: "find s : set of int(1..4)\nfind cost : int(0..4)\nsuch that cost >= |s|\nminimising cost" };
  const known = [{ name: "a", text: "letting s be {1}\nletting cost be 2" }];
  const lines = [];
  const { status } = await ask({ verb: "board", model, different: known, solutions: 1 }, { onLine: (line) => line.type === "solution" && lines.push(line) });
  const other = lines.at(-1);
  assert.equal(status, "optimal");
  // As good as the best, and among these the one with the most differences: one member goes and two come, or one comes
  // and the cost changes.
  assert.ok(other.objective <= 2);
  assert.equal(other.distance, 3);
  assert.ok(!other.json.s.includes(1));
  // Each line differs from the given ones more than the line before.
  const distances = lines.map(({ distance }) => distance);
  assert.deepEqual(distances, [...new Set(distances)].sort((one, two) => one - two));
  const all = [{ name: "a", text: "letting x be true" }, { name: "b", text: "letting x be false" }];
  const none = await ask({ verb: "board", model: { name: "m", text: "find x : bool" }, different: all, solutions: 1 });
  assert.deepEqual([none.status, none.solutions], ["unsatisfiable", 0]);
});

test("`ask` asks anything", async () => {
  const { version, solvers } = await ask({ verb: "about" });
  assert.equal(version, JSON.parse(readFileSync(join(folder, "node_modules/conjure-like/package.json"), "utf8")).version);
  assert.deepEqual(solvers.map(({ name }) => name), ["auto", "batsat", "brute"]);
  const { text } = await ask({ verb: "evaluate", expression: "sum([1, 2, 3])" });
  assert.equal(text, "6 : int");
  const lines = [];
  const model = { name: "m", text: "find x : int(1..3)" };
  await ask({ verb: "board", model, possible: true }, { onLine: ({ type }) => lines.push(type) });
  assert.equal(lines[0], "cells");
  await assert.rejects(ask({ verb: "guess" }), EssenceError);
});

test("a program ends when its requests have ended", () => {
  write("ends.js", 'import { solve } from "conjure-like";\nconsole.log((await solve("find x : int(7)")).solutions[0].json.x);');
  const { stdout, status, error } = spawnSync(process.execPath, ["ends.js"], { cwd: folder, encoding: "utf8", timeout: 60_000 });
  assert.deepEqual([stdout, status, error], ["7\n", 0, undefined]);
});

test("the README's programs run", () => {
  const blocks = [...readFileSync(join(HERE, "../README.md"), "utf8").matchAll(/^```js\n(.*?)^```$/gms)].map(([, block]) => block);
  assert.ok(blocks.length > 0);
  for (const block of blocks) {
    write("readme.js", block);
    const { stderr, status } = spawnSync(process.execPath, ["readme.js"], { cwd: folder, encoding: "utf8", timeout: 60_000 });
    assert.equal(status, 0, stderr);
  }
});

for (const [module, moduleResolution] of [["NodeNext", "NodeNext"], ["ESNext", "Bundler"]]) {
  test(`programs in TypeScript compile: ${moduleResolution}`, () => {
    write("uses.ts", readFileSync(join(HERE, "uses.ts"), "utf8"));
    const compilerOptions = { lib: ["ES2022", "DOM"], module, moduleResolution, noEmit: true, strict: true, target: "ES2022", types: [] };
    write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["uses.ts"] }));
    const { stdout, status } = spawnSync(process.execPath, [PAGE.resolve("typescript/bin/tsc")], { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, stdout);
  });
}

const browser = process.env.CHROMIUM ?? "/usr/bin/chromium";
test("a page in a browser solves", { skip: !existsSync(browser) && `there is no browser at ${browser}` }, async (context) => {
  const { launch, serve } = await import("../../page/test/common.mjs");
  write("index.html", `<!DOCTYPE html><title>Test</title><script type="module">
    import { solve, why } from "./node_modules/conjure-like/dist/index.js";
    window.answer = Promise.all([solve("find x : int(7)"), why(${JSON.stringify(contradiction)})]);
  </script>`);
  const server = await serve({}, folder);
  context.after(server.close);
  const chromium = await launch();
  context.after(() => chromium.close());
  const page = await chromium.newPage();
  await page.goto(`${server.url}index.html`);
  await page.waitForFunction(() => window.answer);
  const [solved, explained] = await page.evaluate(() => window.answer);
  assert.equal(solved.solutions[0].json.x, 7);
  assert.equal(explained.answer.reasons.length, 2);
});
