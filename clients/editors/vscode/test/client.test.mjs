// A client that talks to `conjure-like lsp` as the extension does: each request, and the response.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import rpc from "vscode-jsonrpc/node.js";
import { PROGRAM, ROOT, withoutServer } from "./common.mjs";

const skip = withoutServer();

let child, connection, capabilities;
const published = new Map();
const waiting = new Map();

before(async () => {
  if (skip) return;
  child = spawn(PROGRAM, ["lsp"]);
  connection = rpc.createMessageConnection(new rpc.StreamMessageReader(child.stdout), new rpc.StreamMessageWriter(child.stdin));
  connection.onNotification("textDocument/publishDiagnostics", ({ uri, diagnostics }) => {
    published.set(uri, diagnostics);
    waiting.get(uri)?.(diagnostics);
  });
  connection.listen();
  const answer = await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(ROOT).href,
    capabilities: { textDocument: { codeLens: {}, publishDiagnostics: {} } },
  });
  capabilities = answer.capabilities;
  await connection.sendNotification("initialized", {});
});

after(async () => {
  if (skip) return;
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  const code = await new Promise((done) => child.on("exit", done));
  connection.dispose();
  assert.equal(code, 0);
});

const SMALL = "find x, y : int(1..3)\nsuch that x + y = 3,\n    x < y\n";
let opened = 0;

/** Opens a text, and returns its URI and its diagnostics. */
async function open(text) {
  opened += 1;
  const uri = `file:///nowhere/${opened}.essence`;
  const diagnostics = new Promise((done) => waiting.set(uri, done));
  await connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "essence", version: 1, text } });
  return { uri, diagnostics: await diagnostics };
}

const at = (uri, line, character) => ({ textDocument: { uri }, position: { line, character } });
const execute = (command, ...args) =>
  connection.sendRequest("workspace/executeCommand", { command: `conjure-like.${command}`, arguments: args });

test("the server executes the commands of the extension", { skip }, () => {
  const commands = ["solve", "why", "hint", "picture", "search", "form", "tables"].map((command) => `conjure-like.${command}`);
  assert.deepEqual([...capabilities.executeCommandProvider.commands].sort(), commands.sort());
});

test("mistakes are published, and disappear when they are mended", { skip }, async () => {
  const { uri, diagnostics } = await open("find number : int(1..3)\nsuch that numbre = 3\n");
  assert.deepEqual(diagnostics.map(({ code, severity, range }) => [code, severity, range.start]), [
    ["E0201", 1, { line: 1, character: 10 }],
  ]);
  const mended = new Promise((done) => waiting.set(uri, done));
  await connection.sendNotification("textDocument/didChange", {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start: { line: 1, character: 10 }, end: { line: 1, character: 16 } }, text: "number" }],
  });
  assert.deepEqual(await mended, []);
});

test("a quick fix mends a mistake", { skip }, async () => {
  const { uri, diagnostics } = await open("find number : int(1..3)\nsuch that numbre = 3\n");
  const actions = await connection.sendRequest("textDocument/codeAction", {
    textDocument: { uri },
    range: diagnostics[0].range,
    context: { diagnostics },
  });
  assert.equal(actions[0].edit.changes[uri][0].newText, "number");
});

test("texts are explained, completed, found, renamed and formatted", { skip }, async () => {
  const { uri } = await open(SMALL);
  const hover = await connection.sendRequest("textDocument/hover", at(uri, 1, 10));
  assert.match(JSON.stringify(hover.contents), /int\(1\.\.3\)/);

  const completion = await connection.sendRequest("textDocument/completion", at(uri, 2, 4));
  const labels = (completion.items ?? completion).map(({ label }) => label);
  assert.ok(labels.includes("x") && labels.includes("allDiff"), labels.join());

  const definition = await connection.sendRequest("textDocument/definition", at(uri, 2, 4));
  assert.deepEqual([definition].flat()[0].range.start, { line: 0, character: 5 });

  const references = await connection.sendRequest("textDocument/references", { ...at(uri, 0, 5), context: { includeDeclaration: true } });
  assert.equal(references.length, 3);

  const renamed = await connection.sendRequest("textDocument/rename", { ...at(uri, 0, 5), newName: "z" });
  assert.equal(renamed.changes[uri].length, 3);

  const symbols = await connection.sendRequest("textDocument/documentSymbol", { textDocument: { uri } });
  assert.deepEqual(symbols.map(({ name }) => name).slice(0, 2), ["x", "y"]);

  const { uri: untidy } = await open("find  x:int(1 .. 3)\n");
  const edits = await connection.sendRequest("textDocument/formatting", { textDocument: { uri: untidy }, options: { tabSize: 4, insertSpaces: true } });
  assert.match(edits.map(({ newText }) => newText).join(""), /find x: int\(1\.\.3\)/);
});

