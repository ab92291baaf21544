// The domains of parameters as the engine's `form` describes them, and their values in one shape: scalars; arrays for
// tuples, sets, sequences, relations, parts and cycles; objects for records and variants; pairs of an argument and an
// image for functions; pairs of an index and an element for matrices, in the order of the indices. `null` is a missing
// value.

import type { Domain, Json } from "../../../npm/src/protocol";

export type { Domain, Form, Parameter, Requirement } from "../../../npm/src/protocol";

export type Scalar = string | number | boolean;

/** A grid with more rows or columns than this becomes a list of entries. */
const MOST_IN_GRID = 60;

export const isScalar = ({ kind }: Domain): boolean => kind === "bool" || kind === "int" || kind === "enum";

const part = (domain: Domain, at: number): Domain => domain.parts?.[at] ?? { kind: "int" };

export const isMap = ({ kind }: Domain): boolean => kind === "function" || kind === "matrix";

/** The values of a scalar domain, if they are known and at most `most`. */
export function listed(domain: Domain, most = MOST_IN_GRID): Scalar[] | null {
  if (domain.kind === "bool") return [false, true];
  if (domain.kind === "enum") return domain.members && domain.members.length <= most ? domain.members : null;
  if (domain.kind !== "int" || !domain.ranges) return null;
  const values: number[] = [];
  for (const [low, high] of domain.ranges) {
    // An open range has no list, and a long one is not worth building.
    if (low === null || high === null || high - low >= most) return null;
    for (let value = low; value <= high; value++) values.push(value);
  }
  return values.length <= most ? values : null;
}

/**
 * The component domains of the members of a domain, which are the columns of a table. Any other domain is one column.
 */
export function columns(domain: Domain, label = ""): { label: string; domain: Domain; path: (string | number)[] }[] {
  const named = (at: number) => domain.names?.[at] ?? (part(domain, at).name || (label ? `${label} ${at + 1}` : ""));
  if (domain.kind === "tuple" || domain.kind === "record" || domain.kind === "relation") {
    return (domain.parts ?? []).flatMap((inner, at) => {
      const key = domain.kind === "record" ? (domain.names?.[at] ?? at) : at;
      return columns(inner, named(at)).map((one) => ({ ...one, path: [key, ...one.path] }));
    });
  }
  return [{ label: domain.name ?? label, domain, path: [] }];
}

/** The domain of the members of a collection. */
export function memberOf(domain: Domain): Domain {
  if (domain.kind === "relation") return { kind: "tuple", parts: domain.parts ?? [] };
  if (isMap(domain)) return { kind: "tuple", parts: [part(domain, 0), part(domain, 1)] };
  if (domain.kind === "partition") return { kind: "set", parts: domain.parts ?? [] };
  if (domain.kind === "permutation") return { kind: "sequence", parts: domain.parts ?? [] };
  return part(domain, 0);
}

/** The domain of the part of a value at a position or in a field. */
function domainAt(domain: Domain, at: number | string): Domain {
  if (typeof at === "string") return part(domain, domain.names?.indexOf(at) ?? 0);
  return domain.kind === "tuple" ? part(domain, at) : memberOf(flattened(domain));
}

/** Applies `change` to each part of a value. */
function mapped(domain: Domain, value: Json, change: (domain: Domain, value: Json) => Json): Json {
  if (typeof value !== "object" || value === null || domain.kind === "type") return value;
  if (Array.isArray(value)) return value.map((one, at) => change(domainAt(domain, at), one));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(domainAt(domain, name), one)]));
}

/** The axes of a grid with a cell for each value of a domain: one or two lists. */
export function axes(domain: Domain): Scalar[][] | null {
  const parts = domain.kind === "tuple" ? (domain.parts ?? []) : [domain];
  if (domain.kind === "tuple" && parts.length !== 2) return null;
  const lists = parts.map((one) => listed(one));
  return lists.every((one) => one !== null && one.length > 0) ? (lists as Scalar[][]) : null;
}

/** Reads a matrix of matrices as a map from pairs, and a set of pairs as a relation. */
export function flattened(domain: Domain): Domain {
  const [index, element] = [part(domain, 0), part(domain, 1)];
  if (domain.kind === "matrix" && element.kind === "matrix" && isScalar(part(element, 1)))
    return { kind: "matrix", total: true, parts: [{ kind: "tuple", parts: [index, part(element, 0)] }, part(element, 1)] };
  return domain;
}

