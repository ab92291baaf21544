// "Explore the Search": the page that `conjure-like search --html` writes, in a panel.

import { dirname } from "node:path";
import * as vscode from "vscode";
import type { Instance } from "./instance";
import { writtenPage } from "./page";
import { name, type Results } from "./results";
import type { Running } from "./running";

export async function exploreSearch({ model, data }: Instance, results: Results, running: Running): Promise<void> {
  for (const uri of [model, ...data]) {
    await (await vscode.workspace.openTextDocument(uri)).save();
  }
  const files = [model, ...data].map((uri) => uri.fsPath);
  const limit = vscode.workspace.getConfiguration("conjure-like").get("limitTime", 0);
  const options = limit > 0 ? [`--limit-time=${limit}`] : [];
  const title = name({ model, data });
  await running.during(`Searching ${title}`, async (token) => {
    const page = await writtenPage((file) => ["search", ...files, ...options, "--html", file], dirname(model.fsPath), token);
    results.page(`Search of ${title}`, page, true);
  });
}
