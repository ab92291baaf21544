// Shows the result of a command: text as a read-only document beside the model, pictures and pages in a panel.

import * as vscode from "vscode";
import { type Instance, name } from "./instance";

/** The result of a command for an instance. */
export interface Result {
  text: string;
  format: "essence" | "text" | "svg" | "html";
}

/** The URI scheme of documents with results. */
const SCHEME = "conjure-like-result";

/** The documents with results. The next result of the same command for the same instance replaces the document. */
export class Results implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly panels = new Map<string, vscode.WebviewPanel>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Shows a result of a command such as `solve` for an instance. */
  async show(command: string, instance: Instance, result: Result): Promise<void> {
    if (result.format === "svg") return void this.page(`Picture of ${name(instance)}`, pictureAsPage(result.text), false);
    if (result.format === "html") return void this.page(`Search of ${name(instance)}`, result.text, true);
    const kind = result.format === "essence" ? "solution" : `${command}.txt`;
    const file = vscode.Uri.joinPath(instance.model, "..", `${name(instance)}.${kind}`);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: file.path });
    this.texts.set(uri.toString(), result.text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false });
  }

  /** Shows an HTML page in the panel with this title. Returns the panel if it is new. */
  page(title: string, html: string, enableScripts: boolean): vscode.WebviewPanel | undefined {
    let panel = this.panels.get(title);
    const isNew = panel === undefined;
    if (panel === undefined) {
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      panel = vscode.window.createWebviewPanel("conjure-like", title, column, { enableScripts, retainContextWhenHidden: true });
      panel.onDidDispose(() => this.panels.delete(title));
      this.panels.set(title, panel);
    } else {
      panel.reveal(undefined, true);
    }
    panel.webview.html = html;
    return isNew ? panel : undefined;
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
    this.panels.forEach((panel) => panel.dispose());
  }
}

/** A page with a picture, which may neither run scripts nor load anything. */
function pictureAsPage(svg: string): string {
  return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body { background: white; margin: 1em } svg { max-width: 100%; height: auto }</style>
</head>
<body>${svg.replace(/^<\?xml[^>]*\?>/, "")}</body>
</html>`;
}