/** The scalar that a JSON key or string denotes. */
function scalar(domain: Domain, json: Json | undefined): Json {
  if (json === undefined || json === null) return null;
  if (domain.kind === "bool") return json === true || json === 1 || json === "true";
  if (domain.kind === "int") return (domain.unit ? /^-?\d+(\.\d+)?$/ : /^-?\d+(\.0)?$/).test(String(json)) ? Number(json) : null;
  return String(json);
}

/** Pairs of keys and values, from either shape of JSON. */
function entries(domain: Domain, json: Json): [Json, Json][] {
  const [from, to] = [part(domain, 0), part(domain, 1)];
  const image = (value: Json) => normal(to, value);
  if (domain.kind === "matrix") {
    const indices = listed(from, 10_000);
    if (Array.isArray(json)) return json.map((one, at) => [indices?.[at] ?? at + 1, image(one)]);
    const pairs = Object.entries(json ?? {}).map(([key, one]): [Json, Json] => [scalar(from, key), image(one)]);
    // Objects in JavaScript list the keys 0, 1, … first, whatever their order in the text.
    const position = (key: Json) => (typeof key === "number" ? key : (indices?.indexOf(key as Scalar) ?? 0));
    return pairs.sort(([one], [other]) => position(one) - position(other));
  }
  if (Array.isArray(json))
    return json.flatMap((one): [Json, Json][] => {
      if (!Array.isArray(one)) return [];
      // `["red", 1, 10]` is short for `[["red", 1], 10]`.
      const short = one.length > 2 && from.kind === "tuple";
      return short ? [[normal(from, one.slice(0, -1)), image(one.at(-1) ?? null)]] : [[normal(from, one[0] ?? null), image(one[1] ?? null)]];
    });
  if (from.kind !== "tuple") return Object.entries(json ?? {}).map(([key, one]) => [scalar(from, key), image(one)]);
  // A function from tuples may also be written as nested objects, one level for each component.
  const deep = (value: Json, keys: string[]): [Json, Json][] =>
    keys.length === (from.parts ?? []).length
      ? [[keys.map((key, at) => scalar(part(from, at), key)), image(value)]]
      : Object.entries(value ?? {}).flatMap(([key, one]) => deep(one as Json, [...keys, key]));
  return deep(json, []);
}

/** Converts a value to the shape that forms use. */
export function normal(domain: Domain, json: Json): Json {
  if (json === null || json === undefined) return null;
  switch (domain.kind) {
    case "type":
      return Array.isArray(json) ? json.map(String) : [];
    case "bool":
    case "int":
    case "enum":
      return scalar(domain, json);
    case "tuple":
      return (domain.parts ?? []).map((one, at) => normal(one, Array.isArray(json) ? (json[at] ?? null) : null));
    case "record":
      return Object.fromEntries(
        (domain.names ?? []).map((name, at) => [name, normal(part(domain, at), (json as { [key: string]: Json })[Array.isArray(json) ? at : name] ?? null)]),
      );
    case "variant": {
      const [tag, content] = Array.isArray(json) ? json : (Object.entries(json)[0] ?? []);
      return typeof tag === "string" && domain.names?.includes(tag) ? { [tag]: normal(domainAt(domain, tag), content ?? null) } : null;
    }
    case "matrix":
    case "function": {
      const flat = flattened(domain);
      if (flat === domain) return entries(domain, json) as Json;
      const rows = entries({ ...domain, parts: [part(domain, 0), part(domain, 1)] }, json) as [Json, [Json, Json][]][];
      return rows.flatMap(([row, cells]) => (cells ?? []).map(([column, value]) => [[row, column], value])) as Json;
    }
    case "relation":
      return relation(domain, json);
    case "set":
    case "mset":
    case "sequence":
    case "partition":
    case "permutation":
      return typeof json === "object" ? Object.values(json).map((one) => normal(memberOf(domain), one)) : null;
    default:
      return json;
  }
}

function relation(domain: Domain, json: Json): Json {
  const tuple = memberOf(domain);
  if (Array.isArray(json)) return json.map((one) => normal(tuple, one));
  return Object.entries(json ?? {}).flatMap(([key, others]) =>
    (Array.isArray(others) ? others : []).map((one) => normal(tuple, [key, ...(Array.isArray(one) ? one : [one])])),
  );
}

/** The number of decimals of a unit. */
function decimals(unit: string | null | undefined): number {
  return (unit?.split(".")[1] ?? "").length;
}

