// Syntax colours for Essence without the engine: the words and symbols of the TextMate grammar of the VS Code
// extension, applied one line at a time.

import grammar from "../../../editors/vscode/syntaxes/essence.tmLanguage.json";

export type Kind =
  | "comment"
  | "picture"
  | "statement"
  | "definition-word"
  | "quantifier"
  | "domain"
  | "attribute"
  | "word-operator"
  | "constant"
  | "function"
  | "reserved"
  | "number"
  | "operator"
  | "punctuation"
  | "declared"
  | "name";

/** Scopes of the grammar by prefix; the first match decides. */
const KINDS: [scope: string, kind: Kind][] = [
  ["keyword.control.statement", "statement"],
  ["keyword.other.definition", "definition-word"],
  ["keyword.control.quantifier", "quantifier"],
  ["keyword.other.reserved", "reserved"],
  ["keyword.operator.word", "word-operator"],
  ["keyword.operator", "operator"],
  ["storage.type", "domain"],
  ["storage.modifier", "attribute"],
  ["constant.language", "constant"],
  ["constant.numeric", "number"],
  ["support.function", "function"],
  ["punctuation", "punctuation"],
  ["variable", "name"],
];

interface Rule {
  name?: string;
  match?: string;
  patterns?: Rule[];
}

/** Converts a regular expression of the grammar (Oniguruma) to a sticky one of JavaScript. */
function expression(pattern: string): RegExp {
  return new RegExp(pattern.replace(/\[([^\]]*)\\w/g, "[$1\\p{L}\\p{N}_").replace(/\\x\{([0-9A-F]+)\}/g, "\\u{$1}"), "uy");
}

function rules(rule: Rule): [RegExp, Kind][] {
  if (rule.patterns) return rule.patterns.flatMap(rules);
  const kind = KINDS.find(([scope]) => rule.name?.startsWith(scope))?.[1];
  return rule.match && kind ? [[expression(rule.match), kind]] : [];
}

const repository = grammar.repository as unknown as Record<string, Rule>;
const RULES: [RegExp, Kind][] = [
  [/"(?:\\.|[^"\\\n])*"/uy, "name"],
  ...["call", "word", "number", "operator", "punctuation", "name"].flatMap((name) => rules(repository[name] ?? {})),
];

/** The state at the start of a line, updated along it. */
export interface State {
  inComment: boolean;
  declaring: boolean;
}

export const start = (): State => ({ inComment: false, declaring: false });

/** The end and the kind of the token of a line at a position; blanks have no kind. */
export function token(line: string, from: number, state: State): { to: number; kind: Kind | null } {
  if (state.inComment || line.startsWith("/*", from)) {
    const end = line.indexOf("*/", state.inComment ? from : from + 2);
    state.inComment = end < 0;
    return { to: end < 0 ? line.length : end + 2, kind: "comment" };
  }
  if (line[from] === "$") return { to: line.length, kind: /^\$\s*picture:/.test(line.slice(from)) ? "picture" : "comment" };
  for (const [pattern, kind] of RULES) {
    pattern.lastIndex = from;
    const found = pattern.exec(line)?.[0];
    if (!found) continue;
    const to = from + found.length;
    if (kind === "statement") state.declaring = ["given", "find", "letting"].includes(found);
    else if (kind === "name" && state.declaring) return { to, kind: "declared" };
    else if (found !== ",") state.declaring = false;
    return { to, kind };
  }
  return { to: from + 1, kind: null };
}

/** All tokens of a text. */
export function* tokens(text: string): Generator<{ text: string; kind: Kind | null }> {
  const state = start();
  for (const [position, line] of text.split("\n").entries()) {
    if (position > 0) yield { text: "\n", kind: null };
    for (let from = 0; from < line.length;) {
      const { to, kind } = token(line, from, state);
      yield { text: line.slice(from, to), kind };
      from = to;
    }
  }
}
