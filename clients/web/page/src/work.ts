// The user's work: a model, instances and settings. Links, files, the history and the examples contain it.

import type { Place, Request, Text } from "../../npm/src/protocol";

export interface Settings {
  /** The number of solutions, or `all`. */
  solutions: string;
  /** Seconds after which a run ends; 0 for no limit. */
  limit: number;
  seed: number | null;
  /** The step of the course; words that are introduced later get a warning. Null for the whole language. */
  level: number | null;
}

export interface Work {
  name: string;
  model: string;
  data: Text[];
  /** The instance that is visible and solved. */
  current: number;
  settings: Settings;
  /** The set values in *Play*, as constraints; absent if there are none. */
  set?: string[];
}

export const DEFAULTS: Settings = { solutions: "1", limit: 30, seed: null, level: null };

/** The work on a first visit. */
export const FIRST: Work = {
  name: "queens",
  model: `$ Put n queens on a board of n by n squares so that none attacks another.
given n : int(1..)

$ picture: queen as chessboard
find queen : matrix indexed by [int(1..n)] of int(1..n)

such that
    allDiff(queen),
    allDiff([queen[row] - row | row : int(1..n)]),
    allDiff([queen[row] + row | row : int(1..n)])
`,
  data: [{ name: "8.param", text: "letting n be 8\n" }],
  current: 0,
  settings: { ...DEFAULTS },
};

const MOST_CHARACTERS = 2_000_000;
const MOST_INSTANCES = 100;
const MOST_SET = 5000;

/** A name that is safe as a file name. */
export function fileName(name: string): string {
  return (
    name
      .replace(/[^\p{L}\p{N}_.-]+/gu, "-")
      .replace(/^[-.]+|-+$/g, "")
      .slice(0, 80) || "model"
  );
}

export const modelName = (work: Work) => `${fileName(work.name)}.essence`;

/** Validates a value from outside; `null` if it is not a work. */
export function asWork(value: unknown): Work | null {
  if (typeof value !== "object" || value === null) return null;
  const { name, model, data, current, settings, set: played } = value as Record<string, unknown>;
  if (typeof model !== "string" || model.length > MOST_CHARACTERS) return null;
  const given: Text[] = [];
  for (const one of Array.isArray(data) ? data.slice(0, MOST_INSTANCES) : []) {
    if (typeof one?.name !== "string" || typeof one?.text !== "string" || one.text.length > MOST_CHARACTERS) return null;
    given.push({ name: freeName(fileName(one.name), given), text: one.text });
  }
  const set = (typeof settings === "object" && settings !== null ? settings : {}) as Record<string, unknown>;
  const values = (Array.isArray(played) ? played.slice(0, MOST_SET) : []).filter((one) => typeof one === "string");
  const limit = Number(set.limit ?? DEFAULTS.limit);
  return {
    name: typeof name === "string" ? name.slice(0, 200) : "",
    model,
    data: given,
    current: Math.max(0, Math.min(Number.isInteger(current) ? (current as number) : 0, given.length - 1)),
    settings: {
      solutions: /^(\d{1,6}|all)$/.test(String(set.solutions)) ? String(set.solutions) : DEFAULTS.solutions,
      limit: Number.isFinite(limit) && limit >= 0 ? limit : DEFAULTS.limit,
      seed: Number.isSafeInteger(set.seed) ? (set.seed as number) : null,
      level: Number.isInteger(set.level) && (set.level as number) > 0 ? (set.level as number) : null,
    },
    ...(values.length > 0 ? { set: values } : {}),
  };
}

/** A name that none of the texts has. */
export function freeName(name: string, taken: { name: string }[]): string {
  if (!taken.some((one) => one.name === name)) return name;
  const [, stem = name, ending = ""] = /^(.*?)(?:-\d+)?(\.[^.]*)?$/.exec(name) ?? [];
  for (let number = 2; ; number++) {
    const tried = `${stem}-${number}${ending}`;
    if (!taken.some((one) => one.name === tried)) return tried;
  }
}

/** A request about the model and the current instance. */
export function requestOf(work: Work, verb: string): Request {
  const instance = work.data[work.current];
  const data =
    instance && instance.text.trim()
      ? [{ ...instance, name: instance.name === modelName(work) ? `data-${instance.name}` : instance.name }]
      : [];
  return { verb, model: { name: modelName(work), text: work.model }, data };
}

/** The place of a line in the model or the data; `null` if the file is not there. */
export function placeOfLine(work: Work, file: string, line: number): Place | null {
  const text = file === modelName(work) ? work.model : work.data.find(({ name }) => name === file)?.text;
  const lines = text?.split("\n") ?? [];
  const shown = lines[line - 1];
  if (shown === undefined) return null;
  const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + shown.length - shown.trimStart().length;
  const to = from + shown.trim().length;
  return { file, from, to, line, column: 1, end_line: line, end_column: shown.length + 1 };
}

export const sameTexts = (one: Work, other: Work) => one.model === other.model && JSON.stringify(one.data) === JSON.stringify(other.data);
