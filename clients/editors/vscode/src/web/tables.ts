// Tables as data, as the program reads them (src/cli/table.rs, src/cli/sheets.rs).

import * as vscode from "vscode";
import { sheetOf, tablesIn } from "../../../../web/page/src/workbook";
import type { Text } from "../../../../web/npm/src/protocol";

/** A text that gives a parameter its value. */
interface TableText extends Text {
  parameter: string;
  columns: string;
}

interface ReadTable {
  file: vscode.Uri;
  text: TableText;
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => type !== vscode.FileType.Directory,
    () => false,
  );
}

/** The table that a word such as `cost=costs.xlsx#May:item,price` means, whose file is found from the folder of the model. */
export async function tableFor(model: vscode.Uri, word: string): Promise<ReadTable> {
  const [, parameter = "", rest = ""] = /^([^=]*)=(.*)$/s.exec(word) ?? [];
  const at = (end: number) => vscode.Uri.joinPath(model, "..", rest.slice(0, end));
  // A name may have these characters: the longest one that is a file is meant.
  const ends = [...[...rest.matchAll(/[:#]/g)].map(({ index }) => index), rest.length];
  let end = ends[0] ?? rest.length;
  for (const one of ends) if (await isFile(at(one))) end = one;
  const [file, name, behind] = [at(end), rest.slice(0, end), rest.slice(end)];
  const [, sheet, chosen] = /^#([^:]*):?(.*)$/s.exec(behind) ?? [];
  const columns = chosen ?? behind.replace(/^:/, "");
  const open = vscode.workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && uri.toString() === file.toString());
  const tables = open ? [{ name, text: open.getText() }] : await tablesIn(name, await bytesOf(file, name));
  return { file, text: { ...sheetIn(tables, name, sheet), parameter, columns } };
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

/** The sheet that is meant, or the only one. */
function sheetIn(tables: Text[], name: string, sheet: string | undefined): Text {
  const [only, second] = tables;
  const found = sheet === undefined ? (second ? undefined : only) : tables.find((table) => sheetOf(table) === sheet);
  if (found) return found;
  const sheets = tables.map((table) => `\`${sheetOf(table) ?? ""}\``).join(", ");
  const what = sheet === undefined ? `it has ${tables.length} sheets; name one of them after \`#\`` : `it has no sheet \`${sheet}\``;
  throw new Error(`cannot read \`${name}\`: ${what}. The sheets are ${sheets}`);
}