/** A number of steps of a unit, as users write it. */
function inUnit(steps: number, unit: string | null | undefined): string {
  return unit ? (steps * Number(unit)).toFixed(decimals(unit)) : String(steps);
}

/** A value of the engine, whose integers count steps of the unit, as users write it. */
export function scaled(domain: Domain, value: Json): Json {
  if (domain.kind === "int") return typeof value === "number" && domain.unit ? Number(inUnit(value, domain.unit)) : value;
  return mapped(domain, value, scaled);
}

/** The initial value of a form. */
export function empty(domain: Domain): Json {
  if (domain.kind === "bool") return false;
  if (domain.kind === "tuple") return (domain.parts ?? []).map(empty);
  if (domain.kind === "record") return Object.fromEntries((domain.names ?? []).map((name, at) => [name, empty(part(domain, at))]));
  return isScalar(domain) || domain.kind === "variant" ? null : [];
}

export const same = (one: Json, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The value with an entry for each argument that must have one, and without entries outside the domain. */
export function completed(domain: Domain, value: Json): Json {
  const flat = flattened(domain);
  if (!isMap(flat) || !Array.isArray(value)) return value;
  const [from, to] = [part(flat, 0), part(flat, 1)];
  const lists = axes(from);
  if (!lists) return value;
  const known = new Map((value as [Json, Json][]).map(([key, image]) => [JSON.stringify(key), image]));
  const [rows, across] = lists as [Scalar[], Scalar[] | undefined];
  const keys: Json[] = from.kind === "tuple" && across ? rows.flatMap((row) => across.map((column) => [row, column])) : rows;
  const isTotal = flat.kind === "matrix" || flat.total;
  // The elements of a new matrix are 0 if the domain allows it.
  const usual = to.kind === "int" && to.ranges?.some(([low, high]) => (low ?? 0) <= 0 && (high ?? 0) >= 0) ? 0 : empty(to);
  return keys.flatMap((key) => {
    const image = known.get(JSON.stringify(key));
    return image === undefined ? (isTotal ? [[key, flat.kind === "matrix" ? usual : empty(to)]] : []) : [[key, image]];
  }) as Json;
}

/** True if some part is missing. */
export function isMissing(domain: Domain, value: Json): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.some((one) => isMissing({ kind: "" }, one));
  return typeof value === "object" && Object.values(value).some((one) => isMissing(domain, one));
}

/** A JSON text, and the ranges of the parts of the value in it. */
export interface Written {
  text: string;
  places: { from: number; to: number; path: string }[];
}

/** Groups the entries of a matrix with two indices by the first index. */
function byRow<Entry>(entries: Entry[], keyOf: (entry: Entry) => Json): Entry[][] {
  const rows = new Map<string, Entry[]>();
  for (const one of entries) {
    const row = JSON.stringify((keyOf(one) as Json[])[0]);
    rows.set(row, [...(rows.get(row) ?? []), one]);
  }
  return [...rows.values()];
}

/** The parts of a value in order, with their domains and without the indices of a matrix. */
function parts(domain: Domain, value: Json[] | { [key: string]: Json }): [Domain, Json][] {
  if (!Array.isArray(value)) return Object.entries(value).map(([name, one]) => [domainAt(domain, name), one]);
  if (domain.kind !== "matrix") return value.map((one, at) => [domainAt(domain, at), one]);
  const entries = value as [Json, Json][];
  const inner = part(domain, 1);
  if (flattened(domain) === domain) return entries.map(([, one]) => [inner, one]);
  return byRow(entries, ([key]) => key).map((row) => [inner, row.map(([key, one]) => [(key as Json[])[1] ?? null, one])]);
}

