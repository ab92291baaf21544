// The parts of a model as blocks show them. Each part keeps the characters of the text between its own parts, so that
// an unchanged model is written as it was read, and a change rewrites only the characters of the changed part. Parsing
// is left to the engine.

import type { TreePart, TreeResult } from "../../../npm/src/protocol";

export type Sort = "statement" | "expression" | "domain";

/** A slot inside a part: for another part, or for a name that the part declares. */
export interface Slot {
  sort: Sort | "declaration";
  /** True for an element of a list. */
  listed: boolean;
  /** The declared name. */
  name: string;
}

/** A part without its inner parts. */
export interface Shape {
  sort: Sort;
  kind: string;
  /** The keyword, operator symbol, name or number. */
  word: string;
  type: string;
  slots: Slot[];
  /** The characters before each slot, and after the last one. */
  glue: string[];
  /** The text before a statement or an element of a list of constraints: comments and the start of its line. */
  lead?: string;
  /**
   * For statements: the text after it on its line (`tail`), and the id of the statement before it when the text was
   * read (`after`).
   */
  tail?: string;
  after?: string;
  id?: string;
}

/** A part with its inner parts; `null` for a slot that declares a name or is empty. */
export interface Piece {
  shape: Shape;
  parts: (Piece | null)[];
}

/** A model: statements, and the text before and after them. */
export interface Pieces {
  head: string;
  statements: Piece[];
  foot: string;
}

/** The text of a missing expression or domain. */
export const HOLE = "_";

/** Statements that are lists of constraints, one on each line. */
export const hasLines = (shape: Shape): boolean => shape.sort === "statement" && (shape.word === "such that" || shape.word === "where");

const isMissing = (part: TreePart): boolean => part.kind === "hole" || (part.kind === "domain" && part.word === HOLE);

const sortOf = (part: TreePart): Slot["sort"] =>
  part.kind === "statement" || part.kind === "declaration" || part.kind === "domain" ? part.kind : "expression";

function piece(text: string, part: TreePart): Piece {
  const glue: string[] = [];
  let at = part.from;
  for (const { from, to } of part.parts) {
    glue.push(text.slice(at, from));
    at = to;
  }
  glue.push(text.slice(at, part.to));
  const slots = part.parts.map((one) => ({ sort: sortOf(one), listed: one.listed, name: one.kind === "declaration" ? text.slice(one.from, one.to) : "" }));
  const shape: Shape = { sort: sortOf(part) as Sort, kind: part.kind, word: part.word, type: part.of_type, slots, glue };
  const parts = part.parts.map((one) => (one.kind === "declaration" || isMissing(one) ? null : piece(text, one)));
  if (hasLines(shape)) for (const [at, one] of parts.entries()) if (one) one.shape.lead = commentsAbove(glue[at] ?? "");
  return { shape, parts };
}

/** The comment lines directly above a part. */
export function commentsAbove(before: string): string {
  const lines = before.split("\n").slice(0, -1).slice(1);
  const first = lines.findLastIndex((line) => !line.trim()) + 1;
  return lines.slice(first).join("\n");
}

/** True if there is text between the statements that the engine could not parse: blocks would lose it. */
export function hasUnread(text: string, { statements, comments }: TreeResult): boolean {
  let rest = "";
  let at = statements[0]?.from ?? 0;
  for (const { from, to } of [...comments.map(([from, to]) => ({ from, to })), ...statements].sort((a, b) => a.from - b.from)) {
    if (from > at) rest += text.slice(at, from);
    at = Math.max(at, to);
  }
  return /[^\s,]/.test(rest + text.slice(at));
}

/** Converts the engine's parse of a model. */
export function read(text: string, { statements }: TreeResult): Pieces {
  const made: Piece[] = [];
  let at = 0;
  let head = "";
  for (const part of statements) {
    const one = piece(text, part);
    const gap = text.slice(at, part.from);
    const previous = made.at(-1)?.shape;
    if (previous) {
      const end = /^[^\n]*/.exec(gap)?.[0].length ?? 0;
      previous.tail = gap.slice(0, end);
      one.shape.lead = gap.slice(end);
      if (previous.id) one.shape.after = previous.id;
    } else {
      // Comments directly above the first statement belong to it; those before a blank line belong to the model.
      const lines = gap.split("\n");
      const first = lines.findLastIndex((line, at) => at < lines.length - 1 && !/^\s*(\$|\/\*)/.test(line)) + 1;
      const end = lines.slice(0, first).join("\n").length + (first > 0 ? 1 : 0);
      head = gap.slice(0, end);
      one.shape.lead = gap.slice(end);
    }
    one.shape.id = `${made.length}:${part.word}`;
    made.push(one);
    at = part.to;
  }
  return { head: made.length > 0 ? head : text, statements: made, foot: made.length > 0 ? text.slice(at) : "" };
}

