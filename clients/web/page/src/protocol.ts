// The requests and the answers of the engine, as clients/web/engine/PROTOCOL.md describes them. Positions count UTF-16 units, as editors do.

export interface Text {
  name: string;
  text: string;
}

export interface Request {
  verb: string;
  model?: Text;
  data?: Text[];
  [member: string]: unknown;
}

export interface Place {
  file: string;
  from: number;
  to: number;
  line: number;
  column: number;
  text?: string;
}

export interface Edit extends Place {
  text: string;
}

export interface Diagnostic {
  severity: "error" | "warning";
  code: string;
  message: string;
  labels: Place[];
  help: string[];
  notes: string[];
  edits: Edit[];
  rendered: string;
}

export interface Failure {
  type: "failure";
  diagnostics: Diagnostic[];
}

export type Answer<Result> = ({ type: "result"; warnings?: Diagnostic[] } & Result) | Failure;

export interface CheckResult {
  diagnostics: Diagnostic[];
}

export interface CompletionItem {
  label: string;
  kind: string;
  snippet: string;
  from: number;
  to: number;
  detail: string;
  documentation: string;
  fits: boolean;
}

export interface EvaluateResult {
  essence: string;
  of_type: string;
}

export interface HoverResult {
  hover: { from: number; to: number; markdown: string } | null;
}

export interface Solution {
  type: "solution";
  number: number;
  essence: string;
  json: { [name: string]: Json };
  values: { [name: string]: string };
  /** A number, or several of them, which are compared one after the other. */
  objective: number | number[] | null;
  svg?: string;
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Statistics {
  solver: string;
  method: string;
  seconds: number;
  bound?: number | string | null;
  phases: { phase: string; seconds: number; counts: { [name: string]: number } }[];
}

export interface SolveResult {
  status: string;
  says: string;
  solutions: number;
  statistics: Statistics;
}

export interface Finding {
  says: string;
  is: string;
  with: string;
  because: string | null;
}

export interface Reason {
  says: string;
  with: string;
  comes_to: Finding[];
  places: Place[];
  instances?: { says: string; with: string; comes_to: Finding[] }[];
}

export interface Change {
  reason: number;
  says: string;
  place: Place;
  text: string;
}

export interface Step {
  says: string;
  because: string[];
  reasons: Reason[];
}

export interface Explanation {
  verdict: string;
  says: string;
  reasons?: Reason[];
  minimal?: boolean;
  changes?: Change[];
  notes?: string[];
  steps?: Step[];
  given?: string[];
  open?: string[];
  solution?: { [name: string]: Json };
}

export interface ExplainResult {
  answer: Explanation;
  text: string;
  complete: boolean;
  says: string;
  solution?: string;
}

export interface Progress {
  type: "progress";
  answer: Explanation;
  text: string;
}

export interface Searched {
  strategy: string;
  verdict: string;
  nodes: number;
  dead_ends: number;
  checks: number;
  prunings: number;
  seconds: number;
  solution: string | null;
  transcript?: string;
}

/** Why a model refuses a solution. */
export interface Refusal {
  answer?: Explanation;
  diagnostics?: Diagnostic[];
}

export interface Graded {
  name: string;
  data: string;
  result: string;
  complete: boolean;
  solution: string | null;
  objectives: [string | null, string | null] | null;
  because: Refusal | null;
  hint: string | null;
  diagnostics: Diagnostic[] | null;
}

export interface GradeResult {
  rejected: string | null;
  diagnostics?: Diagnostic[];
  instances: number;
  results: Graded[];
}

export interface SearchResult {
  searched: Searched[];
  page?: string;
}

export interface ExploreResult {
  extent: "all" | "sample" | "first";
  found: number;
  estimate: number | null;
  complete: boolean;
  page: string | null;
}

export interface CompareResult {
  same: boolean;
  complete: boolean;
  text: string;
  /** Where the models differ; `null` without data. */
  instance?: { name: string; text: string; made_up: boolean } | null;
  difference?: {
    kind: "allows" | "refuses" | "objective";
    solution: string;
    because: Refusal | null;
    objectives: [string | null, string | null] | null;
  };
}
