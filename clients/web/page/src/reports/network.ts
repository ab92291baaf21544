// The variables and constraints of a search.

import { dataOf, type SearchData } from "./data";

export const data = dataOf<SearchData>();
export const nameOf = (variable: number): string => data.variables[variable][0];
export const valuesOf = (variable: number): string[] => data.variables[variable][1];
export const equation = (variable: number, position: number): string => `${nameOf(variable)} = ${valuesOf(variable)[position]}`;
export const clipped = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** A short list of the remaining values of a variable. */
export function summary(variable: number, has: (variable: number, position: number) => boolean): string {
  const values = valuesOf(variable).filter((_, position) => has(variable, position));
  if (values.length === 0) return "none";
  return values.length <= 3 ? values.join(", ") : `${values[0]} … ${values.at(-1)} (${values.length})`;
}

/** Describes values that are removed together. */
export function removals(pairs: [variable: number, position: number][]): string {
  const distinct = (words: string[]) => {
    const all = [...new Set(words)];
    return { all, listed: all.length > 12 ? `${all.slice(0, 12).join(", ")} …` : all.join(", ") };
  };
  const variables = distinct(pairs.map(([variable]) => nameOf(variable)));
  const values = distinct(pairs.map(([variable, position]) => valuesOf(variable)[position]));
  if (variables.all.length === 1 || values.all.length === 1) return `${variables.listed} cannot be ${values.listed}`;
  return `${pairs.length} values are removed from ${variables.listed}`;
}
