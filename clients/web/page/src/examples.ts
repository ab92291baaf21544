// The models and instances that ship with the page.

import type { Text } from "../../npm/src/protocol";
import { DEFAULTS, type Work } from "./work";

export interface Example {
  name: string;
  title: string;
  about: string;
  model: string;
  instances: Text[];
  /** A picture of a solution, if one was drawn when the page was built. */
  svg?: string;
  /** The instance of the picture. */
  shown?: number;
}

export interface Group {
  title: string;
  examples: Example[];
}

let loaded: Promise<Group[]> | undefined;

export function examples(): Promise<Group[]> {
  loaded ??= fetch(new URL(EXAMPLES_FILE, import.meta.url)).then((response) => response.json() as Promise<Group[]>);
  loaded.catch(() => (loaded = undefined));
  return loaded;
}

/** Loads `futoshiki`, or `futoshiki/futoshiki-4` with that instance selected. */
export async function exampleWork(path: string): Promise<Work | null> {
  const [name, instance] = path.split("/");
  const found = (await examples()).flatMap((group) => group.examples).find((one) => one.name === name);
  if (!found) return null;
  const current = found.instances.findIndex((one) => one.name === `${instance}.param`);
  return workOf(found, current < 0 ? found.shown : current);
}

export function workOf(example: Example, current = example.shown ?? 0): Work {
  return { name: example.name, model: example.model, data: structuredClone(example.instances), current, settings: { ...DEFAULTS } };
}
