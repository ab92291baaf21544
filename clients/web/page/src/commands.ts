// Commands of the documentation, as requests to the engine: `$ conjure-like solve farm.essence market.param`.

export interface Command {
  verb: string;
  model: string;
  data: string[];
  /** Lettings in the command itself. */
  lettings: string[];
  /** The solution files of the command, by the members of the request that they become. */
  files: { [member: string]: string };
  options: { [member: string]: string | number | boolean | string[] };
}

/** The words of a command, without their quotes. */
function words(command: string): string[] {
  return [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

/** `conjure-like eval -m MODEL -p PARAM -s SOLUTION EXPRESSION` */
function evaluation(words: string[]): Command | null {
  const made: Command = { verb: "evaluate", model: "", data: [], lettings: [], files: {}, options: {} };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const next = () => words[++at] ?? "";
    if (word === "-m") made.model = next();
    else if (word === "-p") made.data.push(next());
    else if (word === "-s") made.files.solution = next();
    else if (made.options.expression !== undefined || /^(--|[<|>])/.test(word)) return null;
    else made.options.expression = word;
  }
  return made.options.expression === undefined ? null : made;
}

/** `conjure-like compare MODEL REFERENCE PARAM…` */
function comparison(words: string[]): Command | null {
  const [model = "", reference = "", ...data] = words;
  if (!reference || words.some((word) => /^-|[<|>…]/.test(word))) return null;
  return { verb: "compare", model, data, lettings: [], files: { reference }, options: {} };
}

/** Parses a command; `null` if a page cannot run it. */
export function command(line: string): Command | null {
  const [program, verb = "", ...rest] = words(line);
  if (program === "conjure-like" && verb === "eval") return evaluation(rest);
  if (program === "conjure-like" && verb === "compare") return comparison(rest);
  if (program !== "conjure-like" || !["solve", "why", "hint", "search", "explore", "type-check"].includes(verb)) return null;
  const made: Command = { verb: verb === "type-check" ? "check" : verb, model: "", data: [], lettings: [], files: {}, options: {} };
  if (verb === "type-check") made.options.examine = true;
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? "";
    const [, name = "", joined] = /^(--[\w-]+|-D|-n|-o)(?:=(.*))?$/s.exec(word) ?? [];
    const value = () => joined ?? rest[++at] ?? "";
    if (!name) {
      if (word.startsWith("-") || /[|>…]/.test(word)) return null;
      if (made.model) made.data.push(word);
      else made.model = word;
    } else if (name === "-D") made.lettings.push(value());
    else if (name === "--number-of-solutions" || name === "-n") {
      const count = value();
      made.options.solutions = count === "all" ? "all" : Number(count);
    } else if (name === "--limit-time") made.options.limit = Number(value());
    else if (name === "--picture") made.options.picture = value();
    // Pictures are shown on the page, so the output file is ignored.
    else if (name === "-o") value();
    else if (name === "--all") made.options.all = true;
    else if (name === "--better") made.options.better = true;
    else if (name === "--trace") made.options.transcript = true;
    // The HTML page appears below the table.
    else if (name === "--html") made.options.page = value() !== "";
    else if (name === "--expect") made.files.expected = value();
    else if (name === "--partial") made.files.known = value();
    else if (name === "--forced") {
      made.verb = "forced";
      made.options.constraint = value();
    } else if (name === "--strategy") made.options.strategies = [value()];
    else if (name === "--compare") made.options.strategies = joined ? joined.split(",") : "compare";
    else return null;
  }
  return made.model ? made : null;
}
