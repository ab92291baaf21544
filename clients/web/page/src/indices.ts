// The names of the indices of matrices. The JSON of a solution numbers the members of types; the texts of the model say which types they are.

const NAME = "[\\p{L}_][\\p{L}\\p{N}_']*";

/** A list at its outer commas. */
const parts = (list: string) =>
  list
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter(Boolean);

/** For each matrix that is to be found, the members of its index types; `null` for an index that is a number. */
export function indexMembers(texts: string[]): Map<string, (string[] | null)[]> {
  const text = texts.map((one) => one.replace(/\$.*$/gm, "").replace(/\/\*[^]*?\*\//g, " ")).join("\n");
  const members = new Map<string, string[]>();
  for (const [, name = "", list = ""] of text.matchAll(
    new RegExp(`letting\\s+(${NAME})\\s+be\\s+new\\s+type\\s+enum\\s*\\{([^}]*)\\}`, "gu"),
  )) {
    members.set(name, parts(list));
  }
  const aliases = new Map<string, string>();
  for (const [, name = "", of = ""] of text.matchAll(new RegExp(`letting\\s+(${NAME})\\s+be\\s+domain\\s+(${NAME})(?!\\s*\\()`, "gu"))) {
    aliases.set(name, of);
  }
  const resolve = (domain: string, depth = 0): string[] | null => {
    const of = aliases.get(domain);
    return members.get(domain) ?? (of && depth < 20 ? resolve(of, depth + 1) : null);
  };
  const found = new Map<string, (string[] | null)[]>();
  for (const [, names = "", domains = ""] of text.matchAll(/\bfind\s+([^:]+?)\s*:\s*matrix\s+indexed\s+by\s*\[([^\]]*)\]/gu)) {
    const types = parts(domains).map((domain) => resolve(domain));
    for (const name of parts(names)) found.set(name, types);
  }
  return found;
}
