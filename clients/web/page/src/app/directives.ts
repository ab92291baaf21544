// The directives for the page of an app, in the comments of a model.

import type { Form } from "./domains";
import type { Wanted, WantedAxis } from "./layout";
import { label } from "./words";

export interface Directives {
  title: string | undefined;
  nameOf(name: string): string;
  /** True if a parameter or a decision variable is hidden. */
  isHidden(name: string): boolean;
  /** True if a parameter is shown and cannot be changed. */
  isFixed(name: string): boolean;
  /** True if the numbers of a parameter or a decision variable are minutes after midnight. */
  isClock(name: string): boolean;
  /** The wanted layout of a decision variable's table. */
  tableOf(name: string): Wanted;
  /** The heading above a parameter or a decision variable and its neighbours. */
  groupOf(name: string | undefined): string | undefined;
  /** Parameters and variables are sorted by these numbers. */
  placeOf(name: string): number;
  /** Translations of the model's texts into this language. */
  texts: Map<string, string>;
}

/** `person by name` as an axis with the order of its labels. */
function axisOf(text: string): WantedAxis {
  const [, name = text, order] = /^(.*?)\s+(by name|reversed)$/.exec(text) ?? [];
  return { name, order: order as WantedAxis["order"] };
}

/** `in de title …` applies to German pages. */
const IN_LANGUAGE = /^in\s+([a-z]{2})\s+(.*)$/;

/** The languages that a model has texts in. */
export const languagesOf = ({ directives }: Pick<Form, "directives">): string[] => [...new Set(directives.flatMap((one) => IN_LANGUAGE.exec(one)?.[1] ?? []))];

export function directives({ directives }: Pick<Form, "directives">, language = ""): Directives {
  const [names, groups, texts] = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()];
  const [hidden, fixed, clocks] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const tables = new Map<string, Wanted>();
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
    if (verb === "clock") for (const name of listed(rest)) clocks.add(name);
    const [, coloured = "", colour = ""] = (verb === "colour" && /^(.+?) by (.+)$/.exec(rest)) || [];
    if (colour) tables.set(coloured, { ...tables.get(coloured), colour });
    if (verb === "order") order.push(...listed(rest));
    if (verb === "title") title = rest;
    if (!text) continue;
    if (verb === "label") names.set(before, text);
    if (verb === "group") for (const name of listed(before)) groups.set(name, text);
    if (verb === "view") tables.set(before, { ...tables.get(before), view: text === "list" ? "list" : "table" });
    if (verb === "axes") tables.set(before, { ...tables.get(before), axes: listed(text).map(axisOf) });
    if (verb === "say") texts.set(before, text);
  }
  return {
    title,
    nameOf: (name) => names.get(name) ?? label(name),
    isHidden: (name) => hidden.has(name),
    isFixed: (name) => fixed.has(name),
    isClock: (name) => clocks.has(name),
    tableOf: (name) => tables.get(name) ?? {},
    groupOf: (name) => (name === undefined ? undefined : groups.get(name)),
    placeOf: (name) => (order.includes(name) ? order.indexOf(name) : order.length),
    texts,
  };
}

/** The defaults until the model is known. */
export const NONE = directives({ directives: [] });
