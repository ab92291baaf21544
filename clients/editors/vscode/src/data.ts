// Data as on the command line: parameter files, and tables that give a parameter its value, as in `cost=costs.csv`.

import * as vscode from "vscode";

/** The extensions of data files. */
const DATA = "param,essence-param,eprime-param,json,jsonl,csv,tsv,xlsx,xls,xlsb,ods,sqlite,sqlite3,db";

/** The words of a line, separated by blanks; a word with blanks is quoted. */
const wordsOf = (line: string): string[] => [...line.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([word]) => word.replaceAll('"', ""));

const quoted = (word: string): string => (/\s/.test(word) ? `"${word}"` : word);

/** The path from a folder to a file. */
function relative(folder: vscode.Uri, file: vscode.Uri): string {
  const [from, to] = [folder, file].map(({ path }) => path.split("/").filter(Boolean)) as [string[], string[]];
  let same = 0;
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++;
  return [...from.slice(same).map(() => ".."), ...to.slice(same)].join("/");
}

/** The parameters that a model declares with `given`. */
function parametersOf(model: string): string[] {
  const text = model.replace(/\$.*|\/\*[^]*?\*\//g, "");
  const lists = text.matchAll(/(?<![\w'])given\s+([\p{L}_][\p{L}\p{N}_']*(?:\s*,\s*[\p{L}_][\p{L}\p{N}_']*)*)/gu);
  return [...lists].flatMap(([, names]) => (names as string).split(",").map((name) => name.trim()));
}

/** The path of the file in a word, without the parameter before it and the sheet or columns after it. */
export const fileIn = (word: string): string => word.replace(/^[^=]*=/, "").replace(/(?<=.)[#:].*$/, "");

/** Asks for the data of a model: first for files, then for the parameter of each table. */
export async function askForData(model: vscode.TextDocument, before: string[]): Promise<string[] | undefined> {
  const folder = vscode.Uri.joinPath(model.uri, "..");
  const files = (await vscode.workspace.findFiles(`**/*.{${DATA}}`, "**/node_modules/**", 5000)).map((uri) => relative(folder, uri));
  const isNamed = (file: string) => before.some((word) => word === file || fileIn(word) === file);
  const items = files.sort((a, b) => a.split("/").length - b.split("/").length || a.localeCompare(b)).map((label) => ({ label, picked: isNamed(label) }));
  const title = "The files with the data";
  const picked = items.length > 0 ? await vscode.window.showQuickPick(items, { title, canPickMany: true, matchOnDescription: true }) : [];
  if (picked === undefined) return undefined;
  const parameters = parametersOf(model.getText());
  const kept = before.filter((word) => picked.some(({ label }) => word.includes(label)));
  const added = picked.filter(({ label }) => !isNamed(label)).flatMap(({ label }) => wordsFor(label, parameters));
  const line = await vscode.window.showInputBox({
    title: "The data, as on the command line",
    prompt: `PARAMETER=FILE for a table, PARAMETER=FILE#SHEET for a workbook, :COLUMN,… to choose columns. Parameters: ${parameters.join(", ")}.`,
    value: [...kept, ...added].map(quoted).join(" "),
    ignoreFocusOut: true,
  });
  return line === undefined ? undefined : wordsOf(line);
}

/** The likely words for a file: the parameter with the name of the file, or the only parameter. */
function wordsFor(file: string, parameters: string[]): string[] {
  const stem = (/[^/]*$/.exec(file)?.[0] ?? file).replace(/(?<=.)\.[^.]*$/, "");
  const isText = /param$|\.json$/.test(file);
  const [first = "PARAMETER", second] = parameters;
  if (parameters.includes(stem)) return [`${stem}=${file}`];
  if (isText) return [file];
  return [`${second === undefined ? first : "PARAMETER"}=${file}`];
}
