// Tests the TextMate grammar on every example and fixture, on every reserved word, and on lines with their expected
// scopes.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";
import { ROOT, essenceFiles } from "./common.mjs";

const HERE = join(import.meta.dirname, "..");

await oniguruma.loadWASM(readFileSync(join(HERE, "node_modules/vscode-oniguruma/release/onig.wasm")));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => JSON.parse(readFileSync(join(HERE, "syntaxes/essence.tmLanguage.json"), "utf8")),
});
const grammar = await registry.loadGrammar("source.essence");

/** The tokens of a text, each with its line, its innermost scope, and a flag for comments. */
function tokens(text) {
  let state = textmate.INITIAL;
  return text.split("\n").flatMap((line, index) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    return result.tokens.map(({ startIndex, endIndex, scopes }) => ({
      text: line.slice(startIndex, endIndex),
      line: index + 1,
      scope: scopes.at(-1).replace(/\.essence$/, ""),
      comment: scopes[1]?.startsWith("comment") ?? false,
    }));
  });
}

/** The reserved words, which `grammar/essence.pest` lists by their first letters. */
function reservedWords() {
  const pest = readFileSync(join(ROOT, "grammar/essence.pest"), "utf8");
  const rule = pest.match(/^reserved_word = _\{([^]*?)^\}/m)[1];
  const words = [];
  for (const [, first, group, single] of rule.matchAll(/"(\w+)"\s*(?:~\s*(?:\(([^)]*)\)|"(\w+)"))?/g)) {
    const endings = group ? [...group.matchAll(/"(\w+)"/g)].map((ending) => ending[1]) : [single ?? ""];
    words.push(...endings.map((ending) => first + ending));
  }
  return words;
}

const RESERVED = new Set(reservedWords());

test("reserved words are read from the grammar", () => {
  assert.ok(RESERVED.size >= 140, `${RESERVED.size} words`);
  for (const word of ["such", "xor", "Euclidean", "quickPermutationOrder", "union", "variant"]) {
    assert.ok(RESERVED.has(word), word);
  }
});

test("every reserved word is coloured, and no name that begins with one", () => {
  for (const word of RESERVED) {
    const [token] = tokens(word);
    assert.equal(token.text, word);
    assert.doesNotMatch(token.scope, /^(source|variable)/, word);
    for (const name of [`${word}x`, `${word}'`, `${word}_1`, `${word}🐟`, `${word}ü`]) {
      assert.deepEqual(tokens(name).map(({ text, scope }) => [text, scope]), [[name, "variable.other"]]);
    }
  }
});

test("every operator of the manual is coloured", () => {
  const manual = readFileSync(join(ROOT, "docs/operators.md"), "utf8");
  const section = manual.match(/^## Precedence$([^]*?)^## /m)[1];
  const operators = [...section.matchAll(/`([^` ]+)`/g)].map((found) => found[1]);
  assert.ok(operators.length > 30);
  for (const operator of operators) {
    const [token, ...rest] = tokens(operator);
    assert.deepEqual(rest, [], operator);
    assert.match(token.scope, /^keyword\.operator/, operator);
  }
});

/** Words of statements that can be names, too. */
const UNRESERVED = /^(dominance(_|\s+)relation|incomparability_function)$/;

/** The scopes that a token outside comments may have. */
function expected(token) {
  if (/^\d+$/.test(token.text)) return /^constant\.numeric/;
  if (UNRESERVED.test(token.text)) return /^keyword\.control\.statement/;
  if (RESERVED.has(token.text)) return /^(keyword|storage|support|constant)/;
  if (/^[\p{Alphabetic}_]/u.test(token.text)) return /^(variable|entity|constant\.numeric\.version)/;
  if (/^[\s\u00a0]*$/.test(token.text)) return /./;
  return /^(keyword\.operator|punctuation|constant\.numeric\.version|variable\.other\.quoted)/;
}

test("every token of the examples and fixtures has a scope", () => {
  const fixtures = mkdtempSync(join(tmpdir(), "fixtures-"));
  after(() => rmSync(fixtures, { recursive: true }));
  execFileSync(join(ROOT, "tests/unpack"), [join(ROOT, "tests/fixtures"), fixtures]);
  const files = essenceFiles("models", "params", fixtures);
  assert.ok(files.length > 1000, `${files.length} files`);
  const wrong = [];
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    // Some fixtures are about characters and comments that are not Essence.
    const mistakes = file.includes("/errors/") || /^\$ errors?:/m.test(text);
    for (const token of tokens(text)) {
      if (!token.comment && !expected(token).test(token.scope) && !(mistakes && token.scope === "source")) {
        wrong.push(`${file}:${token.line}: ${token.text} is ${token.scope}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

test("comments end where they end", () => {
  const kinds = (text) => tokens(text).filter(({ text }) => text.trim()).map(({ comment }) => comment);
  assert.deepEqual(kinds("x $ y"), [false, true, true]);
  assert.deepEqual(kinds("x /* y\nz */ w"), [false, true, true, true, true, false]);
});

/** Lines, each followed by the scopes of its tokens; white space has none. */
const SNAPSHOTS = readFileSync(join(import.meta.dirname, "grammar.snapshot"), "utf8");

test("lines have the scopes of grammar.snapshot", () => {
  const lines = SNAPSHOTS.split("\n").filter((line) => line && !line.startsWith("    "));
  const printed = lines.map((line) => {
    const shown = tokens(line).filter(({ text }) => text.trim());
    return [line, ...shown.map(({ text, scope }) => `    ${text.trim().padEnd(16)} ${scope}`), ""].join("\n");
  });
  assert.equal(printed.join("\n"), SNAPSHOTS);
});
