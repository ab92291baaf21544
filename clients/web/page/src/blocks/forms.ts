// The building material of blocks: the operators of the engine's table, and the few forms that are not operators.

import type { OperatorAbout } from "../../../npm/src/protocol";
import { texts } from "../texts";
import type { Binding, Bindings, Sort } from "./shapes";

/** A block that can be added. */
export interface Form {
  /** A part of a model, with `_` for each missing part. */
  text: string;
  sort: Sort;
  says: string;
  family: string;
}

const { families } = texts.blocks;

const STATEMENTS = ["find x : int(1.._)", "find x : _", "such that\n    _", "given n : int(1.._)", "given n : _", "where\n    _", "letting n be _", "minimising _", "maximising _"];
const DOMAINS = ["int(1.._)", "int(_.._)", "bool", "matrix indexed by [_] of _", "matrix indexed by [_, _] of _", "set of _", "set (size _) of _", "function (total) _ --> _"];
const QUANTIFIED = [
  "forAll i : int(1.._) . _",
  "exists i : int(1.._) . _",
  "sum i : int(1.._) . _",
  "forAll i, j : int(1.._) . _",
  "forAll i : int(1.._), _ . _",
  "exists i : int(1.._), _ . _",
  "sum i : int(1.._), _ . _",
  "forAll i in _ . _",
  "[_ | i : int(1.._)]",
  "[_ | i : int(1.._), _]",
];
const LISTS = ["_[_]", "_[_, _]", "_[_, ..]", "_[.., _]", "[_, _]", "{_, _}", "_(_)", "(_, _)"];
const LITERALS = ["1", "true", "false"];

/** All forms; an operator with several signatures has one form. */
export function forms(operators: OperatorAbout[]): Form[] {
  const made: Form[] = [];
  const add = (list: string[], sort: Sort, family: string) => made.push(...list.map((text) => ({ text, sort, family, says: texts.blocks.says[text] ?? "" })));
  add(STATEMENTS, "statement", families.statements);
  add(LITERALS, "expression", families.literals);
  add(QUANTIFIED, "expression", families.quantified);
  add(LISTS, "expression", families.lists);
  add(DOMAINS, "domain", families.domains);
  for (const { form, sentence, family } of operators) {
    if (!made.some(({ text }) => text === form)) made.push({ text: form, sort: "expression", says: sentence, family });
  }
  return made;
}

export function bindings(operators: OperatorAbout[]): Bindings {
  const known = new Map<string, Binding>();
  for (const { word, form, precedence, associativity } of operators) {
    const operands = form.split("_").length - 1;
    if (precedence !== null) known.set(`${operands} ${word}`, { precedence, associativity: associativity as Binding["associativity"] });
  }
  return (word, operands) => known.get(`${operands} ${word}`) ?? null;
}

/** The operators with the same notation and the same types of operands and result. */
export function alternatives(operators: OperatorAbout[], word: string, operands: number): string[] {
  const kind = ({ form, word, signature }: OperatorAbout) => `${form.replace(word, "")} ${signature.replace(/ where .*/, "")}`;
  const isMeant = (one: OperatorAbout) => one.word === word && one.form.split("_").length - 1 === operands;
  const kinds = new Set(operators.filter(isMeant).map(kind));
  return [...new Set(operators.filter((one) => kinds.has(kind(one))).map((one) => one.word))];
}

const QUANTIFIERS = [["forAll", "exists"], ["sum", "product"]];

/** The quantifiers that can replace this one. */
export const alternativeWords = (word: string): string[] => QUANTIFIERS.find((words) => words.includes(word)) ?? [];