/** The text of comments without their marks. */
const plain = (comments: string): string =>
  comments
    .split("\n")
    .map((line) => line.replace(/^\s*(\$|\/\*)\s?/, "").replace(/\*\/\s*$/, "").trim())
    .filter(Boolean)
    .join(" ");

/** The characters between parts as a block shows them. */
export function label(glue: string): { text: string; comment: string; breaks: boolean } {
  const comments = glue.match(/\$[^\n]*|\/\*[\s\S]*?\*\//g) ?? [];
  const rest = glue.replace(/\$[^\n]*|\/\*[\s\S]*?\*\//g, " ");
  return { text: rest.replace(/\s+/g, " ").trim(), comment: comments.map(plain).join(" "), breaks: rest.includes("\n") };
}

// ---- Writing ----

/** Precedence and associativity of an operator, from the table of operators. */
export interface Binding {
  precedence: number;
  associativity: "left" | "right" | "none" | null;
}
export type Bindings = (word: string, operands: number) => Binding | null;

const hasParentheses = ({ glue, word }: Shape): boolean => word !== "tuple" && !!glue[0]?.startsWith("(") && !!glue.at(-1)?.endsWith(")");

/** True if a part needs parentheses in a slot of another one. */
export function needsParentheses(outer: Shape, at: number, inner: Shape, bindings: Bindings): boolean {
  if (inner.sort !== "expression" || hasParentheses(inner)) return false;
  const within = inner.kind === "operator" ? bindings(inner.word, inner.slots.length) : null;
  const isOpen = inner.kind === "quantified" || within !== null;
  const [before = "", after = ""] = [outer.glue[at], outer.glue[at + 1]];
  if (!isOpen || (/[([]\s*$/.test(before) && /^\s*[)\]]/.test(after))) return false;
  // `m[i]` and `f(x)` bind tighter than any operator.
  if (outer.sort === "expression" && at === 0 && /^\s*[[(]/.test(after) && !before.trim()) return true;
  const around = outer.kind === "operator" ? bindings(outer.word, outer.slots.length) : null;
  if (!around) return false;
  if (!within) return true;
  const side = outer.slots.length === 1 ? "only" : at === 0 ? "left" : "right";
  // Of equal precedence, only the operand on the side of the associativity needs none.
  if (within.precedence !== around.precedence) return within.precedence < around.precedence;
  return side !== around.associativity;
}

/** The written text, with its slots. */
export interface Written {
  text: string;
  /** For each slot of each part: the part, the position of the slot, and its range in the text. */
  slots: { piece: Piece; at: number; from: number; to: number; wrapped: boolean }[];
}

/** Writes a part. The ranges of its slots are counted from `start`. */
export function write(one: Piece, bindings: Bindings, start = 0): Written {
  const { shape, parts } = one;
  const slots: Written["slots"] = [];
  let text = shape.glue[0] ?? "";
  for (const [at, slot] of shape.slots.entries()) {
    const from = start + text.length;
    const inner = parts[at];
    let wrapped = false;
    if (slot.sort === "declaration") text += slot.name;
    else if (!inner) text += HOLE;
    else {
      wrapped = needsParentheses(shape, at, inner.shape, bindings);
      const written = write(inner, bindings, from + (wrapped ? 1 : 0));
      text += wrapped ? `(${written.text})` : written.text;
      slots.push(...written.slots);
    }
    if (slot.sort !== "declaration") slots.push({ piece: one, at, from, to: start + text.length, wrapped });
    text += shape.glue[at + 1] ?? "";
  }
  return { text, slots };
}

/** True if a statement shares the keyword of the one before it: `given a : int, b : int`. */
const sharesKeyword = ({ glue, word }: Shape): boolean => ["given", "find", "letting"].includes(word) && !glue[0]?.startsWith(word);

/** Writes a model. The text between two statements is kept if they still follow each other. */
export function writeModel({ head, statements, foot }: Pieces, bindings: Bindings): Written {
  let text = head;
  const slots: Written["slots"] = [];
  for (const [at, one] of statements.entries()) {
    const { shape } = one;
    const [previous, next] = [statements[at - 1]?.shape, statements[at + 1]?.shape];
    const isAsRead = previous ? previous.id !== undefined && shape.after === previous.id : shape.after === undefined && shape.id !== undefined;
    let before = shape.lead ?? "";
    let alone = one;
    // The statement has a new predecessor, so the blank lines before it and a shared keyword no longer fit.
    if (!isAsRead) {
      before = before.replace(/^\n+/, "");
      if (previous) before = `\n${before}`;
      if (sharesKeyword(shape)) alone = { shape: { ...shape, glue: [`${shape.word} ${shape.glue[0]}`, ...shape.glue.slice(1)] }, parts: one.parts };
    }
    text += before;
    const written = write(alone, bindings, text.length);
    slots.push(...written.slots.map((slot) => (slot.piece === alone ? { ...slot, piece: one } : slot)));
    const isFollowed = next?.id !== undefined && next.after === shape.id;
    const tail = shape.tail ?? "";
    text += written.text.replace(/,\s*$/, isFollowed || next ? "$&" : "") + (isFollowed ? tail : tail.replace(/^\s*,\s*/, ""));
  }
  return { text: text + (foot || (statements.length > 0 ? "\n" : "")), slots };
}

/**
 * The model after a change. A comment that stood alone, before a blank line, above a removed statement moves to the
 * next one: it may introduce that, too.
 */
export function withLooseComments(before: Pieces, after: Pieces): Pieces {
  const kept = new Set(after.statements.map(({ shape }) => shape.id));
  let loose = "";
  const moved = new Map<string | undefined, string>();
  for (const { shape } of before.statements) {
    if (kept.has(shape.id)) {
      moved.set(shape.id, loose);
      loose = "";
    } else {
      const [lead = ""] = [shape.lead];
      const end = lead.lastIndexOf("\n\n");
      if (end > 0 && lead.slice(0, end).trim()) loose += `${lead.slice(0, end).replace(/^\n+/, "")}\n\n`;
    }
  }
  const statements = after.statements.map((one) => {
    const text = moved.get(one.shape.id);
    return text ? { ...one, shape: { ...one.shape, lead: `\n\n${text}${one.shape.lead?.replace(/^\n+/, "") ?? ""}` } } : one;
  });
  return { ...after, statements, foot: loose ? `\n\n${loose.trimEnd()}\n${after.foot.replace(/^\n+/, "")}` : after.foot };
}

// ---- Lists ----

/** Splits a text at the end of its first line. */
function atLineEnd(text: string): [string, string] {
  const end = text.indexOf("\n");
  return end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end)];
}

const withoutComma = (text: string): string => text.replace(/^([^$,]*),/, "$1");

/** Removes an element from its list, with the comments directly above it. */
export function removeElement(one: Piece, at: number): Piece {
  const { shape, parts } = one;
  const [before = "", behind = ""] = [shape.glue[at], shape.glue[at + 1]];
  const isLast = !shape.slots[at + 1]?.listed;
  const isFirst = !shape.slots[at - 1]?.listed;
  const [kept] = atLineEnd(before);
  let joined: string;
  if (isLast) joined = (isFirst ? before.replace(/\s+$/, "") : withoutComma(kept)) + (hasLines(shape) ? withoutComma(behind) : behind);
  else joined = hasLines(shape) ? kept + (atLineEnd(behind)[1] || " ") : isFirst ? before : kept + atLineEnd(behind)[1];
  const glue = [...shape.glue.slice(0, at), joined, ...shape.glue.slice(at + 2)];
  return { shape: { ...shape, slots: shape.slots.filter((_, position) => position !== at), glue }, parts: parts.filter((_, position) => position !== at) };
}

/** Appends an element to a list. */
export function addElement(one: Piece, inner: Piece | null): Piece {
  const { shape, parts } = one;
  const last = shape.slots.findLastIndex(({ listed }) => listed);
  const slot: Slot = { ...(shape.slots[last] ?? { sort: "expression", listed: true }), name: "" };
  const glue = [...shape.glue];
  let between = ", ";
  if (hasLines(shape)) {
    const breaks = [...shape.glue].reverse().find((text) => text.includes("\n"));
    const line = `\n${/[^\n]*$/.exec(breaks ?? "")?.[0].replace(/\S.*/, "") || "    "}`;
    const lead = inner?.shape.lead ? `${line}${inner.shape.lead.trim().replace(/\n\s*/g, line)}` : "";
    between = `${last < 0 ? "" : ","}${lead}${line}`;
    if (last < 0) glue.splice(0, 1, (glue[0] ?? "").replace(/\s+$/, ""), "");
  }
  // A comma and a comment may follow the last element on its line.
  const behind = glue[last + 1] ?? "";
  if (hasLines(shape) && last >= 0) {
    const comment = /\$[^\n]*/.exec(atLineEnd(behind)[0])?.[0];
    glue.splice(last + 1, 1, comment ? `, ${comment}${between.slice(1)}` : between, "");
  } else if (hasLines(shape)) glue.splice(0, 2, (glue[0] ?? "") + between, "");
  else glue.splice(last + 1, 1, between, behind);
  return {
    shape: { ...shape, slots: [...shape.slots.slice(0, last + 1), slot, ...shape.slots.slice(last + 1)], glue },
    parts: [...parts.slice(0, last + 1), inner, ...parts.slice(last + 1)],
  };
}
