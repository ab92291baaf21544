// "Open as App": the page of an app in a panel beside the model. It follows edits of the model and of the data, and
// keeps the user's input.

import * as vscode from "vscode";
import { type Instance, name } from "./instance";
import type { Results } from "./results";
import type { Running } from "./running";

/** Milliseconds after the last change before the page is made again. */
const PAUSE = 500;

/** A message of the page: the data and the set values. */
interface Told {
  data: object;
  set: string[];
}

export async function openAsApp(
  instance: Instance,
  page: (instance: Instance, token?: vscode.CancellationToken) => Promise<string>,
  results: Results,
  running: Running,
): Promise<void> {
  const title = `App of ${name(instance)}`;
  const first = await running.during(`Making the ${title.replace("App", "app")}`, (token) => page(instance, token));
  if (first === undefined) return;
  const panel = results.page(title, first, true);
  if (panel === undefined) return;
  let kept: Told | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (html: string) => {
    panel.webview.html = html;
  };
  const watching = [
    panel.webview.onDidReceiveMessage(({ essence, isFirst }: { essence: Told; isFirst: boolean }) => {
      // A new page has only the data of the files.
      if (isFirst && kept) void panel.webview.postMessage({ essence: kept });
      else kept = essence;
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const changed = document.uri.toString();
      if (contentChanges.length === 0 || ![instance.model, ...instance.data].some((uri) => uri.toString() === changed)) return;
      // A change of the data replaces the user's input, a change of the model does not.
      if (changed !== instance.model.toString()) kept = undefined;
      clearTimeout(timer);
      // While a text has errors, which the editor shows, keep the last page.
      timer = setTimeout(() => void page(instance).then(show, () => undefined), PAUSE);
    }),
  ];
  panel.onDidDispose(() => {
    clearTimeout(timer);
    watching.forEach((one) => one.dispose());
  });
}
