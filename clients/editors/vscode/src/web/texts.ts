// The texts that belong together: data and their model, as the language server finds them (src/cli/lsp/workspace.rs).

import * as vscode from "vscode";
import type { Request, Text } from "../../../../web/npm/src/protocol";
import { fileName, type Instance, modelChosenFor, stem } from "../instance";
import { tableFor } from "./tables";

/** The endings of the names of models and of data, as the pattern of an expression. */
const MODELS = /\.(essence|eprime|model)$/;
const PARAMETERS = /\.(param|essence-param|eprime-param)$/;

export const isParameters = (uri: vscode.Uri): boolean => PARAMETERS.test(uri.path);
export const isModel = (uri: vscode.Uri): boolean => !isParameters(uri) && !uri.path.endsWith(".solution");

/** A text, with the texts that it is read with. */
export class Subject {
  private constructor(
    readonly document: vscode.TextDocument,
    readonly model: vscode.TextDocument,
    readonly data: vscode.TextDocument[],
  ) {}

  /** What a document is read with: a model with the first of its open data, data with their model. */
  static async of(document: vscode.TextDocument): Promise<Subject> {
    if (isParameters(document.uri)) {
      const model = await modelOf(document.uri);
      return model ? new Subject(document, model, [document]) : new Subject(document, document, []);
    }
    if (!isModel(document.uri)) return new Subject(document, document, []);
    for (const other of vscode.workspace.textDocuments) {
      if (!isParameters(other.uri) || other.isClosed) continue;
      if ((await modelOf(other.uri))?.uri.toString() === document.uri.toString()) return new Subject(document, document, [other]);
    }
    return new Subject(document, document, []);
  }

  /** Whether it is known which model the text belongs to. */
  get hasModel(): boolean {
    return this.document !== this.model || isModel(this.document.uri);
  }

  get instance(): Instance {
    return { model: this.model.uri, data: this.data.map(({ uri }) => uri), tables: [] };
  }

  /** A request about this text. */
  request(verb: string, members: object = {}): Request {
    return { verb, ...texts(this.model, this.data), text: nameIn(this.document, this.model), ...members };
  }

  /** The document that an answer names. */
  named(file: string): vscode.TextDocument | undefined {
    return [this.model, ...this.data].find((one) => nameIn(one, this.model) === file);
  }
}

/** The name of a document in requests: models and data may not have the same. */
function nameIn(document: vscode.TextDocument, model: vscode.TextDocument): string {
  const name = fileName(document.uri);
  return document !== model && name === fileName(model.uri) ? `data ${name}` : name;
}

function texts(model: vscode.TextDocument, data: vscode.TextDocument[]): { model: Text; data: Text[] } {
  const text = (document: vscode.TextDocument): Text => ({ name: nameIn(document, model), text: document.getText() });
  return { model: text(model), data: data.map(text) };
}

/** The texts of an instance, as they are in the editor. */
export async function textsOf({ model, data, tables }: Instance): Promise<{ model: Text; data: Text[] }> {
  const [first, ...others] = await Promise.all([model, ...data].map((uri) => vscode.workspace.openTextDocument(uri)));
  const made = texts(first as vscode.TextDocument, others);
  const read = await Promise.all(tables.map((word) => tableFor(model, word)));
  return { ...made, data: [...made.data, ...read.map(({ text }) => text)] };
}

/** The model of data: the one that was chosen, the one with the longest name that theirs begins with, or the only one. */
async function modelOf(data: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const chosen = modelChosenFor(data);
  if (chosen) return vscode.workspace.openTextDocument(chosen);
  const models = await neighbours(data, "models", MODELS);
  const named = models.filter((model) => stem(data).startsWith(stem(model)));
  const model = named.sort((a, b) => stem(b).length - stem(a).length)[0] ?? (models.length === 1 ? models[0] : undefined);
  return model && vscode.workspace.openTextDocument(model);
}

/** The files with certain endings in the folder of a text and in a folder beside it. */
async function neighbours(uri: vscode.Uri, beside: string, endings: RegExp): Promise<vscode.Uri[]> {
  if (uri.scheme === "untitled") return vscode.workspace.textDocuments.map((open) => open.uri).filter(({ path }) => endings.test(path));
  const folders = [vscode.Uri.joinPath(uri, ".."), vscode.Uri.joinPath(uri, "../..", beside)];
  const found = await Promise.all(
    folders.map(async (folder) => {
      try {
        const entries = await vscode.workspace.fs.readDirectory(folder);
        return entries.map(([name]) => vscode.Uri.joinPath(folder, name)).filter(({ path }) => endings.test(path));
      } catch {
        return [];
      }
    }),
  );
  return found.flat();
}
