// The requests and the answers of the engine, as clients/web/engine/PROTOCOL.md describes them, which says what each member means. Positions count
// UTF-16 units, as editors do.

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
  end_line?: number;
  end_column?: number;
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
  text: string;
  essence: string;
  of_type: string;
  json: Json;
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

export interface Outline {
  name: string;
  kind: string | null;
  detail: string;
  from: number;
  to: number;
  selection: [from: number, to: number];
  children: Outline[];
}

/** The line of `grade` after each instance. */
export interface GradeProgress {
  type: "progress";
  graded: number;
  of: number;
}

export interface Domain {
  kind: string;
  parts?: Domain[];
  /** The fields of a record. */
  names?: string[];
  /** The members of an enumerated type that are in the domain. */
  members?: string[];
  /** Whether the type has further members, which are not in the domain. */
  partial?: boolean;
  /** The name of an enumerated type. */
  name?: string;
  /** The ranges of integers; an open end is `null`, and so are ranges that are not known yet. */
  ranges?: [number | null, number | null][] | null;
  /** The unit of integers, such as `0.01`: they are written as multiples of it, and the ranges count its steps. */
  unit?: string | null;
  total?: boolean;
  least?: number | null;
  most?: number | null;
}

export interface Parameter {
  name: string;
  comment: string;
  unit: string | null;
  domain: Domain;
  value: Json;
}

export interface Requirement {
  first_line: number;
  last_line: number;
  comment: string;
  /** The text of a requirement that people may switch off. */
  optional: string | null;
}

export interface Form {
  title: string;
  about: string;
  directives: string[];
  parameters: Parameter[];
  variables: Parameter[];
  requirements: Requirement[];
  maximises: boolean | null;
  /** The comment above the objective. */
  objective: string | null;
  objective_units: (string | null)[];
  essence: string;
}

export interface BoardCell {
  name: string;
  variable: string;
  /** The values, and what each says as a constraint. */
  values: [shown: string, says: string][];
}

/** The first line of `board`. */
export interface Cells {
  type: "cells";
  cells: BoardCell[];
}

/** A solution of `board`: the position of each cell's value, and with `different` in how many places it differs. */
export type Filled = Solution & { chosen: (number | null)[]; distance?: number };

/** A step of a session. */
export type SessionStep = { require: string[] } | { set: Text[] } | { undo: number };

/** The result of `session`: the number of steps that can be taken back, and how the search has ended, if there was one. */
export interface SessionResult {
  steps: number;
  status?: string;
  says?: string;
  solutions?: number;
}

export interface BoardResult {
  possible: (boolean | null)[][];
  conflict: string[] | null;
  status: string | null;
  solutions: number;
  complete: boolean;
}

interface Limit {
  limit?: number;
}

interface Subject {
  text?: string;
}

type At = Subject & { at: number };

type Count = number | "all";

interface SolveMembers extends Limit {
  solutions?: Count;
  seed?: number;
  solver?: string;
  symmetry?: "auto" | "on" | "off";
  unnamed_symmetry?: "none" | "fast" | "full";
  pictures?: boolean;
}

interface BoardMembers extends Limit {
  set?: string[];
  solutions?: Count;
  possible?: boolean;
  first?: string[];
  better?: Text;
  different?: Text[];
  seed?: number;
  pictures?: boolean;
}

/** How a session is solved. */
export interface SessionSolve extends Limit {
  seed?: number;
  pictures?: boolean;
}

interface SearchMembers extends Limit {
  strategies?: string[] | "compare";
  binary?: boolean;
  transcript?: boolean;
  page?: boolean;
}

interface About {
  version: string;
  solvers: { name: string }[];
  formats: { name: string; description: string; model: string }[];
  strategies: string[];
}

/** What can be asked: the further members of each request, the members of its result, and the lines before that. */
export interface Verbs {
  check: [asks: { examine?: boolean } & Limit, result: CheckResult];
  complete: [asks: At, result: { items: CompletionItem[] }];
  hover: [asks: At, result: HoverResult];
  signature: [
    asks: At,
    result: { signature: { active: number; signatures: { label: string; operands: string[]; documentation: string }[] } | null },
  ];
  definition: [asks: At, result: { place: Place | null }];
  references: [asks: At, result: { places: Place[] }];
  rename: [asks: At & { name: string }, result: { edits: Edit[] }];
  symbols: [asks: Subject, result: { symbols: Outline[] }];
  tokens: [asks: Subject, result: { tokens: [from: number, to: number, kind: string, declaration: boolean][] }];
  "inlay-hints": [asks: Subject & { from?: number; to?: number }, result: { hints: { at: number; text: string }[] }];
  folding: [asks: Subject, result: { ranges: { from: number; to: number; comment: boolean }[] }];
  format: [asks: Subject & { width?: number }, result: { formatted: string }];
  solve: [asks: SolveMembers, result: SolveResult, line: Solution];
  why: [asks: { expected?: Text; better?: boolean } & Limit, result: ExplainResult, line: Progress];
  forced: [asks: { constraint: string } & Limit, result: ExplainResult, line: Progress];
  hint: [asks: { known?: Text; all?: boolean } & Limit, result: ExplainResult, line: Progress];
  search: [asks: SearchMembers, result: SearchResult];
  explore: [asks: { most?: number; sample?: number; seed?: number } & Limit, result: ExploreResult];
  validate: [asks: { solution: Text }, result: { valid: true; svg: string }];
  evaluate: [asks: { expression: string; solution?: Text }, result: EvaluateResult];
  compare: [asks: { reference: Text; instances?: number } & Limit, result: CompareResult];
  grade: [asks: { reference: Text; instances?: Text[]; made_up?: number } & Limit, result: GradeResult, line: GradeProgress];
  instance: [asks: object, result: { givens: string[]; finds: string[]; optimising: boolean }];
  form: [asks: object, result: Form];
  board: [asks: BoardMembers, result: BoardResult, line: Cells | Filled];
  session: [asks: { steps?: SessionStep[]; solve?: SessionSolve }, result: SessionResult, line: Solution];
  explain: [asks: { word: string }, result: { text: string }];
  instances: [asks: { file: Text }, result: { instances: Text[] }];
  import: [asks: { format: string; puzzle: Text }, result: { text: string }];
  about: [asks: object, result: About];
}

export type Verb = keyof Verbs;

/** The further members of a request. */
export type Members<V extends Verb> = Verbs[V][0];

/** The last line, unless it is a failure. */
export type Result<V extends Verb> = { type: "result"; warnings?: Diagnostic[] } & Verbs[V][1];

/** A line before the last one. */
export type Line<V extends Verb> = Verbs[V] extends [unknown, unknown, infer One] ? One : never;