test("lenses call the commands for their model", { skip }, async () => {
  const { uri } = await open(SMALL);
  const lenses = await connection.sendRequest("textDocument/codeLens", { textDocument: { uri } });
  const solve = lenses.find(({ command }) => command.command === "conjure-like.solve");
  assert.equal(solve.command.arguments[0], uri);
  const { text, format } = await execute("solve", ...solve.command.arguments);
  assert.equal(format, "essence");
  assert.match(text, /letting x be 1\s+letting y be 2/);
});

test("the settings hold for commands", { skip }, async () => {
  const { uri } = await open(SMALL);
  const settle = (settings) => connection.sendNotification("workspace/didChangeConfiguration", { settings: { "conjure-like": settings } });
  await settle({ solver: "nonsense" });
  await assert.rejects(execute("solve", uri, []), /there is no solver `nonsense`/);
  await settle({ solver: "batsat", limitTime: 60, threads: 1 });
  assert.equal((await execute("solve", uri, [])).format, "essence");
  await settle({});
});

test("commands return text and pictures", { skip }, async () => {
  const { uri } = await open(SMALL);
  const picture = await execute("picture", uri, []);
  assert.equal(picture.format, "svg");
  assert.match(picture.text, /<svg[^]*<\/svg>/);
  const hint = await execute("hint", uri, []);
  assert.equal(hint.format, "text");
  assert.match(hint.text, /x/);
});

test("data come from the files that a command names", { skip }, async () => {
  const file = (path) => pathToFileURL(join(ROOT, path)).href;
  const why = await execute("why", file("models/futoshiki.essence"), [file("params/futoshiki-3-none.param")]);
  assert.equal(why.format, "text");
  assert.match(why.text, /cannot hold together/);
});

test("tables are data, and mistakes in them are told where they stand", { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "essence-tables-"));
  try {
    const file = (name) => pathToFileURL(join(folder, name)).href;
    writeFileSync(join(folder, "m.essence"), "given cost : function int(1..9) --> int(0..9)\nfind x : int(0..99)\nsuch that x = sum([c | (_, c) <- cost])\n");
    writeFileSync(join(folder, "cost.csv"), "item,cost\n1,4\n2,many\n");
    writeFileSync(join(folder, "right.csv"), "item,cost\n1,4\n2,5\n");
    const solved = await execute("solve", file("m.essence"), ["cost=right.csv:item,cost"]);
    assert.match(solved.text, /letting x be 9/);
    await assert.rejects(execute("solve", file("m.essence"), ["cost=cost.csv"]), /cost\.csv`, row 3, column cost: `many` is not a whole number/);
    const [wrong] = await execute("tables", file("m.essence"), ["cost=cost.csv"]);
    assert.equal(wrong.uri, file("cost.csv"));
    assert.deepEqual(wrong.diagnostics[0].range, { start: { line: 2, character: 2 }, end: { line: 2, character: 6 } });
    assert.match(wrong.diagnostics[0].message, /row 3, column cost/);
    assert.deepEqual(await execute("tables", file("m.essence"), ["cost=right.csv"]), [{ uri: file("right.csv"), diagnostics: [] }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a mistake is an error of the request", { skip }, async () => {
  const { uri } = await open("find x : int(1..3)\nsuch that x = true\n");
  await assert.rejects(execute("solve", uri, []), /E0302/);
});

test("a command that is cancelled ends at once", { skip, timeout: 20_000 }, async () => {
  // A pigeonhole problem, which takes long.
  const { uri } = await open("find f : function (total, injective) int(1..40) --> int(1..39)\n");
  const source = new rpc.CancellationTokenSource();
  const running = connection.sendRequest(
    "workspace/executeCommand",
    { command: "conjure-like.why", arguments: [uri, []] },
    source.token,
  );
  source.cancel();
  await assert.rejects(running, { code: -32800 });
});

test("every example is read without a mistake", { skip, timeout: 60_000 }, async () => {
  for (const name of ["futoshiki", "seating", "nonogram", "job-shop", "river-crossing"]) {
    const { diagnostics } = await open(readFileSync(join(ROOT, `models/${name}.essence`), "utf8"));
    assert.deepEqual(diagnostics, [], name);
  }
});
