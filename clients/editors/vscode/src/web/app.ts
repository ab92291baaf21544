// Fills the page of an app, as `conjure-like app` does (cli/teaching/app.rs).

import * as vscode from "vscode";
import type { Form } from "../../../../web/npm/src/protocol";
import { fileName, type Instance, stem } from "../instance";
import type { Server } from "../server";

/** The placeholders in the page. */
const TITLE = "@app title@";
const DATA = "@app data@";

/** Makes the page from the page without a model. */
export async function appPage(page: string, server: Server, instance: Instance, token?: vscode.CancellationToken): Promise<string> {
  const model = (await vscode.workspace.openTextDocument(instance.model)).getText();
  const { type: _, ...asked } = await server.execute<Form & { type: string }>("form", instance, token);
  const values = Object.fromEntries(asked.parameters.map(({ name, value }) => [name, value]));
  const plans = instance.data.map((uri) => ({ name: stem(uri), values }));
  const key = await digest(model + JSON.stringify(plans));
  const title = asked.title || stem(instance.model);
  const held = JSON.stringify({ name: fileName(instance.model), model, form: asked, plans, key }).replace(/</g, "\\u003c");
  const [before = "", between = "", after = ""] = page.split(new RegExp(`${TITLE}|${DATA}`));
  return [before, title.replace(/&/g, "&amp;").replace(/</g, "&lt;"), between, held, after].join("");
}

/** A short name for a text. */
async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
