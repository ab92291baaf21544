// Tests of the modules that need no browser, bundled for Node.

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
    settings: { solutions: "<b>", limit: -1, seed: "1", level: -2 },
  });
  assert.deepEqual(
    work.data.map(({ name }) => name),
    ["x", "x-2"],
  );
  assert.equal(work.current, 1);
  assert.deepEqual(work.settings, { solutions: "1", limit: 30, seed: null, level: null });
  assert.ok(!("set" in work), "a link that sets nothing is as short as before");
  assert.deepEqual(asWork({ model: "", set: ["x = 1", 2, null] }).set, ["x = 1"]);
  assert.ok(!("set" in asWork({ model: "", set: "x = 1" })));
  assert.equal(fileName("…"), "model");
  assert.equal(freeName("a.param", [{ name: "a.param" }, { name: "a-2.param" }]), "a-3.param");
});

test("the levels of the language are the steps of the course", async () => {
  const { texts } = await load("texts");
  const course = join(ROOT, "course");
  const steps = readdirSync(course).filter((name) => /^\d/.test(name)).sort();
  const titles = steps.map((step) => /^# (.*)$/m.exec(readFileSync(join(course, step, "README.md"), "utf8"))[1]);
  assert.deepEqual(texts.settings.steps, titles);
});

test("links without values that are set are read as before, and such values make a link little longer", async () => {
  const { fromFragment, pack } = await load("sharing");
  // A link of an old version, without set values.
  const old = "1.HcpBCsIwEAXQqwx_pRKKopsOeBLrIjTRDkym0EwgUHp3wbd-OyyWDEZHQFlTVjA-Yok6MYn56TYM43my2uaFfIlOnS7U6UmPcTIEpOgR_HoHzG3bsjn4GlCzu9i3gnfUVZvLahWMqIoAlSIOvv9jTmBrqsfxAw";
  const work = { name: "sudoku", model: "find x : int(1..9)\n", data: [], current: 0, settings: { solutions: "1", limit: 30, seed: null, level: null } };
  assert.equal((await fromFragment(old)).model, "find x : int(1..9)\nsuch that x * x = 49\n");
  const set = Array.from({ length: 40 }, (_, at) => `board[${1 + Math.floor(at / 9)}, ${1 + (at % 9)}] = ${1 + ((at * 7) % 9)}`);
  const [short, long] = [await pack(work), await pack({ ...work, set })];
  assert.deepEqual((await fromFragment(long)).set, set);
  assert.ok(long.length - short.length < 400, `${long.length - short.length} characters for 40 values`);
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

test("a value is written in Essence as it stands in parameter files", async () => {
  const { asEssence, normal } = await load("app/domains");
  const int = (low, high) => ({ kind: "int", ranges: [[low, high]] });
  const day = { kind: "enum", name: "day", members: ["mon", "late tue"] };
  const matrix = (index, element) => ({ kind: "matrix", parts: [index, element] });
  const cases = [
    [{ kind: "int", unit: "0.01" }, 1.35, "135"],
    [int(1, 9), 12, "12"],
    [day, "late tue", '"late tue"'],
    [{ kind: "type", name: "day" }, ["mon", "late tue"], 'new type enum {mon, "late tue"}'],
    [matrix(int(0, 1), { kind: "bool" }), { 0: false, 1: true }, "[false, true; int(0..1)]"],
    [matrix(day, matrix(int(1, 2), int(0, 9))), { mon: { 1: 3, 2: 4 }, "late tue": { 1: 5, 2: 6 } }, "[[3, 4; int(1..2)], [5, 6; int(1..2)]; day]"],
    [matrix({ ...day, partial: true }, int(0, 9)), { mon: 3, "late tue": 4 }, '[3, 4; day(mon, "late tue")]'],
    [{ kind: "function", parts: [{ kind: "tuple", parts: [int(1, 2), day] }, int(0, 9)] }, [[[1, "mon"], 7]], "function((1, mon) --> 7)"],
    [{ kind: "relation", parts: [int(1, 2), day] }, [[2, "mon"]], "relation((2, mon))"],
    [{ kind: "set", parts: [{ kind: "set", parts: [int(1, 3)] }] }, [[1, 2], []], "{{1, 2}, {}}"],
    [{ kind: "mset", parts: [int(1, 3)] }, [1, 1], "mset(1, 1)"],
    [{ kind: "sequence", parts: [int(1, 3)] }, [], "sequence()"],
    [{ kind: "partition", parts: [int(1, 3)] }, [[1], [2, 3]], "partition({1}, {2, 3})"],
    [{ kind: "record", names: ["a", "b"], parts: [int(1, 3), day] }, { a: 1, b: "mon" }, "record {a = 1, b = mon}"],
  ];
  for (const [domain, json, expected] of cases) assert.equal(asEssence(domain, normal(domain, json)), expected);
});

test("rows of a spreadsheet are told from Essence", async () => {
  const { isTable } = await load("app/domains");
  for (const table of ["a\tb\n1\t2\n", "\tx\ty\nmon\t1\t2", "a\tb\r\n1\t2\r\n"]) assert.equal(isTable(table), true, table);
  for (const text of ["letting n be 3\n", "a\tb", "\tletting a be 1\n\tletting b be 2\n", "a\tb\nc\n", "a, b\nc, d\n"]) assert.equal(isTable(text), false, text);
});

test("the labels of an axis have the order of the model, of their names, or the reverse", async () => {
  const { Axes } = await load("app/layout");
  const { directives } = await load("app/directives");
  const value = (room) => [room, `room = ${room}`];
  const cells = ["Zoe", "Ada"].flatMap((name) => ["1", "2"].map((night) => ({ name, variable: "sleeps", labels: [name, night], values: ["red", "blue"].map(value), toggle: false, number: 0 })));
  const labels = (comment) => {
    const axes = new Axes(cells, ["guest", "", "room"], directives({ directives: comment ? [comment] : [] }).tableOf("sleeps"));
    const { rows, columns } = axes.usual();
    return [axes.labels(rows), axes.labels(columns)];
  };
  assert.deepEqual(labels(""), [["Zoe", "Ada"], ["1", "2"]]);
  assert.deepEqual(labels("axes sleeps as guest by name, 2 reversed"), [["Ada", "Zoe"], ["2", "1"]]);
  assert.deepEqual(labels("axes sleeps as room by name, guest"), [["blue", "red"], ["Zoe", "Ada"]]);
});

test("a domain in German: bounds, sizes, attributes, parts of parts", async () => {
  const { speak, words } = await load("app/words");
  const labels = (name) => name.charAt(0).toUpperCase() + name.slice(1).toLowerCase();
  const rule = (what, one = {}) => ({ what, attribute: "", counted: "", least: null, most: null, ...one });
  assert.equal(words.domain(rule("`x`"), labels), null);
  speak("de");
  const { words: german } = await load("app/words");
  const says = (what, one) => german.domain(rule(what, one), labels);
  assert.equal(says("each `TIME` in `lesson`", { least: "1", most: "2" }), "Time in Lesson liegt zwischen 1 und 2");
  assert.equal(says("each value of `board`", { most: "3" }), "jeder Wert von Board ist höchstens 3");
  assert.equal(says("component 1 of each image of `lesson`", { least: "2", most: "2" }), "Teil 1 von jedem Wert von Lesson ist 2");
  assert.equal(says("`take`", { counted: "member", most: "1" }), "Take hat höchstens 1 Element");
  assert.equal(says("each part of `teams`", { counted: "member", least: "2" }), "jeder Teil von Teams hat mindestens 2 Elemente");
  assert.equal(says("`home`", { attribute: "injective" }), "in Home kommt kein Wert zweimal vor");
  assert.equal(says("`tour`", { attribute: "symmetric" }), null);
});
