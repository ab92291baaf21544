// The module for WebAssembly must give the same answers as the native program: every solution with its picture, in the
// same order, every error, every explanation. All runs share one process, one after the other.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtures, models } from "./cases.mjs";
import { inPage, natively } from "./engine.mjs";

/** At most this many solutions are compared. */
const MOST = 100;

/** An answer without the parts that depend on the machine: times, and the order of a search. */
function settled({ lines, errors }) {
  const text = JSON.stringify(lines, (key, value) => (["seconds", "statistics", "number"].includes(key) ? undefined : value));
  const solutions = ({ type, essence = "" }) => (type === "solution" ? essence : "");
  return { errors, lines: JSON.parse(text).sort((one, other) => solutions(one).localeCompare(solutions(other))) };
}

/** A search for a best solution without its intermediate solutions, which depend on the time that each engine gets. */
function ended({ lines, errors }) {
  const best = lines.findLast(({ type }) => type === "solution");
  const result = lines.find(({ type }) => type !== "solution");
  return { errors, lines: [...(best ? [{ type: "solution", objective: best.objective }] : []), { ...result, solutions: undefined }] };
}

function same(request) {
  const compared = (answer) => settled(request.verb === "solve" && request.solutions === 1 ? ended(answer) : answer);
  const [found, expected] = [compared(inPage(request)), compared(natively(request))];
  assert.ok(expected.lines.some(({ type }) => ["result", "failure"].includes(type)), expected.errors);
  assert.deepEqual(found, expected);
  return found.lines;
}

/** The name of a case. */
const named = ({ model, data }) => [model, ...data].map(({ name }) => name).join(" ");

/** Models with an objective are asked for one solution, since the optimum may be reached by several. */
const solve = (request) => ({ ...request, verb: "solve", solutions: /^\s*(min|max)imising\b/m.test(request.model.text) ? 1 : MOST });

for (const [what, cases] of [["models", models()], ["fixtures", fixtures(300)]]) {
  test(`solutions of ${cases.length} ${what}`, async (t) => {
    let solutions = 0;
    for (const request of cases) {
      await t.test(named(request), () => {
        solutions += same(solve(request)).filter(({ type }) => type === "solution").length;
      });
    }
    assert.ok(solutions > cases.length, `${solutions} solutions`);
  });
}

const some = (name) => models().find((request) => named(request).includes(name));

test("explanations, hints and searches", async (t) => {
  const requests = {
    why: some("futoshiki-3-none"),
    hint: { ...some("futoshiki-5-less"), all: true },
    forced: { ...some("futoshiki-4.param"), constraint: "board[1, 1] = 2" },
    search: { ...some("futoshiki-4.param"), strategies: "compare", transcript: true, page: false },
    form: some("seating-8.param"),
    board: { ...some("seating-8.param"), set: ["chair(Eve) = 4"], possible: true, solutions: 2 },
  };
  for (const [verb, request] of Object.entries(requests)) {
    await t.test(verb, () => {
      assert.ok(same({ ...request, verb }).some(({ type }) => type === "result"));
    });
  }
});

test("questions about a text with letters beyond ASCII", async (t) => {
  const text = "$ 😀 é\ngiven n : int\nfind x : int(1..n)\nsuch that forAll i : int(1..n) . x != i + n";
  const request = { model: { name: "m.essence", text }, data: [{ name: "n.param", text: '{"n": 3}' }] };
  const at = text.indexOf("x !=");
  const verbs = {
    check: {},
    complete: { at },
    hover: { at },
    definition: { at },
    references: { at },
    rename: { at, name: "y" },
    symbols: {},
    tokens: {},
    "inlay-hints": {},
    folding: {},
    format: {},
    instance: {},
  };
  for (const [verb, members] of Object.entries(verbs)) {
    await t.test(verb, () => assert.equal(same({ ...request, verb, ...members })[0].type, "result"));
  }
  const [declared] = inPage({ ...request, verb: "definition", at }).lines;
  assert.equal(text.slice(declared.place.from, declared.place.to), "x");
  const uses = inPage({ ...request, verb: "references", at: text.indexOf("n :") }).lines[0].places;
  assert.deepEqual(uses.map(({ file }) => file), ["m.essence", "m.essence", "m.essence", "m.essence", "n.param"]);
});

test("answers to exercises and other models, compared with a reference", async (t) => {
  const reference = { name: "reference.essence", text: "given n : int(2..4)\nfind x, y : int(1..n)\nsuch that\n  $ hint: May both be equal?\n  x < y" };
  const instances = [{ name: "4.param", text: "letting n be 4" }];
  const answers = {
    right: "given n : int(2..4)\nfind x, y : int(1..n)\nsuch that y > x",
    allows: "given n : int(2..4)\nfind x, y : int(1..n)\nsuch that x <= y",
    refuses: "given n : int(2..4)\nfind x, y : int(1..n)\nsuch that x + 1 < y",
    interface: "given n : int(2..4)\nfind x : int(1..n)",
    syntax: "given n : int(2..4)\nfind x, y : int(1..n)\nsuch that x <",
  };
  for (const [kind, text] of Object.entries(answers)) {
    await t.test(kind, () => {
      const model = { name: "answer.essence", text };
      const graded = same({ verb: "grade", model, reference, instances, made_up: 2 }).at(-1);
      assert.equal(graded.rejected ?? graded.results.find(({ result }) => result !== "right")?.result ?? "right", kind);
      if (kind === "allows") assert.equal(graded.results.find(({ hint }) => hint)?.hint, "May both be equal?");
      if (graded.rejected === null) {
        const compared = same({ verb: "compare", model, reference }).at(-1);
        assert.equal(compared.same, kind === "right");
      }
    });
  }
});

/** Constraints that nest to a level. */
const nested = (level) => ({
  parentheses: `${"(".repeat(level)}x${")".repeat(level)} = 1`,
  sums: `x${"+(x".repeat(level)}${")".repeat(level)} > 1`,
  implications: `${"(x = 1 -> ".repeat(level)}x = 1${")".repeat(level)}`,
  quantifiers: `${Array.from({ length: level / 2 }, (_, i) => `(forAll i${i} : int(1..1) . `).join("")}x = 1${")".repeat(level / 2)}`,
});

const solved = (constraint) => ({ verb: "solve", model: { name: "m.essence", text: `find x : int(1..3)\nsuch that ${constraint}` } });

test("what nests deeply", async (t) => {
  for (const [name, constraint] of Object.entries(nested(198))) {
    await t.test(name, () => assert.ok(same(solved(constraint)).some(({ type }) => type === "result")));
  }
  for (const [name, constraint] of Object.entries(nested(998))) {
    await t.test(`${name}, too deeply for a page`, () => {
      const { lines } = inPage(solved(constraint));
      assert.deepEqual(lines.at(-1).diagnostics.map(({ code }) => code), ["E0102"]);
    });
  }
});
