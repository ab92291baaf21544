// Test cases in the Test Explorer. The program lists and runs them; it reads saved files.

import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import * as vscode from "vscode";
import { findProgram } from "./program";

/** The extensions of models and parameter files. */
const FILES = "**/*.{essence,param,essence-param,model,eprime-param}";

/** Milliseconds without a change before the cases are listed again. */
const QUIET = 300;

/** A line of output of the program: a case with its result. */
interface CaseResult {
  file: string;
  line: number;
  case: string;
  verdict: "passed" | "failed" | "broken" | "not decided";
  seconds: number;
  findings: Finding[];
}

interface Finding {
  line: number;
  says: string;
  blames: { file: string; line: number } | null;
  solution: string | null;
  /** The details that `conjure-like test` prints below `says`. */
  text: string;
}

/** Lists the cases of the workspace and runs them. */
export class Cases implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("conjure-like", "Essence");
  private watcher: vscode.FileSystemWatcher | undefined;
  private readonly changed = new Map<string, vscode.Uri>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly showError: (error: unknown) => Promise<void>) {
    // List the cases only when the user opens the explorer.
    this.controller.resolveHandler = (item) => (item === undefined ? this.listAll() : Promise.resolve());
    this.controller.refreshHandler = () => this.listAll();
    this.controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
  }

  /** Lists the cases of the whole workspace. */
  private async listAll(): Promise<void> {
    const found = new Map<string, vscode.TestItem>();
    try {
      for (const folder of vscode.workspace.workspaceFolders ?? []) {
        if (folder.uri.scheme === "file") await this.list(folder, ".", (item) => found.set(item.id, item));
      }
      this.controller.items.replace([...found.values()]);
      this.watch();
    } catch (error) {
      await this.showError(error);
    }
  }

  /** Lists the cases of a file or a folder. */
  private async list(folder: vscode.WorkspaceFolder, path: string, add: (file: vscode.TestItem) => void): Promise<void> {
    const files = new Map<string, vscode.TestItem>();
    await results(folder, [path, "--list"], (result) => {
      const uri = uriOf(folder, result.file);
      let file = files.get(result.file);
      if (file === undefined) {
        file = this.controller.createTestItem(uri.toString(), result.file, uri);
        files.set(result.file, file);
        add(file);
      }
      const item = this.controller.createTestItem(idOf(result), result.case || "all", uri);
      item.range = new vscode.Range(result.line - 1, 0, result.line - 1, 0);
      file.children.add(item);
    });
  }

  /** Watches files from now on. */
  private watch(): void {
    if (this.watcher) return;
    this.watcher = vscode.workspace.createFileSystemWatcher(FILES);
    for (const event of [this.watcher.onDidChange, this.watcher.onDidCreate, this.watcher.onDidDelete]) event((uri) => this.note(uri));
  }

  private note(uri: vscode.Uri): void {
    this.changed.set(uri.toString(), uri);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.listChanged().catch(this.showError), QUIET);
  }

  /** Lists the cases of the files that have changed. */
  private async listChanged(): Promise<void> {
    const changed = [...this.changed.values()];
    this.changed.clear();
    for (const uri of changed) {
      const folder = vscode.workspace.getWorkspaceFolder(uri);
      if (folder === undefined || uri.scheme !== "file") continue;
      const own = uri.toString();
      let isThere = false;
      // For a model, the program also lists the cases of the parameter files that name it.
      await this.list(folder, vscode.workspace.asRelativePath(uri, false), (file) => {
        isThere ||= file.id === own;
        this.controller.items.add(file);
      });
      if (!isThere) this.controller.items.delete(own);
    }
  }

  /** Runs the cases of a request. Each file gets one process, which runs several cases in parallel. */
  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    const excluded = new Set(request.exclude);
    try {
      const chosen = request.include ?? [...this.controller.items].map(([, item]) => item);
      const files = new Map<vscode.TestItem, vscode.TestItem[]>();
      for (const item of chosen) {
        const file = item.parent ?? item;
        const cases = item.parent ? [item] : [...item.children].map(([, one]) => one);
        files.set(file, [...(files.get(file) ?? []), ...cases.filter((one) => !excluded.has(one))]);
      }
      for (const [file, cases] of files) {
        if (token.isCancellationRequested) break;
        if (!excluded.has(file)) await this.runFile(run, file, cases, token);
      }
    } catch (error) {
      await this.showError(error);
    } finally {
      run.end();
    }
  }

  private async runFile(run: vscode.TestRun, file: vscode.TestItem, cases: vscode.TestItem[], token: vscode.CancellationToken): Promise<void> {
    const uri = file.uri as vscode.Uri;
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder === undefined) return;
    const [first] = cases;
    const open = new Map(cases.map((item) => [item.id, item]));
    cases.forEach((item) => run.started(item));
    const only = first && cases.length === 1 && file.children.size > 1 && nameIn(first.id) ? [`--only=${nameIn(first.id)}`] : [];
    await results(
      folder,
      [vscode.workspace.asRelativePath(uri, false), ...only],
      async (result) => {
        const item = open.get(idOf(result));
        if (item === undefined || uriOf(folder, result.file).toString() !== uri.toString()) return;
        open.delete(item.id);
        const time = result.seconds * 1000;
        if (result.verdict === "passed") return run.passed(item, time);
        const document = await vscode.workspace.openTextDocument(uri);
        const messages = result.findings.flatMap((finding) => messagesOf(folder, document, finding));
        if (result.verdict === "failed") run.failed(item, messages, time);
        else run.errored(item, messages, time);
      },
      token,
    );
    open.forEach((item) => run.skipped(item));
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.watcher?.dispose();
    this.controller.dispose();
  }
}

