// The engine of the extension and the reader of workbooks. Both come from the page of apps in the package, which
// contains them and the script of their workers as text.

import * as vscode from "vscode";
import { fromPacked } from "../../../../web/page/src/app/unpacking";
import { runFrom } from "../../../../web/page/src/engine";
import { readWorkbooksWith } from "../../../../web/page/src/workbook";

/** Loads the engine from the package, and returns the page of apps. */
export async function loadEngine(extension: vscode.Uri): Promise<string> {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, "dist/app.html"));
  const page = new TextDecoder().decode(bytes);
  const held = (id: string): string => {
    const begin = `<script type="text/plain" id="${id}">`;
    const from = page.indexOf(begin);
    if (from < 0) throw new Error("The engine is missing in the package of this extension.");
    return page.slice(from + begin.length, page.indexOf("</script>", from));
  };
  const [engine, workbook, script] = ["engine", "workbook", "worker"].map(held) as [string, string, string];
  runFrom(fromPacked(async () => engine, script));
  readWorkbooksWith(fromPacked(async () => workbook, script));
  return page;
}
