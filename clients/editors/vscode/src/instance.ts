// The model that a command is about, and the parameter file that belongs to it.

import * as vscode from "vscode";

export interface Instance {
  model: vscode.Uri;
  data: vscode.Uri[];
}

/** The name of a file; with its ending, or without. */
export const fileName = ({ path }: vscode.Uri): string => path.slice(path.lastIndexOf("/") + 1);
export const stem = (uri: vscode.Uri): string => fileName(uri).replace(/(?<=.)\.[^.]*$/, "");

/** The name of an instance: the name of its parameter file, or of its model, without the ending. */
export const name = ({ model, data }: Instance): string => stem(data[0] ?? model);

/** The parameter file that the user chose last, for each model, and the model for each parameter file. */
const chosen = new Map<string, vscode.Uri>();

/** The model that the user has chosen for a parameter file. */
export const modelChosenFor = (data: vscode.Uri): vscode.Uri | undefined => chosen.get(data.toString());

/**
 * The instance that the active editor shows: a model, with the parameter file chosen before, or a parameter file, with its model.
 * Asks for what is not known; returns `undefined` if the user does not answer. With `ask`, asks for the parameter file in any case.
 */
export async function activeInstance(ask = false): Promise<Instance | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "essence") {
    void vscode.window.showErrorMessage("Open an Essence model first.");
    return undefined;
  }
  if (document.uri.path.endsWith(".param")) {
    const model = modelChosenFor(document.uri) ?? (await pick(document.uri, "essence", "The model that the parameters are for"));
    return model && remember(model, document.uri);
  }
  return instanceOf(document.uri, ask);
}

/** The instance of a model with the parameter file chosen before; asks as `activeInstance` does. */
export async function instanceOf(model: vscode.Uri, ask = false): Promise<Instance | undefined> {
  const document = await vscode.workspace.openTextDocument(model);
  if (!ask && !hasParameters(document.getText())) {
    return { model, data: [] };
  }
  const data = (ask ? undefined : chosen.get(model.toString())) ?? (await pick(model, "param", `A parameter file for ${fileName(model)}`));
  return data && remember(model, data);
}

function remember(model: vscode.Uri, data: vscode.Uri): Instance {
  chosen.set(model.toString(), data);
  chosen.set(data.toString(), model);
  return { model, data: [data] };
}

/** Whether a model has a `given`; comments do not count. */
export function hasParameters(text: string): boolean {
  return /(?<![\w'])given(?![\w'])/.test(text.replace(/\$.*|\/\*[^]*?\*\//g, ""));
}

/** Lets the user choose a file of the workspace; those that resemble the other file's name come first. */
async function pick(other: vscode.Uri, extension: string, title: string): Promise<vscode.Uri | undefined> {
  const files = await vscode.workspace.findFiles(`**/*.${extension}`, "**/node_modules/**", 5000);
  const items = files
    .map((uri) => ({
      label: fileName(uri),
      description: vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, "..")),
      uri,
      likeness: likeness(fileName(uri), fileName(other)),
    }))
    .sort((a, b) => b.likeness - a.likeness || a.uri.path.localeCompare(b.uri.path, undefined, { numeric: true }));
  const browse = { label: "Choose another file…", description: "", uri: undefined };
  const item = await vscode.window.showQuickPick([...items, browse], { title, matchOnDescription: true });
  if (item === undefined || item.uri) {
    return item?.uri;
  }
  const opened = await vscode.window.showOpenDialog({ title, filters: { Essence: [extension] }, defaultUri: vscode.Uri.joinPath(other, "..") });
  return opened?.[0];
}

/** The length of the common beginning of two files' names. */
function likeness(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length] && left[length] !== ".") {
    length += 1;
  }
  return length;
}