/** Writes a value as JSON for the engine. The path of a part is the text of its keys, as `pathOf` makes it. */
export function write(name: string, domain: Domain, value: Json): Written {
  const places: Written["places"] = [];
  let text = `{${JSON.stringify(name)}: `;
  const list = (items: (() => void)[], [open, close]: [string, string]) => {
    text += open;
    for (const [at, item] of items.entries()) {
      if (at > 0) text += ", ";
      item();
    }
    text += close;
  };
  const put = (domain: Domain, inner: Json, path: string) => {
    const from = text.length;
    if (domain.kind === "matrix" && Array.isArray(inner)) {
      // Write the elements in the order of the indices, but keep their positions in the value for the paths.
      const flat = flattened(domain);
      const elements = (inner as [Json, Json][]).map(([key, element], at) => ({ key, write: () => put(part(flat, 1), element, pathOf(pathOf(path, at), 1)) }));
      const all = (some: typeof elements) => list(some.map(({ write }) => write), ["[", "]"]);
      if (flat === domain) all(elements);
      else list(byRow(elements, ({ key }) => key).map((row) => () => all(row)), ["[", "]"]);
    } else if (Array.isArray(inner))
      list(
        inner.map((one, at) => () => put(domainAt(domain, at), one, pathOf(path, at))),
        ["[", "]"],
      );
    else if (typeof inner === "object" && inner !== null)
      list(
        Object.entries(inner).map(([key, one]) => () => {
          text += `${JSON.stringify(key)}: `;
          put(domainAt(domain, key), one, pathOf(path, key));
        }),
        ["{", "}"],
      );
    else text += JSON.stringify(inner);
    places.push({ from, to: text.length, path });
  };
  put(domain, value, "");
  return { text: `${text}}`, places };
}

/** A name as Essence writes it, quoted if necessary. */
export const asName = (name: string): string => (/^[\p{L}_][\p{L}\p{N}_']*$/u.test(name) ? name : JSON.stringify(name));

/** The domain of an index as Essence writes it, if it is known. */
function asIndex(domain: Domain): string {
  if (domain.kind === "bool") return "bool";
  if (domain.kind === "enum") {
    const name = domain.name ? asName(domain.name) : "";
    return name && domain.partial ? `${name}(${(domain.members ?? []).map(asName).join(", ")})` : name;
  }
  const ranges = domain.ranges?.map(([low, high]) => (low === null || high === null ? "" : low === high ? String(low) : `${low}..${high}`));
  return ranges?.every(Boolean) ? `int(${ranges.join(", ")})` : "";
}

/**
 * A value as Essence writes it. Integers with a unit count its steps. Anything outside the domain stays as it was
 * typed.
 */
export function asEssence(domain: Domain, value: Json): string {
  // Rounding removes the error of the division; a real fraction stays, and the engine reports it.
  if (typeof value === "number") return String(domain.unit ? Math.round((value / Number(domain.unit)) * 1e6) / 1e6 : value);
  if (typeof value === "string") return domain.kind === "enum" ? asName(value) : value;
  if (typeof value !== "object" || value === null) return value === null ? "" : String(value);
  if (!Array.isArray(value)) {
    const fields = Object.entries(value).map(([name, one]) => `${asName(name)} = ${asEssence(part(domain, domain.names?.indexOf(name) ?? 0), one)}`);
    return `${domain.kind} {${fields.join(", ")}}`;
  }
  const list = parts(domain, value).map(([of, one]) => asEssence(of, one)).join(", ");
  switch (domain.kind) {
    case "tuple":
      // Parentheses around one value would not make a tuple.
      return value.length === 1 ? `tuple (${list})` : `(${list})`;
    case "matrix": {
      const index = asIndex(part(domain, 0));
      return index ? `[${list}; ${index}]` : `[${list}]`;
    }
    case "function":
      return `function(${(value as [Json, Json][]).map(([from, to]) => `${asEssence(part(domain, 0), from)} --> ${asEssence(part(domain, 1), to)}`).join(", ")})`;
    case "permutation":
      return `permutation(${(value as Json[][]).map((cycle) => `(${cycle.map((one) => asEssence(part(domain, 0), one)).join(", ")})`).join(", ")})`;
    case "set":
      return `{${list}}`;
    case "type":
      return `new type enum {${value.map((one) => asName(String(one))).join(", ")}}`;
    default:
      return `${domain.kind}(${list})`;
  }
}

/** A value in Conjure's JSON, where a matrix includes its indices. */
export function indexed(domain: Domain, value: Json): Json {
  if (domain.kind !== "matrix" || !Array.isArray(value)) return mapped(domain, value, indexed);
  const element = part(flattened(domain), 1);
  const all: { [key: string]: Json } = {};
  for (const [key, one] of value as [Json, Json][]) {
    const path = [key].flat().map(String);
    const last = path.pop() ?? "";
    const into = path.reduce((outer, index) => (outer[index] ??= {}) as typeof all, all);
    into[last] = indexed(element, one);
  }
  return all;
}

export const pathOf = (path: string, key: string | number): string => (path === "" ? String(key) : `${path}/${key}`);

/** The innermost part of a value around a range of the text. */
export function partAt({ places }: Written, from: number, to: number): string | undefined {
  const around = places.filter((one) => one.from <= from && to <= one.to);
  return around.sort((one, other) => one.to - one.from - (other.to - other.from))[0]?.path;
}

/** The value with the members of a type renamed. Parts that mention a removed member (`null`) are removed, too. */
export function renamed(domain: Domain, value: Json, type: string, name: (member: string) => string | null): Json | undefined {
  if (domain.kind === "enum") return domain.name === type && typeof value === "string" ? (name(value) ?? undefined) : value;
  if (typeof value !== "object" || value === null || domain.kind === "type") return value;
  const all = Object.entries(value).map(([key, one]): [string, Json | undefined] => [key, renamed(domainAt(domain, Array.isArray(value) ? Number(key) : key), one, type, name)]);
  const left = all.filter((entry): entry is [string, Json] => entry[1] !== undefined);
  if (Array.isArray(value) && domain.kind !== "tuple") return left.map(([, one]) => one);
  // A tuple, a record or a variant is removed with any of its parts.
  if (left.length < all.length) return undefined;
  return Array.isArray(value) ? left.map(([, one]) => one) : Object.fromEntries(left);
}

/** A nested value in one text field: `(1, 2), (1, 3)`. A variant is a pair of its tag and its value. */
export function compact(domain: Domain, value: Json, outer = true): string {
  if (value === null) return "";
  if (typeof value !== "object") return /[(){}[\],;"]/.test(String(value)) ? JSON.stringify(String(value)) : String(value);
  const tag = domain.kind === "variant" ? Object.keys(value).map((name) => compact({ kind: "enum" }, name)) : [];
  const inner = [...tag, ...parts(domain, value).map(([of, one]) => compact(of, one, false))].join(", ");
  return outer ? inner : `(${inner})`;
}

/** The value of such a text; `null` if it cannot be read. */
export function fromCompact(domain: Domain, text: string): Json {
  const parts = text.match(/[(){}[\],;]|"(?:\\.|[^"\\])*"|[^(){}[\],;"]+/g) ?? [];
  let at = 0;
  const sequence = (): Json[] => {
    const items: Json[] = [];
    for (; at < parts.length; at++) {
      const one = (parts[at] ?? "").trim();
      if ("({[".includes(one) && one) {
        at++;
        items.push(sequence());
      } else if (")}]".includes(one) && one) return items;
      else if (one && one !== "," && one !== ";") items.push(one.startsWith('"') ? (JSON.parse(one) as string) : one);
    }
    return items;
  };
  try {
    const items = sequence();
    return normal(domain, isScalar(domain) ? (items[0] ?? null) : items);
  } catch {
    return null;
  }
}

