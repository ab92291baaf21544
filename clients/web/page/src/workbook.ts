// Tables in files. A separate module reads the sheets of Excel and LibreOffice; it is loaded with the first workbook.

import type { Text } from "../../npm/src/protocol";
import { Channel, type Origin } from "./engine";

/** The module's answer about a workbook. */
interface Workbook {
  sheets: Text[];
  /** The reason why it cannot be read. */
  refused?: string;
}

/** The extensions of files with tables, for file inputs. */
export const TABLES = [".csv", ".tsv"];
export const WORKBOOKS = [".xlsx", ".xls", ".xlsb", ".ods"];

export const hasEnding = (file: string, endings: string[]): boolean => endings.some((ending) => file.toLowerCase().endsWith(ending));

let channel: Channel | undefined;

/** Sets the origin of the module. */
export function readWorkbooksWith(origin: Origin): void {
  channel = new Channel(origin);
}

/** The sheet that a table comes from, if it was in a workbook. */
export const sheetOf = (table: Text): string | undefined => /#(.*)$/s.exec(table.name)?.[1];

const isWorkbook = (bytes: Uint8Array): boolean => [[0x50, 0x4b, 3, 4], [0xd0, 0xcf, 0x11, 0xe0]].some((begin) => begin.every((byte, at) => bytes[at] === byte));

/**
 * The tables in a file: the file itself, or the sheets of a workbook, with the same names as in the program
 * (`staff.xlsx#Mia`). Throws if a workbook cannot be read.
 */
export async function tablesIn(name: string, bytes: Uint8Array): Promise<Text[]> {
  if (!isWorkbook(bytes)) return [{ name, text: new TextDecoder().decode(bytes) }];
  if (!channel) throw new Error("nothing says where the module for workbooks is");
  const head = new TextEncoder().encode(`${name}\n`);
  const request = new Uint8Array(head.length + bytes.length);
  request.set(head);
  request.set(bytes, head.length);
  const answer = await channel.run<Workbook>(request, () => undefined).answer;
  const refused = answer?.type === "failure" ? answer.diagnostics[0]?.message : answer?.refused;
  if (answer?.type !== "result" || refused) throw new Error(refused ?? "");
  return answer.sheets.map((sheet) => ({ name: `${name}#${sheet.name}`, text: sheet.text }));
}
