// What may take long, each in a worker of its own, which ends when the user cancels it.

import * as vscode from "vscode";
import { answered } from "../../../../web/npm/src/asking";
import { Channel } from "../../../../web/npm/src/channel";
import type { ExplainResult, Line, Members, Result as Answer, Request, SearchResult, Solution, SolveResult, Verb } from "../../../../web/npm/src/protocol";
import { type Command, limitTime } from "../commands";
import type { Instance } from "../instance";
import type { Result } from "../results";
import { textsOf } from "./texts";

/** Asks about an instance. What is wrong with it is an error. */
async function ask<V extends Verb>(
  verb: V,
  instance: Instance,
  members: Members<V>,
  token?: vscode.CancellationToken,
  onLine?: (line: Line<V>) => void,
): Promise<Answer<V>> {
  const request: Request = { verb, ...(await textsOf(instance)), ...members };
  const left = new AbortController();
  const listening = token?.onCancellationRequested(() => left.abort());
  const channel = new Channel();
  try {
    return await answered<Answer<V>>(channel, request, left.signal, (line) => onLine?.(line as Line<V>));
  } finally {
    listening?.dispose();
    channel.discard();
  }
}

/** The result of a command for an instance, as the language server gives it (src/cli/lsp/commands.rs). */
export async function run(command: Command, instance: Instance, token: vscode.CancellationToken): Promise<Result> {
  const limit = limitTime();
  if (command === "why" || command === "hint") {
    const { text }: ExplainResult = await ask(command, instance, { limit }, token);
    return { text, format: "text" };
  }
  let last: Solution | undefined;
  const pictures = command === "picture";
  const { status, says }: SolveResult = await ask("solve", instance, { limit, pictures }, token, (solution) => (last = solution));
  if (last === undefined) return { text: says, format: "text" };
  if (pictures) return { text: last.svg ?? "", format: "svg" };
  const hasEnded = !["time limit", "unknown"].includes(status);
  return { text: `${hasEnded ? "" : "$ The search has ended early: there may be better solutions.\n"}${last.essence}`, format: "essence" };
}

/** The page that shows the search of an instance. */
export async function searchPage(instance: Instance, token: vscode.CancellationToken): Promise<string> {
  const { page }: SearchResult = await ask("search", instance, { limit: limitTime() }, token);
  return page ?? "";
}

/** What the app of an instance asks people for. */
export const form = (instance: Instance, token?: vscode.CancellationToken) => ask("form", instance, {}, token);
