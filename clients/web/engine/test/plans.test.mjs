// Plans of every type: an app opens what it saves, and the constraints of its cells describe the solution that they come from.
//
// Each number selects a type whose constructors are nested two or three deep, and a value of this type. PLANS is the
// count of numbers, and PLANS_SEED selects another sequence; PLANS_ONLY=17 tries one number and prints its domain.
// PLANS_IN=page asks the module for WebAssembly instead of the program.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../page/test/common.mjs";
import { inPage, natively } from "./engine.mjs";

const { PLANS = "24", PLANS_SEED = "1", PLANS_ONLY, PLANS_IN = "program" } = process.env;
const answered = PLANS_IN === "page" ? inPage : natively;
const domains = await load("app/domains");
const { asPlan } = await load("app/plans");
const { pack, unpack } = await load("sharing");

/** Hard limit on the values of a type that are listed. */
const MOST_VALUES = 300;

/** The types that domains mention. The data list the members of `given_type`. */
const TYPES = `letting listed be new type enum {low, mid, "very high"}\ngiven given_type new type enum\n`;
const UNNAMED = "letting unnamed be new type of size 2\n";
const MEMBERS = { given_type: ["anna", "Zoë Ø"] };

const SCALARS = ["int(1..2)", "int(-1, 1)", "listed", "given_type", "unnamed", "bool", "listed(low..mid)", 'listed("very high", low)'];
const FIELDS = ["first", "class", '"odd name"'];

/** The constructors, taken in turn by the numbers. */
const CONSTRUCTORS = {
  scalar: (r) => scalar(r),
  tuple: (r, depth) => (r(2) ? `(${scalar(r)}, ${inner(r, depth)})` : `tuple (${inner(r, depth)})`),
  record: (r, depth) => `record {${one(r, FIELDS)} : ${inner(r, depth)}, other : ${scalar(r)}}`,
  variant: (r, depth) => `variant {${one(r, FIELDS)} : ${inner(r, depth)}, other : ${scalar(r)}}`,
  matrix: (r, depth) => `matrix indexed by [${scalar(r)}] of ${inner(r, depth)}`,
  grid: (r, depth) => `matrix indexed by [${scalar(r)}, ${scalar(r)}] of ${inner(r, depth)}`,
  set: (r, depth) => `set (maxSize 2) of ${inner(r, depth)}`,
  mset: (r, depth) => `mset (maxSize 2) of ${inner(r, depth)}`,
  function: (r, depth) => `function ${scalar(r)} --> ${inner(r, depth)}`,
  "function of a collection": (r, depth) => `function (maxSize 2) ${inner(r, depth)} --> ${scalar(r)}`,
  total: (r, depth) => `function (total) ${scalar(r)} --> ${inner(r, depth)}`,
  sequence: (r, depth) => `sequence (maxSize 2) of ${inner(r, depth)}`,
  relation: (r, depth) => `relation (maxSize 2) of (${scalar(r)} * ${inner(r, depth)})`,
  partition: (r, depth) => `partition from ${inner(r, depth)}`,
  permutation: (r, depth) => `permutation of ${inner(r, depth)}`,
};

const one = (r, all) => all[r(all.length)];
const scalar = (r) => one(r, SCALARS);
const inner = (r, depth) => (depth <= 1 ? scalar(r) : one(r, Object.values(CONSTRUCTORS))(r, depth - 1));

