// Tasks of the type `conjure-like`: run `solve` in the terminal, with its errors in the list of problems.

import { basename, relative } from "node:path";
import * as vscode from "vscode";
import { hasParameters } from "./instance";
import { findProgram } from "./program";

interface Definition extends vscode.TaskDefinition {
  model: string;
  data?: string[];
  arguments?: string[];
}

export class Tasks implements vscode.TaskProvider {
  /** A task for each model of the workspace that can be solved without a parameter file. */
  async provideTasks(token: vscode.CancellationToken): Promise<vscode.Task[]> {
    const program = await findProgram();
    const models = await vscode.workspace.findFiles("**/*.essence", "**/node_modules/**", 200, token);
    const tasks = models.map(async (uri) => {
      const folder = vscode.workspace.getWorkspaceFolder(uri);
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      const model = folder && relative(folder.uri.fsPath, uri.fsPath);
      return model && !hasParameters(text) ? task({ type: "conjure-like", model }, folder, program) : undefined;
    });
    return (await Promise.all(tasks)).filter((found) => found !== undefined);
  }

  async resolveTask(unresolved: vscode.Task): Promise<vscode.Task> {
    return task(unresolved.definition as Definition, unresolved.scope ?? vscode.TaskScope.Workspace, await findProgram());
  }
}

function task(definition: Definition, scope: vscode.WorkspaceFolder | vscode.TaskScope, program: string): vscode.Task {
  const { model, data = [], arguments: more = [] } = definition;
  const settings = vscode.workspace.getConfiguration("conjure-like");
  const limit = settings.get("limitTime", 0);
  const threads = settings.get("threads", 0);
  const args = [
    "solve",
    "--error-format=short",
    `--solver=${settings.get("solver", "auto")}`,
    ...(limit > 0 ? [`--limit-time=${limit}`] : []),
    ...(threads > 0 ? [`--threads=${threads}`] : []),
    ...more,
    model,
    ...data,
  ];
  const label = ["solve", ...[model, ...data].map((file) => basename(file))].join(" ");
  return new vscode.Task(definition, scope, label, "conjure-like", new vscode.ProcessExecution(program, args), "$conjure-like");
}
