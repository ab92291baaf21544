// The engine of the extension. It comes from the page of apps, which is in the package and holds the engine and the script of its workers as text.

import * as vscode from "vscode";
import { runFromPacked } from "../../../../web/page/src/app/unpacking";

/** Takes the engine from the package, and returns the page of apps. */
export async function loadEngine(extension: vscode.Uri): Promise<string> {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, "dist/app.html"));
  const page = new TextDecoder().decode(bytes);
  const held = (id: string): string => {
    const begin = `<script type="text/plain" id="${id}">`;
    const from = page.indexOf(begin);
    if (from < 0) throw new Error("The engine is missing in the package of this extension.");
    return page.slice(from + begin.length, page.indexOf("</script>", from));
  };
  const engine = held("engine");
  runFromPacked(async () => engine, held("worker"));
  return page;
}
