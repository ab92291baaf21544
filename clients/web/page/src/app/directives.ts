// What the comments of a model say about the page of its app.

import type { Form } from "./domains";
import { label } from "./words";

export interface Directives {
  title: string | undefined;
  nameOf(name: string): string;
  /** Whether a parameter or a decision variable is not shown. */
  isHidden(name: string): boolean;
  /** Whether people see the value of a parameter and cannot change it. */
  isFixed(name: string): boolean;
  /** The heading above a parameter and its neighbours. */
  groupOf(name: string | undefined): string | undefined;
  /** Parameters and variables stand in the order of these numbers. */
  placeOf(name: string): number;
  /** What stands for texts of the model in this language. */
  texts: Map<string, string>;
}

/** `in de title …` is about pages in German. */
const IN_LANGUAGE = /^in\s+([a-z]{2})\s+(.*)$/;

/** The languages that a model has texts in. */
export const languagesOf = ({ directives }: Pick<Form, "directives">): string[] => [...new Set(directives.flatMap((one) => IN_LANGUAGE.exec(one)?.[1] ?? []))];

export function directives({ directives }: Pick<Form, "directives">, language = ""): Directives {
  const [names, groups, texts] = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()];
  const [hidden, fixed] = [new Set<string>(), new Set<string>()];
  const order: string[] = [];
  let title: string | undefined;
  const listed = (text: string) => text.split(/\s*,\s*/);
  const own = directives.flatMap((one) => {
    const [, of, inside] = IN_LANGUAGE.exec(one) ?? [];
    return of === language ? [inside ?? ""] : [];
  });
  for (const one of [...directives, ...own]) {
    const [, verb = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(one) ?? [];
    const [, before = "", text = ""] = /^"(.+)" as "(.+)"$/.exec(rest) ?? /^(.+?) as "?(.+?)"?$/.exec(rest) ?? [];
    if (verb === "hide") for (const name of listed(rest)) hidden.add(name);
    if (verb === "fix") for (const name of listed(rest)) fixed.add(name);
    if (verb === "order") order.push(...listed(rest));
    if (verb === "title") title = rest;
    if (!text) continue;
    if (verb === "label") names.set(before, text);
    if (verb === "group") for (const name of listed(before)) groups.set(name, text);
    if (verb === "say") texts.set(before, text);
  }
  return {
    title,
    nameOf: (name) => names.get(name) ?? label(name),
    isHidden: (name) => hidden.has(name),
    isFixed: (name) => fixed.has(name),
    groupOf: (name) => (name === undefined ? undefined : groups.get(name)),
    placeOf: (name) => (order.includes(name) ? order.indexOf(name) : order.length),
    texts,
  };
}

/** What is true as long as the model is not known. */
export const NONE = directives({ directives: [] });