/** Random numbers below a bound. */
function randomly(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const text = (name, value) => ({ name, text: typeof value === "string" ? value : JSON.stringify(value) });
const asData = (values) => Object.entries(values).map(([name, value]) => text(`data ${name}`, { [name]: value }));

/** The answer of the engine; throws if the engine refuses the request. */
function asked(request) {
  const { lines, errors } = answered(request);
  const last = lines.at(-1);
  if (last?.type !== "result") throw new Error(last?.diagnostics?.find(({ severity }) => severity === "error").rendered ?? errors);
  return { ...last, found: lines.filter(({ type }) => type === "solution"), cells: lines.find(({ type }) => type === "cells")?.cells };
}

/** A type, its values, and the two of them that go through the app. */
class Trial {
  constructor(number) {
    const r = randomly(Number(PLANS_SEED) * 1_000_003 + number);
    const constructor = Object.values(CONSTRUCTORS)[number % Object.values(CONSTRUCTORS).length];
    for (;;) {
      this.domain = constructor(r, r(4) < 3 ? 2 : 3);
      this.types = TYPES + (this.domain.includes("unnamed") ? UNNAMED : "");
      this.find = text("m.essence", `${this.types}find x : ${this.domain}`);
      const request = { verb: "solve", model: this.find, data: asData(MEMBERS), solver: "brute", solutions: MOST_VALUES + 1, pictures: false, limit: 10 };
      try {
        const { found, status } = asked(request);
        if (status !== "all solutions" || found.length === 0) continue;
        this.solutions = found;
        break;
      } catch {
        // The engine rejects some of the random domains.
      }
    }
    this.plan = one(r, this.solutions);
    this.other = one(r, this.solutions);
    this.same = text("m.essence", `${this.types}given x : ${this.domain}\nfind y : ${this.domain}\nsuch that y = x`);
    // The members of unnamed types are listed as in the JSON of solutions.
    const { x, ...members } = this.plan.json;
    this.given = { ...MEMBERS, ...members, x };
  }

  goesThrough(data) {
    const { found } = asked({ verb: "solve", model: this.same, data, pictures: false });
    assert.deepEqual(found.at(-1)?.json.y, this.plan.json.x, data.map(({ text }) => text).join("\n"));
  }

  /** The parameters as the engine describes them, the data in Essence, and the values as the app stores them. */
  opened(data = [text("opened.json", this.given)]) {
    const { parameters, essence } = asked({ verb: "form", model: this.same, data });
    const values = parameters.map(({ name, domain, value }) => [name, domains.scaled(domain, domains.normal(domain, value)) ?? domains.empty(domain)]);
    return { parameters, essence, values: Object.fromEntries(values) };
  }

  /** The texts of the data as the app sends them. */
  texts(parameters, values) {
    const valueOf = ({ name, domain }) => domains.completed(domain, values[name] ?? null);
    const known = parameters.filter((one) => !domains.isMissing(one.domain, valueOf(one)));
    return known.map((one) => text(`data ${one.name}`, domains.write(one.name, one.domain, valueOf(one)).text));
  }

  // ---- The checks ----

  keptPlans() {
    const { parameters, values } = this.opened();
    const plan = asPlan(JSON.parse(JSON.stringify({ name: "plan", state: { values, set: [] } })));
    this.goesThrough(this.texts(parameters, plan.state.values));
  }

  async links() {
    const { values } = this.opened();
    const plan = { name: "plan", state: { values, set: [] } };
    assert.deepEqual(asPlan(await unpack(await pack(plan))), plan);
  }

  savedJson() {
    const { parameters, values } = this.opened();
    const parts = this.texts(parameters, values).map(({ text }) => text.slice(1, -1));
    const saved = text("saved.json", `{\n  ${parts.join(",\n  ")}\n}\n`);
    this.goesThrough([saved]);
    assert.deepEqual(this.opened([saved]).values, values);
  }

  savedEssence() {
    const { parameters, values } = this.opened();
    const saved = text("saved.param", asked({ verb: "form", model: this.same, data: this.texts(parameters, values) }).essence);
    this.goesThrough([saved]);
    assert.deepEqual(this.opened([saved]).values, values);
  }

  toldJson() {
    const { parameters, values } = this.opened();
    this.goesThrough(asData(Object.fromEntries(parameters.map(({ name, domain }) => [name, domains.indexed(domain, values[name])]))));
  }

  writtenEssence() {
    const { parameters, values } = this.opened();
    const { domain } = parameters.find(({ name }) => name === "x");
    const others = Object.entries(this.given).filter(([name]) => name !== "x");
    this.goesThrough([...asData(Object.fromEntries(others)), text("x.param", `letting x be ${domains.asEssence(domain, values.x)}`)]);
  }

  typed() {
    const { parameters, values } = this.opened();
    const { domain } = parameters.find(({ name }) => name === "x");
    const typed = domains.fromCompact(domain, domains.compact(domain, values.x));
    this.goesThrough(this.texts(parameters, { ...values, x: typed }));
  }

  renamedMembers() {
    const { parameters, values } = this.opened();
    const { domain } = parameters.find(({ name }) => name === "x");
    const names = { anna: "Anna (B), C", "Zoë Ø": "Zoë" };
    const x = domains.renamed(domain, values.x, "given_type", (member) => names[member]);
    const given_type = Object.values(names);
    const all = this.texts(this.opened(asData({ given_type })).parameters, { ...values, x, given_type });
    const { found } = asked({ verb: "solve", model: this.same, data: all, pictures: false });
    const expected = JSON.stringify(this.plan.json.x).replace(/"(anna|Zoë Ø)"/g, (_, member) => JSON.stringify(names[member]));
    assert.deepEqual(found.at(-1)?.json.y, JSON.parse(expected), all.map(({ text }) => text).join("\n"));
  }

  board(request = {}) {
    return asked({ verb: "board", model: this.find, data: asData(MEMBERS), pictures: false, ...request });
  }

  /** The constraints of the cells that have a value in the solution. */
  says(cells, { chosen }) {
    return cells.flatMap(({ values }, at) => (chosen[at] === null ? [] : [values[chosen[at]][1]]));
  }

  settings() {
    const { cells, found } = this.board({ solutions: "all" });
    const all = cells.flatMap(({ values }) => values.map(([, says]) => says.replace(/\s+/g, "")));
    assert.equal(new Set(all).size, all.length, `two values with one constraint: ${all.filter((one, at) => all.indexOf(one) !== at)}`);
    const places = cells.map((cell) => JSON.stringify([cell.variable, ...cell.labels]));
    assert.equal(new Set(places).size, places.length, `two cells in one place: ${places.filter((one, at) => places.indexOf(one) !== at)}`);
    const plan = found.find(({ json }) => JSON.stringify(json.x) === JSON.stringify(this.plan.json.x)) ?? found[0];
    const set = this.says(cells, plan);
    const again = this.board({ set, solutions: "all", possible: true });
    assert.equal(again.conflict, null);
    const alike = found.filter(({ chosen }) => chosen.every((option, at) => plan.chosen[at] === null || option === plan.chosen[at]));
    const values = (of) => of.map(({ json }) => JSON.stringify(json.x)).sort();
    assert.deepEqual(values(again.found), values(alike), set.join(", "));
    for (const [at, option] of plan.chosen.entries()) if (option !== null) assert.notEqual(again.possible[at][option], false);
    // The set values must be part of a solution.
    if (set.length === 0) return;
    const expected = text("set", `such that\n${set.join(",\n")}\n`);
    const { answer } = asked({ verb: "why", model: this.find, data: asData(MEMBERS), expected });
    assert.ok(["extensible", "right"].includes(answer.verdict), answer.verdict);
  }

  solutionsAgain() {
    const { essence, json } = this.plan;
    for (const solution of [text("solution 1", essence), text("solution 1", json)]) {
      assert.ok(asked({ verb: "validate", model: this.find, data: asData(MEMBERS), solution }).valid);
      const { answer } = asked({ verb: "hint", model: this.find, data: asData(MEMBERS), known: solution });
      assert.equal(answer.verdict, "solved");
    }
  }

  different() {
    const allowed = text("allowed.param", `letting allowed be {${[this.plan, this.other].map(({ values }) => values.x).join(", ")}}`);
    const model = text("m.essence", `${this.types}given allowed : set of ${this.domain}\nfind x : ${this.domain}\nsuch that x in allowed`);
    for (const form of [this.plan.essence, JSON.stringify(this.plan.json)]) {
      const request = { model, data: [...asData(MEMBERS), allowed], solutions: 1, different: [text("solution 1", form)] };
      const { found, status } = this.board(request);
      const isOther = JSON.stringify(this.other.json.x) !== JSON.stringify(this.plan.json.x);
      assert.deepEqual(found.map(({ json }) => json.x), isOther ? [this.other.json.x] : [], status);
      if (isOther) assert.ok(found[0].distance > 0);
    }
  }

  sessions() {
    const model = this.same;
    const other = asData({ ...this.given, x: this.other.json.x });
    const steps = [{ set: asData(this.given) }];
    const { found } = asked({ verb: "session", model, data: other, steps, solve: { pictures: false } });
    assert.deepEqual(found.at(-1)?.json.y, this.plan.json.x);
  }
}

const CHECKS = ["settings", "solutionsAgain", "different", "sessions"];

/** The checks that pass values without listing the members of unnamed types, which the engine needs. */
const WITH_DATA = ["keptPlans", "links", "savedJson", "savedEssence", "toldJson", "writtenEssence", "typed", "renamedMembers"];

test("what an app saves it opens again", async (t) => {
  const numbers = PLANS_ONLY === undefined ? Array.from({ length: Number(PLANS) }, (_, number) => number) : [Number(PLANS_ONLY)];
  for (const number of numbers) {
    await t.test(String(number), async () => {
      const trial = new Trial(number);
      if (PLANS_ONLY !== undefined) console.log(`${trial.domain}\n${JSON.stringify(trial.plan.json.x)}`);
      const faults = [];
      for (const check of trial.domain.includes("unnamed") ? CHECKS : [...CHECKS, ...WITH_DATA]) {
        try {
          await trial[check]();
        } catch (error) {
          faults.push(`${check}: ${error.message}`);
        }
      }
      assert.ok(faults.length === 0, [trial.domain, JSON.stringify(trial.plan.json.x), ...faults].join("\n\n"));
    });
  }
});