/** The line and the name of a case, which are unique within a file. */
const idOf = ({ line, case: name }: CaseResult): string => `${line} ${name}`;
const nameIn = (id: string): string => id.slice(id.indexOf(" ") + 1);

/** The URI of a file name of the program, which runs in the folder. */
const uriOf = (folder: vscode.WorkspaceFolder, file: string): vscode.Uri => vscode.Uri.file(resolve(folder.uri.fsPath, file));

/** Runs `conjure-like test` in a folder, and passes each case to `take` as soon as it has a result. */
async function results(folder: vscode.WorkspaceFolder, args: string[], take: (result: CaseResult) => void | Promise<void>, token?: vscode.CancellationToken): Promise<void> {
  const program = spawn(await findProgram(), ["test", "--output-format=json", ...args], { cwd: folder.uri.fsPath, stdio: ["ignore", "pipe", "pipe"] });
  const cancelled = token?.onCancellationRequested(() => program.kill());
  try {
    let words = "";
    program.stderr.on("data", (text) => (words += String(text)));
    const ended = new Promise<number | null>((done, fail) => program.on("error", fail).on("close", done));
    for await (const line of createInterface({ input: program.stdout })) await take(JSON.parse(line) as CaseResult);
    // Exit codes 2 and 3 mean failed cases, and no cases.
    if (((await ended) ?? 0) === 1) throw new Error(words || "conjure-like has ended");
  } finally {
    cancelled?.dispose();
  }
}

/** The messages for a finding: at the line of the case, and at the line of the model that caused it. */
function messagesOf(folder: vscode.WorkspaceFolder, document: vscode.TextDocument, finding: Finding): vscode.TestMessage[] {
  const text = [finding.says, finding.text].filter(Boolean).join("\n\n");
  const expected = valueAt(document, finding.line);
  const message = finding.solution && expected.startsWith("letting") ? vscode.TestMessage.diff(text, expected, finding.solution) : new vscode.TestMessage(text);
  message.location = new vscode.Location(document.uri, document.lineAt(finding.line - 1).range);
  if (!finding.blames) return [message];
  const blame = new vscode.TestMessage(finding.says);
  const { file, line } = finding.blames;
  blame.location = new vscode.Location(uriOf(folder, file), new vscode.Position(line - 1, 0));
  return [message, blame];
}

/** The value of the comment `$ key: value` on a line, with its continuation lines. */
function valueAt(document: vscode.TextDocument, line: number): string {
  const lines = [document.lineAt(line - 1).text.replace(/^\$ [^:]*:\s*/, "")];
  for (let next = line; next < document.lineCount && /^\$ {3,}\S/.test(document.lineAt(next).text); next++) {
    lines.push(document.lineAt(next).text.replace(/^\$\s*/, ""));
  }
  return lines.join("\n");
}
