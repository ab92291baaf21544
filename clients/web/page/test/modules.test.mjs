// The modules that need no browser, bundled for Node.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { load } from "./common.mjs";

const ROOT = join(import.meta.dirname, "../../../..");

test("each sign of the models is coloured, and nothing is lost", async () => {
  const { tokens } = await load("tokens");
  for (const folder of ["models", "params"]) {
    for (const file of readdirSync(join(ROOT, folder)).filter((name) => /\.(essence|param)$/.test(name))) {
      const text = readFileSync(join(ROOT, folder, file), "utf8");
      const all = [...tokens(text)];
      assert.equal(all.map((one) => one.text).join(""), text, file);
      const plain = all.filter(({ kind, text }) => kind === null && text.trim() !== "");
      assert.deepEqual(plain, [], file);
    }
  }
});

test("words, declared names and comments are told apart", async () => {
  const { tokens } = await load("tokens");
  const kinds = (text) =>
    [...tokens(text)]
      .filter(({ text }) => text.trim())
      .map(({ text, kind }) => `${text}:${kind}`)
      .join(" ");
  assert.equal(
    kinds("find x, y' : int(1..9)"),
    "find:statement x:declared ,:punctuation y':declared ::punctuation int:domain (:punctuation 1:number ..:operator 9:number ):punctuation",
  );
  assert.equal(
    kinds("such that\n forAll i in S . i <-> !b $ such"),
    "such:statement that:statement forAll:quantifier i:name in:word-operator S:name .:punctuation i:name <->:operator !:operator b:name $ such:comment",
  );
  assert.equal(kinds("/* find\n x */ true $ picture: x"), "/* find:comment  x */:comment true:constant $ picture: x:picture");
});

test("commands of the manual become requests, and others are refused", async () => {
  const { command } = await load("commands");
  assert.deepEqual(command("conjure-like solve a.essence b.param -D 'letting n be 4' --number-of-solutions=all"), {
    verb: "solve",
    model: "a.essence",
    data: ["b.param"],
    lettings: ["letting n be 4"],
    files: {},
    options: { solutions: "all" },
  });
  assert.equal(command("conjure-like why a.essence --forced 'x = 1'").options.constraint, "x = 1");
  assert.equal(command("conjure-like why a.essence --expect mine.solution").files.expected, "mine.solution");
  for (const refused of [
    "rm -rf /",
    "conjure-like solve",
    "conjure-like solve a.essence > b",
    "conjure-like solve a.essence --unknown",
    "conjure-like fmt a.essence",
  ]) {
    assert.equal(command(refused), null, refused);
  }
});

test("indices of matrices get the names of their types' members", async () => {
  const { indexMembers } = await load("indices");
  const model =
    "given T new type enum $ find c : matrix indexed by [X] of bool\nletting D be domain T\nfind a, b : matrix indexed by [int(1,3), D] of bool\nfind f : function D --> T\n";
  const found = indexMembers([model, "letting T be new type enum {x, y'}"]);
  assert.deepEqual(
    [...found],
    [
      ["a", [null, ["x", "y'"]]],
      ["b", [null, ["x", "y'"]]],
    ],
  );
  assert.deepEqual([...indexMembers(["letting A be domain A\nfind a : matrix indexed by [A] of bool"])], [["a", [null]]]);
});

test("what comes from outside is checked before it is used", async () => {
  const { asWork, fileName, freeName } = await load("work");
  for (const wrong of [null, 5, [], {}, { model: 1 }, { model: "x".repeat(3e6) }, { model: "", data: [{ name: 1, text: "" }] }])
    assert.equal(asWork(wrong), null);
  const work = asWork({
    name: "<b>",
    model: "find x : bool",
    data: [
      { name: "../../x", text: "" },
      { name: "../../x", text: "" },
    ],
    current: 7,
    settings: { solutions: "<b>", limit: -1, seed: "1" },
  });
  assert.deepEqual(
    work.data.map(({ name }) => name),
    ["x", "x-2"],
  );
  assert.equal(work.current, 1);
  assert.deepEqual(work.settings, { solutions: "1", limit: 30, seed: null });
  assert.equal(fileName("…"), "model");
  assert.equal(freeName("a.param", [{ name: "a.param" }, { name: "a-2.param" }]), "a-3.param");
});

test("a matrix says its indices, and is read again", async () => {
  const { indexed, normal } = await load("app/domains");
  const int = (low, high) => ({ kind: "int", ranges: [[low, high]] });
  const matrix = (index, element) => ({ kind: "matrix", parts: [index, element] });
  const row = matrix(int(0, 1), { kind: "bool" });
  const cases = [
    [row, { 0: false, 1: true }],
    [matrix({ kind: "enum", name: "day", members: ["mon", "tue"] }, row), { mon: { 0: true, 1: false }, tue: { 0: false, 1: false } }],
    [matrix(int(1, 1), matrix(int(2, 2), matrix(int(3, 3), int(0, 9)))), { 1: { 2: { 3: 7 } } }],
  ];
  for (const [domain, json] of cases) assert.deepEqual(indexed(domain, normal(domain, json)), json);
  const set = { kind: "set", parts: [int(1, 3)] };
  assert.deepEqual(indexed(set, normal(set, [1, 3])), [1, 3]);
});
