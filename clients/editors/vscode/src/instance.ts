// The model that a command applies to, and its data.

import * as vscode from "vscode";
import { askForData, fileIn } from "./data";

export interface Instance {
  model: vscode.Uri;
  /** Parameter files. */
  data: vscode.Uri[];
  /** Tables as on the command line, such as `cost=costs.csv`, with files in the folder of the model. */
  tables: string[];
}

/** The name of a file, with its extension and without. */
export const fileName = ({ path }: vscode.Uri): string => path.slice(path.lastIndexOf("/") + 1);
export const stem = (uri: vscode.Uri): string => fileName(uri).replace(/(?<=.)\.[^.]*$/, "");

/** The name of an instance: the name of its parameter file or table, or else of its model, without the extension. */
export function name({ model, data, tables: [table] }: Instance): string {
  const file = table === undefined ? undefined : vscode.Uri.joinPath(model, "..", fileIn(table));
  return stem(data[0] ?? file ?? model);
}

/** The user's last choices: for each model its data as on the command line, and for each parameter file its model. */
let memory: vscode.Memento | undefined;
const changes = new vscode.EventEmitter<void>();
/** Fires when the user has chosen the data of a model. */
export const onDidChoose = changes.event;

/** Sets the storage for the user's choices. */
export function rememberIn(state: vscode.Memento): void {
  memory = state;
}

const DATA = "data of ";
const MODEL = "model of ";

/** The data that the user has chosen for a model. */
export const dataChosenFor = (model: vscode.Uri): string[] | undefined => memory?.get(DATA + model.toString());

/** The model that the user has chosen for a parameter file. */
export function modelChosenFor(data: vscode.Uri): vscode.Uri | undefined {
  const model = memory?.get<string>(MODEL + data.toString());
  return model === undefined ? undefined : vscode.Uri.parse(model);
}

/** The models that the user has chosen, by the URIs of their data. */
export const chosenModels = (): { [data: string]: string } =>
  Object.fromEntries((memory?.keys() ?? []).filter((key) => key.startsWith(MODEL)).map((key) => [key.slice(MODEL.length), memory?.get<string>(key) ?? ""]));

/** The instance of a model with data as on the command line. */
export function instanceWith(model: vscode.Uri, words: string[]): Instance {
  const isTable = (word: string) => /^[^/\\.:#*=]+=./.test(word);
  const uri = (word: string) => (word.includes("://") ? vscode.Uri.parse(word) : vscode.Uri.joinPath(model, "..", word));
  return { model, data: words.filter((word) => !isTable(word)).map(uri), tables: words.filter(isTable) };
}

/**
 * The instance in the active editor: a model with the parameter file chosen last, or a parameter file with its model.
 * Asks for a missing part; returns `undefined` if the user cancels. With `ask`, always asks for the parameter file.
 */
export async function activeInstance(ask = false): Promise<Instance | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "essence") {
    void vscode.window.showErrorMessage("Open an Essence model first.");
    return undefined;
  }
  if (document.uri.path.endsWith(".param")) {
    const model = modelChosenFor(document.uri) ?? (await pick(document.uri, "essence", "The model that the parameters are for"));
    return model && remember(model, [document.uri.toString()]);
  }
  return instanceOf(document.uri, ask);
}

/** Lets the user choose all data of the model in the active editor: tables, workbooks, databases and parameter files. */
export async function chooseData(): Promise<Instance | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "essence" || document.uri.path.endsWith(".param")) {
    void vscode.window.showErrorMessage("Open an Essence model first.");
    return undefined;
  }
  const words = await askForData(document, dataChosenFor(document.uri) ?? []);
  return words && remember(document.uri, words);
}

/** The instance of a model with the parameter file chosen last; asks as `activeInstance` does. */
export async function instanceOf(model: vscode.Uri, ask = false): Promise<Instance | undefined> {
  const document = await vscode.workspace.openTextDocument(model);
  if (!ask && !hasParameters(document.getText())) {
    return { model, data: [], tables: [] };
  }
  const known = ask ? undefined : dataChosenFor(model);
  if (known) return instanceWith(model, known);
  const data = await pick(model, "param", `A parameter file for ${fileName(model)}`);
  if (data === "tables") {
    const words = await askForData(document, []);
    return words && remember(model, words);
  }
  return data && remember(model, [data.toString()]);
}

async function remember(model: vscode.Uri, words: string[]): Promise<Instance> {
  const instance = instanceWith(model, words);
  await memory?.update(DATA + model.toString(), words);
  for (const data of instance.data) await memory?.update(MODEL + data.toString(), model.toString());
  changes.fire();
  return instance;
}

/** True if a model has a `given` outside comments. */
export function hasParameters(text: string): boolean {
  return /(?<![\w'])given(?![\w'])/.test(text.replace(/\$.*|\/\*[^]*?\*\//g, ""));
}

/**
 * Lets the user choose a file of the workspace; similar names come first. Instead of data, the user may choose tables.
 */
async function pick<Extension extends "param" | "essence">(
  other: vscode.Uri,
  extension: Extension,
  title: string,
): Promise<vscode.Uri | (Extension extends "param" ? "tables" : never) | undefined> {
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
  const tables = { label: "Choose tables or several files…", description: "CSV, JSON, Excel, LibreOffice, SQLite", uri: undefined };
  const item = await vscode.window.showQuickPick([...items, ...(extension === "param" ? [tables] : []), browse], { title, matchOnDescription: true });
  if (item === undefined || item.uri) {
    return item?.uri;
  }
  if (item === tables) return "tables" as Extension extends "param" ? "tables" : never;
  const opened = await vscode.window.showOpenDialog({ title, filters: { Essence: [extension] }, defaultUri: vscode.Uri.joinPath(other, "..") });
  return opened?.[0];
}

/** The length of the common prefix of two files' names. */
function likeness(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length] && left[length] !== ".") {
    length += 1;
  }
  return length;
}
