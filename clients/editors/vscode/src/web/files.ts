// Answers the language server's questions about files. Tables are read as in the program (cli/inputs/table.rs,
// cli/inputs/sheets.rs).

import * as vscode from "vscode";
import { sheetOf, tablesIn } from "../../../../web/page/src/workbook";
import type { Text } from "../../../../web/npm/src/protocol";

/** A question of the server about files, given by URI (src/language_server/files.rs). */
export type FileQuestion = { folder: string } | { text: string } | { data: { model: string; word: string } };

/** The answer to a question. */
export async function answerAbout(question: FileQuestion): Promise<object> {
  if ("folder" in question) return { folder: await filesIn(vscode.Uri.parse(`${question.folder}/`)) };
  if ("text" in question) return { text: await textIn(vscode.Uri.parse(question.text)) };
  return { data: await tableFor(vscode.Uri.parse(question.data.model), question.data.word) };
}

async function filesIn(folder: vscode.Uri): Promise<string[]> {
  const entries = await vscode.workspace.fs.readDirectory(folder).then((all) => all, () => []);
  return entries.map(([name]) => vscode.Uri.joinPath(folder, name).toString());
}

async function textIn(file: vscode.Uri): Promise<string | null> {
  return vscode.workspace.fs.readFile(file).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => null,
  );
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => type !== vscode.FileType.Directory,
    () => false,
  );
}

/**
 * The table that a word such as `cost=costs.xlsx#May:item,price` means. Its file is relative to the folder of the
 * model.
 */
async function tableFor(model: vscode.Uri, word: string): Promise<object> {
  const [, parameter = "", rest = ""] = /^([^=]*)=(.*)$/s.exec(word) ?? [];
  const at = (end: number) => vscode.Uri.joinPath(model, "..", rest.slice(0, end));
  // File names may contain these characters, so take the longest prefix that is a file.
  const ends = [...[...rest.matchAll(/[:#]/g)].map(({ index }) => index), rest.length];
  let end = ends[0] ?? rest.length;
  for (const one of ends) if (await isFile(at(one))) end = one;
  const [file, name, behind] = [at(end), rest.slice(0, end), rest.slice(end)];
  const [, sheet, chosen] = /^#([^:]*):?(.*)$/s.exec(behind) ?? [];
  const table = { uri: file.toString(), name, parameter, columns: chosen ?? behind.replace(/^:/, "") };
  try {
    return { ...table, ...sheetIn(await tablesIn(name, await bytesOf(file, name)), name, sheet) };
  } catch (error) {
    return { ...table, error: error instanceof Error ? error.message : String(error) };
  }
}

async function bytesOf(file: vscode.Uri, name: string): Promise<Uint8Array> {
  let bytes: Uint8Array;
  try {
    bytes = await vscode.workspace.fs.readFile(file);
  } catch {
    throw new Error(`cannot read \`${name}\`: there is no such file`);
  }
  if (new TextDecoder("latin1").decode(bytes.subarray(0, 15)) === "SQLite format 3") {
    throw new Error(`cannot read \`${name}\`: it is a database of SQLite, which only the program reads; export the table as CSV`);
  }
  return bytes;
}

/** The sheet with this name, or the only one. */
function sheetIn(tables: Text[], name: string, sheet: string | undefined): Text {
  const [only, second] = tables;
  const found = sheet === undefined ? (second ? undefined : only) : tables.find((table) => sheetOf(table) === sheet);
  if (found) return found;
  const sheets = tables.map((table) => `\`${sheetOf(table) ?? ""}\``).join(", ");
  const what = sheet === undefined ? `it has ${tables.length} sheets; name one of them after \`#\`` : `it has no sheet \`${sheet}\``;
  throw new Error(`cannot read \`${name}\`: ${what}. The sheets are ${sheets}`);
}