/** True if a text is a table from a spreadsheet: several rows with equally many tabs. */
export function isTable(text: string): boolean {
  const lines = text.replace(/\r?\n$/, "").split("\n");
  const tabs = (line: string) => line.split("\t").length - 1;
  const [first = ""] = lines;
  // Indented text has tabs, too, at the start of each line.
  return lines.length > 1 && tabs(first) > 0 && lines.every((line) => tabs(line) === tabs(first)) && !lines.every((line) => line.startsWith("\t"));
}

/** The rows of a text from a spreadsheet or a CSV file. */
export function rowsOf(text: string): string[][] {
  const line = text.split("\n")[0] ?? "";
  const separator = ["\t", ";", ","].find((one) => line.includes(one)) ?? "\t";
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  const end = () => {
    row.push(cell.trim());
    cell = "";
  };
  for (let at = 0; at < text.length; at++) {
    const one = text[at] as string;
    if (quoted) {
      // Two quotes inside a quoted cell mean one.
      if (one === '"' && text[at + 1] === '"') cell += text[++at];
      else if (one === '"') quoted = false;
      else cell += one;
    } else if (one === '"' && cell.trim() === "") quoted = true;
    else if (one === separator) end();
    else if (one === "\n") {
      end();
      rows.push(row);
      row = [];
    } else if (one !== "\r") cell += one;
  }
  if (cell || row.length > 0) {
    end();
    rows.push(row);
  }
  return rows.filter((cells) => cells.some(Boolean));
}

export const csv = (rows: Json[][]): string =>
  rows.map((row) => row.map((cell) => (/[",\n;]/.test(String(cell ?? "")) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell ?? ""))).join(",")).join("\n") + "\n";
