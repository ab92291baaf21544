// What the comments of a model say about the page of its app.

import type { Form } from "./domains";
import { label } from "./words";

export interface Directives {
  title: string | undefined;
  nameOf(name: string): string;
  /** Whether a parameter or a decision variable is not shown. */
  isHidden(name: string): boolean;
}

export function directives({ directives }: Form): Directives {
  const [names, hidden] = [new Map<string, string>(), new Set<string>()];
  let title: string | undefined;
  for (const one of directives) {
    const [, verb = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(one) ?? [];
    if (verb === "hide") for (const name of rest.split(/\s*,\s*/)) hidden.add(name);
    const [, name, text] = /^(\S+) as (.+)$/.exec(rest) ?? [];
    if (verb === "label" && name && text) names.set(name, text.replace(/^"(.*)"$/, "$1"));
    if (verb === "title") title = rest;
  }
  return { title, nameOf: (name) => names.get(name) ?? label(name), isHidden: (name) => hidden.has(name) };
}
