// The data that the program puts into its pages: JSON and drawings (src/page.rs).

import { onThemeAround } from "../around";

/** The look of a value in a slot: a text, a colour, or a sign that its part has the value of the slot. */
export type Mark = "text" | "tone" | "dot" | "queen" | "fill";
export type Rectangle = [x: number, y: number, width: number, height: number];
/** A place in the picture of the model: its part, and the value that it is compared with. */
export type Slot<Part, Value> = [of: Part, value: Value | null, mark: Mark, place: Rectangle, label: string];

/** The data of the page of `search`. A slot shows a variable, or a text that is known before the search. */
export interface SearchData {
  title: string;
  command: string;
  variables: [name: string, values: string[], paints?: [fill: string, ink: string][]][];
  constraints: [text: string, scope: number[]][];
  objective: { sense: "minimising" | "maximising"; text: string } | null;
  boxes: Slot<number | string, string>[];
  queen: string;
  points: [x: number, y: number][] | null;
  runs: SearchRun[];
}

export interface SearchRun {
  strategy: string;
  verdict: string;
  checks: number;
  truncated: boolean;
  events: SearchEvent[];
  checksBefore: number[];
  bounds: [step: number, bound: string][];
}

/**
 * `a`ssign a value to a variable and `u`ndo it, `p`rune a value of a variable for a constraint, a `v`iolated constraint,
 * a `w`iped-out variable, `n`o better solution, a `s`olution. Values are positions among the values of the variable.
 */
export type SearchEvent = [kind: "a" | "u" | "p" | "v" | "w" | "n" | "s", ...numbers: number[]];

/**
 * The data of the page of `explore`. A slot shows a cell, and represents one of its options or the option that it has.
 */
export interface ExploreData {
  title: string;
  extent: "all" | "sample" | "first";
  found: number;
  here: number;
  estimate: [solutions: number, factor: number, confidence: number] | null;
  cells: [name: string, options: [shown: string, is: string, possible: 0 | 1 | 2][]][];
  /** For each cell, a string with one letter for each solution: `A` for the first option. */
  columns: string[];
  boxes: Slot<number, number>[];
  queen: string;
  different: number[];
  classes: [first: number, size: number][] | null;
  classCount: number | null;
  symmetries: number;
}

/**
 * The data of the page of `campaign report`. The time of a run is negative without an answer, and `null` without a
 * result.
 */
export interface CampaignData {
  title: string;
  summary: string;
  limit: number;
  settings: string[];
  contradictions: string[];
  cubes: string[];
  rows: { [column: string]: string | number | null }[];
  curves: { setting: string; points: [count: number, time: number][] }[];
  runs: [name: string, ...times: (number | null)[]][];
}

export const dataOf = <Data>(): Data => JSON.parse(document.querySelector("#data")?.textContent ?? "") as Data;

/** A copy of a drawing of the program; `null` if the page has none of this name. */
export function drawing(name: string | number): SVGSVGElement | null {
  const drawings = document.querySelector<HTMLTemplateElement>("#drawings")?.content;
  const found = drawings?.querySelector<SVGSVGElement>(`[data-name="${name}"] > svg`);
  return found ? document.importNode(found, true) : null;
}

onThemeAround((theme) => (document.documentElement.dataset.theme = theme));
