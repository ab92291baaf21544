// Made of docs/protocol.schema.json by a test of the library: UPDATE=1 cargo test --lib inside::protocol

/** A text with its name. */
export interface Text {
  /** The name in messages, which identifies the text. */
  name: string;
  /** The content, which decides if the text is Essence or JSON; the name does not. */
  text: string;
  /** The parameter that gets its value from the text, which is then a table. */
  parameter?: string;
  /** The columns of the table. */
  columns?: string;
}

/** Diagnoses errors and warnings. */
export interface Check {
  /** A number of seconds. */
  limit?: number;
  /** The threads of the search; a page has one. */
  threads?: number;
  /** True to ask a solver about the constraints, too. */
  examine?: boolean;
  /** The step of the course, such as 3; words that are introduced later get a warning. */
  level?: number;
}

/** Asks a solver for constraints that always hold or never hold. */
export interface Examine {
  /** A number of seconds. */
  limit?: number;
  /** The threads of the search; a page has one. */
  threads?: number;
  /** Parameter files, each for a separate instance. Those with mistakes are left out. */
  instances?: Text[];
}

/** A position in a text. */
export interface Position {
  /** The name of the text. */
  text?: string;
  /** The position, in units of UTF-16. */
  at: number;
}

/** A name that is changed everywhere. */
export interface Rename {
  /** The name of the text. */
  text?: string;
  /** The position, in units of UTF-16. */
  at: number;
  /** The new name. */
  name: string;
}

/** A text of the request: the model, if no name is given. */
export interface Subject {
  /** The name of the text. */
  text?: string;
}

/** A part of a text; the whole text if no positions are given. */
export interface Part {
  /** The name of the text. */
  text?: string;
  /** The first position. */
  from?: number;
  /** The position after the last one. */
  to?: number;
}

/** Texts that may replace parts of the model. */
export interface Fit {
  /** The parts of the model to try, each with its first position and the position after its last one (default: all
   * expressions and domains). */
  places?: ([number, number])[];
  /** Expressions, in parentheses if they are more than a name or a number, and domains. */
  texts: string[];
}

/** A text in the canonical layout. */
export interface Format {
  /** The name of the text. */
  text?: string;
  /** The length of its lines. */
  width?: number;
}

/** A number of solutions, or `"all"`. */
export type Count = number | AllSolutions;

export type AllSolutions = "all";

/** Symmetry breaking if the model shows that parts can be exchanged. */
export type Symmetry = "auto" | "on" | "off";

/** Solutions. */
export interface Solve {
  /** A number of seconds. */
  limit?: number;
  /** The threads of the search; a page has one. */
  threads?: number;
  /** The number of solutions (default 1), or `"all"`. With an objective, 1 asks for a best solution, with a line for
   * each better one on the way, and a larger number for several best solutions. */
  solutions?: Count;
  seed?: number;
  /** `auto` (default), or the name of another solver of this build. */
  solver?: string;
  symmetry?: Symmetry;
  /** `none` (default), `fast` or `full`. */
  unnamed_symmetry?: string;
  /** True to draw the solutions. */
  pictures?: boolean;
  /** The shape of the wanted result: JSON in which each string is an expression, or `$objective`. */
  shape?: Json;
}

/** Explains why there is no solution, or why `expected` is not one. */
export interface Why {
  /** A number of seconds. */
  limit?: number;
  /** The threads of the search; a page has one. */
  threads?: number;
  /** The expected solution, which may leave variables out or have `_` for unknown parts. */
  expected?: Text;
  /** True to explain why no solution is better than the best one. */
  better?: boolean;
  /** True to show in small, checked steps that there is no solution, or no expected one. */
  steps?: boolean;
}

/** Decides if a constraint holds in every solution, and explains it. */
export interface Forced {
  /** A number of seconds. */
  limit?: number;
  /** The threads of the search; a page has one. */
  threads?: number;
  /** A constraint as in `such that`. */
  constraint: string;
}

/** The next step. */
export interface Hint {
  /** A number of seconds. */
  limit?: number;
  /** The threads of the search; a page has one. */
  threads?: number;
  /** The known part of the solution, as for `why`. */
  known?: Text;
  /** True for all steps. */
  all?: boolean;
}

/** Strategies by their names, or `"compare"`. */
export type Strategies = string[] | AllStrategies;

export type AllStrategies = "compare";

/** Textbook searches. */
export interface Search {
  /** A number of seconds. */
  limit?: number;
  /** The threads of the search; a page has one. */
  threads?: number;
  /** A list such as `["bt", "fc+mrv"]`; an empty one takes forward checking with the model's `heuristic`, and
   * `"compare"` the strategies that `--compare` compares. */
  strategies?: Strategies;
  /** True to replace `allDiff` with inequalities between two variables. */
  binary?: boolean;
  /** True for the steps as text. */
  transcript?: boolean;
  /** True for a page with the trees and the domains at each step. */
  page?: boolean;
}

/** The space of solutions. */
export interface Explore {
  /** A number of seconds. */
  limit?: number;
  /** The threads of the search; a page has one. */
  threads?: number;
  /** The maximum number of solutions to enumerate. */
  most?: number;
  /** The size of a random sample, if there are more. */
  sample?: number;
  /** The seed of the estimate and of the sample. */
  seed?: number;
  /** True for a page. */
  page?: boolean;
}

/** Checks a solution. */
export interface Validate {
  /** A solution. */
  solution: Text;
}

/** The format of a drawing. */
export type DrawingFormat = "text" | "svg" | "html";

/** A drawing of a solution. */
export interface Draw {
  /** The solution. */
  solution: Text;
  format: DrawingFormat;
}

/** A solution in a wanted shape. */
export interface Shape {
  /** The solution. */
  solution: Text;
  /** JSON in which each string is an expression, or `$objective`. */
  shape: Json;
}

/** The value of an expression. */
export interface Evaluate {
  /** An expression, which may mention the names of the model, if there is one. */
  expression: string;
  /** The values of the decision variables; they need not satisfy the model. */
  solution?: Text;
}

/** Grades an answer to an exercise. */
export interface Grade {
  /** A number of seconds. */
  limit?: number;
  /** The threads of the search; a page has one. */
  threads?: number;
  /** The model to compare with. */
  reference: Text;
  /** Parameter files. */
  instances?: Text[];
  /** The number of small instances to generate. */
  made_up?: number;
}

/** Compares the model with another one. */
export interface Compare {
  /** A number of seconds. */
  limit?: number;
  /** The threads of the search; a page has one. */
  threads?: number;
  /** The model to compare with. */
  reference: Text;
  /** The number of small instances to generate if there are no data. */
  instances?: number;
}

/** Reviews the model against an older version: the solutions that it has gained and lost. */
export interface Review {
  /** A number of seconds. */
  limit?: number;
  /** The threads of the search; a page has one. */
  threads?: number;
  /** The older version. */
  old: Text;
  /** Decision variables of the old version as expressions over the variables of the new one. */
  mapping?: { [name: string]: string };
  /** The number of small instances to generate if there are no data. */
  instances?: number;
}

/** The answer to a question, with the members of the question that it answers. */
export interface GivenAnswer {
  /** The data of the instance. */
  data?: Text[];
  /** The candidate solution. */
  solution: string;
  /** True if the question was about a best solution. */
  best?: boolean;
  /** `yes`, `no`, `cannot happen` (the instance) or `don't know`. */
  answer: string;
}

/** Asks which of several models is meant: returns the next question. */
export interface Ask {
  /** A number of seconds. */
  limit?: number;
  /** The threads of the search; a page has one. */
  threads?: number;
  /** The other models. If names differ, those in the model of the request are used. */
  candidates?: Text[];
  /** True if mutants of the model, each with one planted mistake, are candidates, too. */
  mutants?: boolean;
  /** Variables and parameters of the model as expressions of another candidate; needed if the names differ. */
  mapping?: { [name: string]: string };
  /** The answers so far, in their order. */
  answers?: GivenAnswer[];
  /** The number of small instances to generate if there are no data. */
  instances?: number;
}

/** Runs the test cases of a model. */
export interface Test {
  /** A number of seconds. */
  limit?: number;
  /** The threads of the search; a page has one. */
  threads?: number;
  /** The text with the cases, in its comments; the model, if it is not given. */
  cases?: Text;
  /** The texts that the cases name with `$ data: NAME`. */
  files?: Text[];
  /** Run only the cases whose name contains this. */
  only?: string;
  /** True to run the cases in the comments of `files`, too. */
  all?: boolean;
  /** True to plant mistakes in the model, and to find out which of them no case notices. */
  mutants?: boolean;
  /** The number of small instances to generate for mutants that no case notices. */
  instances?: number;
}

/** The values that are set on a board, and the questions about it. */
export interface Board {
  /** A number of seconds. */
  limit?: number;
  /** The threads of the search; a page has one. */
  threads?: number;
  /** The constraints of the values that are set, as the cells have them. */
  set?: string[];
  /** The number of solutions to find that keep these values (default: none). */
  solutions?: Count;
  /** True to find out the possible values. */
  possible?: boolean;
  /** The names of cells that are asked about first. */
  first?: string[];
  /** A solution; only better ones are searched for. */
  better?: Text;
  /** Solutions; the search is for one that is at least as good as the first of them and differs as much as possible
   * from the most similar one. */
  different?: Text[];
  seed?: number;
  /** True to draw the solutions. */
  pictures?: boolean;
}

/** A step of a session, which can be taken back. */
export type SessionStep = { require: Expressions } | { set: NewValues } | { undo: number };

/** An expression in Essence, or a list of them. */
export type Expressions = string | string[];

/** Values of parameters: parameter files and tables, statements in Essence, or an object with a member for each
 * parameter. */
export type NewValues = Text[] | string | { [name: string]: Json };

/** The solve options of a session. */
export interface SessionSolve {
  /** A number of seconds. */
  limit?: number;
  /** The threads of the search; a page has one. */
  threads?: number;
  seed?: number;
  /** True to draw the solutions. */
  pictures?: boolean;
}

/** The steps of a session. */
export interface Session {
  /** The steps, taken one after the other. */
  steps?: SessionStep[];
  /** The solve options, if the instance is to be solved after the steps. */
  solve?: SessionSolve;
}

/** A third of the puzzles of one kind, by their difficulty. */
export type WantedDifficulty = "easy" | "medium" | "hard";

/** Makes puzzles: data with exactly one solution. The data of the request keep their values, except for the clues. */
export interface Puzzle {
  /** A number of seconds. */
  limit?: number;
  /** The threads of the search; a page has one. */
  threads?: number;
  /** The number of puzzles (default 1); 0 only finds out which parameters hold clues. */
  number?: number;
  /** The parameters whose clues are chosen (default: those that fix parts of the answer). */
  clues?: string[];
  /** The wanted difficulty (default: any). */
  difficulty?: WantedDifficulty;
  /** True if a half turn of the board must map the pattern of the clues to itself. */
  symmetric?: boolean;
  /** The same seed makes the same puzzles. */
  seed?: number;
}

/** Explains a word. */
export interface Explain {
  /** A word or sign of Essence, or an error code such as `E0301`. */
  word: string;
}

/** A puzzle as a parameter file. */
export interface Import {
  /** The name of a format. */
  format: string;
  /** The puzzle. */
  puzzle: Text;
}

/** The instances in a text of data. */
export interface DataFile {
  /** The data; JSON may hold several instances. */
  file: Text;
}

/** The result of `check` and of `examine`. */
export interface CheckResult {
  /** The errors and warnings of the model and the data. */
  diagnostics: Diagnostic[];
}

/** An error or a warning. The first label, if there is one, is its place. */
export interface Diagnostic {
  /** `error` or `warning`. */
  severity: Severity;
  /** Its code, such as `E0201`. */
  code: string;
  message: string;
  labels: Place[];
  help: string[];
  notes: string[];
  /** The edits that together correct the mistake. */
  edits: Edit[];
  /** The diagnostic as text for people, with the lines that it is about. */
  rendered: string;
}

export type Severity = "error" | "warning";

/** A part of a text. Positions count units of UTF-16, lines and columns count from 1, columns in characters; the end is
 * exclusive. */
export interface Place {
  /** The name of the text. */
  file: string;
  /** The first position. */
  from: number;
  /** The position after the last one. */
  to: number;
  /** The first line. */
  line: number;
  /** The first column. */
  column: number;
  /** The last line. */
  end_line: number;
  /** The column after the last one. */
  end_column: number;
  /** The statement about the place; for an edit, the replacement. */
  text?: string;
}

/** A change of a text: `text` replaces the range. Several edits are made together, so their positions refer to the text
 * before any of them. */
export interface Edit {
  file: string;
  from: number;
  to: number;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  text: string;
}

/** The result of `complete`. */
export interface CompletionsResult {
  /** The completions, the likeliest first. */
  items: CompletionItem[];
}

/** A completion at a position. */
export interface CompletionItem {
  /** The word. */
  label: string;
  /** A kind of name, or `field`, `function`, `operator`, `attribute`, `keyword`, `snippet`. */
  kind: string;
  /** The text to insert, with placeholders such as `${1:name}` for the parts to fill in next. */
  snippet: string;
  /** The first position that is replaced. */
  from: number;
  /** The position after the last one that is replaced. */
  to: number;
  /** A type or a domain. */
  detail: string;
  /** The explanation in Markdown. */
  documentation: string;
  /** True if the type of the completion fits at the position. */
  fits: boolean;
}

/** The result of `hover`. */
export interface HoverResult {
  /** The explanation at the position. */
  hover: HoverText | null;
}

/** The explanation of a part of a text. */
export interface HoverText {
  /** The first position of the part. */
  from: number;
  /** The position after the part. */
  to: number;
  /** The explanation in Markdown. */
  markdown: string;
}

/** The result of `signature`. */
export interface SignatureResult {
  /** The call around the position. */
  signature: CallSignatures | null;
}

/** The signatures of a call. */
export interface CallSignatures {
  /** The operand that is being written, counted from 0. */
  active: number;
  /** The signatures that fit so far. */
  signatures: Signature[];
}

/** A signature of an operator. */
export interface Signature {
  /** The whole signature. */
  label: string;
  /** The operands, as substrings of the label. */
  operands: string[];
  /** The explanation in Markdown. */
  documentation: string;
}

/** The result of `definition`. */
export interface DefinitionResult {
  /** The declaration. */
  place: Place | null;
}

/** The result of `references`. */
export interface ReferencesResult {
  /** The places in all texts of the request, the declaration included. */
  places: Place[];
}

/** The result of `rename`. */
export interface EditsResult {
  /** The changes of all texts of the request. */
  edits: Edit[];
}

/** The result of `symbols`. */
export interface SymbolsResult {
  /** The statements. */
  symbols: Outline[];
}

/** A part of an outline. */
export interface Outline {
  /** The name. */
  name: string;
  /** A kind of name; `null` for statements that declare nothing. */
  kind: string | null;
  /** A type or a domain. */
  detail: string;
  /** The first position. */
  from: number;
  /** The position after the last one. */
  to: number;
  /** The positions of the name. */
  selection: [number, number];
  /** The parts inside. */
  children: Outline[];
}

/** The result of `tokens`. */
export interface TokensResult {
  /** `[from, to, kind, declaration]`, in the order of the text; `declaration` is true for the name in its
   * declaration. `kind` is a kind of name, or `keyword`, `attribute`, `function`, `operator`, `number`, `comment`. */
  tokens: ([number, number, string, boolean])[];
}

/** The result of `inlay-hints`. */
export interface InlayHintsResult {
  /** The hints that an editor may show between the characters. */
  hints: InlayHint[];
}

/** A hint that an editor may show at a position. */
export interface InlayHint {
  /** The position. */
  at: number;
  /** The text. */
  text: string;
}

/** The result of `folding`. */
export interface FoldingResult {
  /** The ranges that an editor may fold. */
  ranges: FoldingRange[];
}

/** A part of a text that can be folded. */
export interface FoldingRange {
  /** The first position. */
  from: number;
  /** The position after the last one. */
  to: number;
  /** True for comments. */
  comment: boolean;
}

/** The result of `tree`. */
export interface TreeResult {
  /** The statements that could be read. A statement that could only be read by guessing has no parts. */
  statements: TreePart[];
  /** The first position of each comment, and the position after it. */
  comments: ([number, number])[];
}

/** A part of a text. The characters between its inner parts belong to the part itself. */
export interface TreePart {
  /** `statement`, `declaration` (a name in its declaration), `domain`, `operator` (an application), `literal`,
   * `name`, `hole` (`_`, for a missing expression), `quantified` or `expression` (any other one). */
  kind: string;
  /** The keyword of a statement, the sign of an operator, a name, a number; empty if there is none. */
  word: string;
  /** The type of an expression; empty if it is not known. */
  of_type: string;
  /** True if the part is an element of a list that can be extended, with a comma between its elements. */
  listed: boolean;
  /** The first position, with parentheses. */
  from: number;
  /** The position after the last one. */
  to: number;
  /** The parts inside, in the order of the text. */
  parts: TreePart[];
}

/** The result of `fit`. */
export interface FitResult {
  /** For each text, the places that it may replace without a further mistake; holes are not counted as mistakes. */
  fitting: (([number, number])[])[];
}

/** The result of `format`. */
export interface FormatResult {
  /** The whole text in the canonical layout. */
  formatted: string;
}

/** The result of `solve`. */
export interface SolveResult {
  /** `satisfied` (as many solutions as were wanted), `all solutions`, `optimal` (the last solution is a best one),
   * `unsatisfiable`, `time limit`, `interrupted` or `unknown`. */
  status: string;
  /** The reason why the solver gave up, if it did. */
  reason?: string;
  /** The same as a sentence for people. */
  says: string;
  /** The number of solutions. */
  solutions: number;
  /** The cause that ended the search early, such as `the time limit`. */
  stopped_by?: string;
  /** With an objective and an early end: the bounds of its best value, in its unit. */
  between?: [ObjectiveValue, ObjectiveValue];
  /** The drawing of the solutions, if the command has `--picture`. */
  text?: string;
  /** The costs of the search. */
  statistics: Statistics;
  /** The warnings. */
  warnings: Diagnostic[];
}

/** The values of an objective, or of several, which are compared one after the other. */
export type ObjectiveValue = number | number[];

/** The costs of a search. */
export interface Statistics {
  /** The solver that was asked for. */
  solver: string;
  /** The solver that searched. */
  method: string;
  /** The time of all phases. */
  seconds: number;
  /** With an objective, the best value that has not been ruled out, in steps of its unit. */
  bound: number | null;
  /** The phases in their order. */
  phases: Phase[];
}

/** A phase of a run. */
export interface Phase {
  /** Its name. */
  phase: string;
  /** Its time. */
  seconds: number;
  /** Its sizes and counters by their names. */
  counts: { [name: string]: number };
}

/** The result of `why`, `forced` and `hint`. */
export interface ExplainResult {
  /** The explanation. */
  answer: Explanation;
  /** The same as text for people. */
  text: string;
  /** A solution in Essence, if the answer has one. */
  solution: string | null;
  /** True if no limit ended the search. */
  complete: boolean;
  /** If a limit ended the search: the answer so far. */
  says: string;
  /** The warnings. */
  warnings: Diagnostic[];
}

/** An explanation, as `why` and `hint` print it with `--output-format=json`. */
export interface Explanation {
  /** The answer in a word or two. */
  verdict: string;
  /** The answer as a sentence. */
  says: string;
  /** The instance, if there are several. */
  instance?: string;
  /** The requirements, numbered from 1. */
  reasons?: Reason[];
  /** The rules behind the reasons, for readers who have no model. */
  rules?: Rule[];
  /** True if every reason is needed. */
  minimal?: boolean;
  /** Single changes that make a solution possible. */
  changes?: Change[];
  notes?: string[];
  steps?: Step[];
  given?: string[];
  /** The open possibilities. */
  open?: string[];
  /** A solution in Conjure's simple JSON. */
  solution?: object;
}

/** A requirement. */
export interface Reason {
  says: string;
  /** The requirement as people read it, with amounts in their units; missing if it is the same text. */
  reads?: string;
  /** The values of the quantified names. */
  with: string;
  /** The requirement in the words of its rule: a template, or the comment with the names of the instance. */
  words?: string;
  /** The templates for readers of other languages. */
  words_in?: { [name: string]: string };
  comes_to: Finding[];
  places: Place[];
  /** The instances of a constraint that are needed. */
  instances?: ConstraintInstance[];
}

/** The value of a part of a requirement. */
export interface Finding {
  with: string;
  says: string;
  is: string;
  because: string | null;
}

/** An instance of a constraint. */
export interface ConstraintInstance {
  says: string;
  with: string;
  /** The instance in the words of its rule. */
  words?: string;
  /** The templates for readers of other languages. */
  words_in?: { [name: string]: string };
  comes_to: Finding[];
}

/** A rule in words, with its instances. */
export interface Rule {
  /** The comment above the rule, or the filled templates of its instances; names of the model are in backquotes. */
  says: string[];
  /** The names of the instances; empty for templates. */
  names: string;
  /** The filled templates for readers of other languages. */
  says_in?: { [name: string]: string[] };
  /** The domain that states the rule. */
  domain?: RuleOfDomain;
  /** The numbers of the reasons. */
  reasons: number[];
}

/** A bound or an attribute of a domain, for sentences in other languages. */
export interface RuleOfDomain {
  /** The restricted part: "component 1 of each image of `lesson`". */
  what: string;
  /** The attribute, such as `total`; empty for bounds and for lists of values. */
  attribute: string;
  /** The singular noun for the counted things of a size; empty for the bounds of numbers. */
  counted: string;
  least: string | null;
  most: string | null;
}

/** A change of the model or of the data: its text replaces the place. */
export interface Change {
  /** The number of the reason that the change is about. */
  reason: number;
  /** `leave out`, `exception`, `leave out entry` or `other number`. */
  change: string;
  says: string;
  place: Place;
  text: string;
}

/** A step of a hint. */
export interface Step {
  says: string;
  because: string[];
  reasons: Reason[];
}

/** The result of `search`. */
export interface SearchResult {
  /** A run of each strategy. */
  searched: Searched[];
  /** A page with the trees and the domains at each step. */
  page: string | null;
  /** The warnings. */
  warnings: Diagnostic[];
}

/** A search with one strategy. */
export interface Searched {
  /** The strategy, such as `fc+mrv`. */
  strategy: string;
  /** `solved`, `unsatisfiable` or `stopped`. */
  verdict: string;
  /** The number of assignments that were tried. */
  nodes: number;
  /** The number of dead ends. */
  dead_ends: number;
  /** The number of constraint checks. */
  checks: number;
  /** The number of values that propagation has removed. */
  prunings: number;
  /** The time. */
  seconds: number;
  /** The solution in Essence. */
  solution: string | null;
  /** The steps as text, if they are wanted; otherwise empty. */
  transcript: string;
}

/** The result of `explore`. */
export interface ExploreResult {
  /** `all`, `sample` or `first`. */
  extent: string;
  /** The number of solutions that were enumerated. */
  found: number;
  /** The estimated number of all solutions, if not all were enumerated. */
  estimate: number | null;
  /** True if no limit ended the search. */
  complete: boolean;
  /** The same for people, with the values that the parts of the decision variables can have. */
  text: string;
  /** The parts of the decision variables, with the possible values of each, and the estimate with its confidence. */
  space: Space;
  /** An HTML page; `null` if there is no solution, or if no page was requested. */
  page: string | null;
  /** The warnings. */
  warnings: Diagnostic[];
}

/** The space of solutions, as `explore` prints it with `--output-format=json`, without the solutions. */
export interface Space {
  extent: string;
  found: number;
  estimate: SpaceEstimate | null;
  /** The parts of the decision variables that have several values in their domains. */
  parts: SpacePart[];
  /** The number of symmetries that the model shows. */
  symmetries: number;
  complete: boolean;
}

/** An estimate of the number of solutions: with this confidence, the number is at most `factor` times larger or
 * smaller. */
export interface SpaceEstimate {
  solutions: number;
  factor: number;
  confidence: number;
}

/** A part of a decision variable. */
export interface SpacePart {
  /** The name, such as `board[1, 2]`. */
  name: string;
  /** The only value that the part has in all solutions. */
  backbone: string | null;
  /** The values of its domain. */
  values: SpaceValue[];
}

/** A value that a part could have by its domain. */
export interface SpaceValue {
  value: string;
  /** The value as a constraint, such as `board[1, 2] = 3`. */
  constraint: string;
  /** True if a solution has the value; `null` if that is not known. */
  possible: boolean | null;
  /** The number of enumerated solutions that have the value. */
  solutions: number;
}

/** The result of `validate`; a failure has the diagnostics of the solution. */
export interface ValidateResult {
  /** True. */
  valid: boolean;
  /** A drawing of the solution. */
  svg: string;
  /** The warnings. */
  warnings: Diagnostic[];
}

/** The result of `evaluate`. */
export interface EvaluateResult {
  /** The value and its type for people. */
  text: string;
  /** The value in Essence. */
  essence: string;
  /** Its type. */
  of_type: string;
  /** The value in Conjure's simple JSON. */
  json: Json;
  /** The warnings. */
  warnings: Diagnostic[];
}

/** The result of `shape`. */
export interface ShapeResult {
  /** The solution in the wanted shape. */
  shaped: Json;
}

/** The result of `grade`. */
export interface GradeResult {
  /** Why the answer cannot be compared: `syntax`, `types` or `interface`; `null` if it can. */
  rejected: string | null;
  /** The diagnostics of an answer that cannot be compared. */
  diagnostics?: Diagnostic[];
  /** The number of instances. */
  instances: number;
  /** The result for each instance. After an instance that is too slow, no further instance is tried. */
  results: Graded[];
}

/** The result for an instance of an exercise. */
export interface Graded {
  /** The name of the instance. */
  name: string;
  /** The data of the instance. */
  data: string;
  /** `right`, `allows`, `refuses`, `objective`, `interface` or `slow`. */
  result: string;
  /** True if all solutions were compared. */
  complete: boolean;
  /** A solution about which the answer and the reference differ. */
  solution: string | null;
  /** The values of the answer and of the reference, if these differ. */
  objectives: [string | null, string | null] | null;
  /** Why the answer refuses the solution. */
  because: Refusal | null;
  /** The requirements of the reference that the answer lacks. */
  hint: string | null;
  /** The diagnostics of the answer for these data. */
  diagnostics: Diagnostic[] | null;
}

/** Why a model refuses a solution: the requirements that it breaks, or a value outside of its domain. */
export interface Refusal {
  /** The requirements that the solution breaks. */
  answer?: Explanation;
  /** The diagnostics of a value outside of its domain. */
  diagnostics?: Diagnostic[];
}

/** The result of `compare`. */
export interface CompareResult {
  /** True if no difference was found. */
  same: boolean;
  /** True if this answer is certain. */
  complete: boolean;
  /** The same as text for people. */
  text: string;
  /** The number of instances on which the models were compared. */
  instances: number;
  /** The data on which the models differ; `null` without data. */
  instance?: ComparedInstance;
  /** The difference. */
  difference?: Difference;
}

/** The data on which two models differ. */
export interface ComparedInstance {
  /** The name. */
  name: string;
  /** The data. */
  text: string;
  /** True if the data were generated. */
  made_up: boolean;
}

/** The difference of two models. */
export interface Difference {
  /** The kind of difference. */
  kind: DifferenceKind;
  /** The solution. */
  solution: string;
  /** Why the other model refuses the solution. */
  because: Refusal | null;
  /** The two values of the objectives, if these differ. */
  objectives: [string | null, string | null] | null;
  /** A drawing of the solution, if it is best shown so. */
  svg?: string;
}

/** The kind of difference between a model and a reference. */
export type DifferenceKind = "allows" | "refuses" | "objective";

/** The result of `review`. */
export interface ReviewResult {
  /** True if anything has changed, or could not be compared. */
  different: boolean;
  /** The summary for people. */
  says: string;
  /** The changed parameters, decision variables and types, in words. */
  interface: string[];
  /** The instances. */
  instances: ReviewedInstance[];
}

/** The review of an instance. */
export interface ReviewedInstance {
  /** The name of the data; empty for a model without parameters. */
  name: string;
  /** The data, if they were generated. */
  made_up?: string;
  /** A solution that the new version allows, and the old one refuses. */
  gained?: Difference;
  /** A solution that the old version allows, and the new one refuses. */
  lost?: Difference;
  /** If nothing was gained or lost: a solution with another value or direction of the objective. */
  objective?: Difference;
  /** Sentences about the instance as a whole. */
  says: string[];
  /** The reason why the data do not fit a version, or why the versions cannot be compared. */
  diagnostics: Diagnostic[];
}

/** The result of `ask`. */
export interface AskResult {
  /** The next question; `null` if the remaining models agree, or none remains. */
  question: AskedQuestion | null;
  /** The names of the remaining models. */
  left: string[];
  /** The models that an answer refutes. */
  refuted: RefutedModel[];
  /** For people: the models that remain, and the extent of the checks. */
  says: string;
  /** The answers as test cases. */
  cases: string;
}

/** A question about several models. */
export interface AskedQuestion {
  /** The question in a sentence. */
  asks: string;
  /** The data of the instance. */
  data: InstanceText[];
  /** The candidate solution. */
  solution: string;
  /** True if the question is about a best solution. */
  best: boolean;
  /** The remaining models that say yes. */
  yes: string[];
  /** The remaining models that say no. */
  no: string[];
  /** The question for people, with the instance and the candidate solution. */
  text: string;
  /** A drawing of the candidate solution, if it is best shown so. */
  svg?: string;
}

/** The data of an instance. */
export interface InstanceText {
  /** The name. */
  name: string;
  /** The data. */
  text: string;
}

/** A model that an answer refutes. */
export interface RefutedModel {
  /** Its name. */
  model: string;
  /** The number of the answer, counted from 1. */
  answer: number;
}

/** The result of `test`. */
export interface TestResult {
  /** The cases, in the order of the texts. */
  cases: TestedCase[];
  /** The mutants, in the order of the text, if they are wanted. */
  mutants?: TestedMutant[];
  /** For people: the number of mutants that the cases notice. */
  score?: string;
}

/** The result of a test case. */
export interface TestedCase {
  /** The name of the text. */
  file: string;
  /** The name of the case; empty if it has none. */
  name: string;
  /** The line on which the case starts, counted from 1. */
  line: number;
  /** `passed`, `not decided`, `failed` or `broken`. */
  verdict: string;
  /** The time of the case in seconds. */
  seconds: number;
  /** A finding for each line of the case that does not hold. */
  findings: TestFinding[];
}

/** A line of a test case that does not hold. */
export interface TestFinding {
  /** `not decided`, `failed` or `broken`. */
  verdict: string;
  /** The line of the text with the cases, counted from 1. */
  line: number;
  /** The expected and the found answer, on one line. */
  says: string;
  /** The evidence for people: a solution, an explanation, errors. */
  text: string;
  /** The text and the line that are to blame. */
  blames?: BlamedLine;
  /** The solution in the evidence. */
  solution?: string;
  /** A drawing of the solution, if it is best shown so. */
  svg?: string;
  /** The explanation that shows why the line does not hold. */
  because?: Refusal;
}

/** A line that is to blame for a test case that failed. */
export interface BlamedLine {
  /** The name of the text. */
  file: string;
  /** The line, counted from 1. */
  line: number;
}

/** A mutant of the model: a planted mistake. */
export interface TestedMutant {
  /** The line of the mistake, counted from 1. */
  line: number;
  /** The mistake in a few words. */
  says: string;
  /** `noticed`, `not noticed`, `means the same` or `not certain`. */
  status: string;
  /** The instance on which no case notices the mutant. */
  data?: InstanceText[];
  /** The difference that no case notices, with the mutant compared with the model. */
  difference?: Difference;
  /** A test case that the model passes and the mutant fails, if one can be written. */
  case?: string;
}

/** The result of `fix`. */
export interface FixResult {
  /** The model after all certain fixes. */
  text: string;
  /** The fixes that were made. */
  fixes: FixedMistake[];
  /** The remaining mistakes. */
  diagnostics: Diagnostic[];
}

/** A fix that was made. */
export interface FixedMistake {
  /** The line of the mistake when it was fixed, counted from 1. */
  line: number;
  /** The mistake. */
  message: string;
  /** The fix in words. */
  help: string;
}

/** The result of `instance`. */
export interface InstanceResult {
  /** The parameters. */
  givens: string[];
  /** The decision variables. */
  finds: string[];
  /** True if there is an objective. */
  optimising: boolean;
  /** The warnings. */
  warnings: Diagnostic[];
}

/** The result of `declare`. */
export interface DeclareResult {
  /** The declarations of the model, in its order. */
  declared: Declared[];
}

/** A declaration. */
export interface Declared {
  /** `given`, `find`, `given type` or `letting`. */
  kind: string;
  /** The name. */
  name: string;
  /** The domain as the model writes it. */
  text: string | null;
  /** The structure of the domain. */
  domain: DeclaredDomain;
}

/** The structure of a domain, without attributes and bounds. */
export interface DeclaredDomain {
  /** `bool`, `int`, `enum`, `unnamed`, `tuple`, `record`, `variant`, `matrix`, or the word of a collection. */
  kind: string;
  /** The domains inside; a matrix has those for its indices and, last, its elements. */
  parts: DeclaredDomain[];
  /** The fields of a record or variant, or the members of a type, as far as they are known. */
  names: string[];
  /** The name of a type. */
  name: string;
  /** The first and the last value of each range in `colour(red..green, blue)` or `int(0..n)`. */
  limits: ([string, string])[];
  /** The size of a step of integers, such as `0.01`. */
  unit?: string;
}

/** The result of `form`. */
export type FormResult = Form;

/** The parameters to enter. */
export interface Form {
  /** The first line of the comment at the top. */
  title: string;
  /** The other lines. */
  about: string;
  /** The directives of comments that start with `app:`. */
  directives: string[];
  parameters: Parameter[];
  variables: Parameter[];
  /** The constraints and the conditions on the data. */
  requirements: Requirement[];
  maximises: boolean | null;
  /** The comment above the objective. */
  objective: string | null;
  /** The unit of each goal. */
  objective_units: (string | null)[];
  /** The data as a parameter file. */
  essence: string;
}

/** A parameter or a decision variable. */
export interface Parameter {
  name: string;
  /** The comment above the declaration, with an empty line between paragraphs. */
  comment: string;
  unit: string | null;
  domain: Domain;
  /** The value of a parameter in Conjure's simple JSON. */
  value: Json;
}

/** A domain, with the domains inside. */
export interface Domain {
  /** `bool`, `int`, `enum`, `type` (a `given` type), `tuple`, `record`, `variant`, `matrix`, or the word of a
   * collection. */
  kind: string;
  /** The domains inside; a matrix has its index and its elements. */
  parts?: Domain[];
  /** The fields of a record. */
  names?: string[];
  /** The members of an enumerated type that are in the domain. */
  members?: string[];
  /** True if the type has further members, which are not in the domain. */
  partial?: boolean;
  /** The name of an enumerated type, or of a domain that a `letting` names. */
  name?: string;
  /** The ranges of integers in steps of the unit; an open end is `null`, and so are ranges that are not known yet. */
  ranges?: ([number | null, number | null])[];
  /** The unit of integers, such as `0.01`. */
  unit?: string;
  /** True for a total function. */
  total?: boolean;
  /** The minimum size. */
  least?: number;
  /** The maximum size. */
  most?: number;
}

/** A constraint or a condition on the data. */
export interface Requirement {
  first_line: number;
  last_line: number;
  comment: string;
  /** The text of a requirement that people may switch off. */
  optional: string | null;
}

/** The result of `board`. */
export interface BoardResult {
  /** For each value of each cell: true if it occurs in a solution that keeps the other set cells; `null` if that is
   * not known. */
  possible: ((boolean | null)[])[];
  /** A minimal set of set constraints that no solution satisfies together. */
  conflict: string[] | null;
  /** As for `solve`; `null` if no solutions were requested. */
  status: string | null;
  /** The number of solutions. */
  solutions: number;
  /** True if the possibility of each value is known. */
  complete: boolean;
}

/** The result of `session`. */
export interface SessionResult {
  /** The number of steps that can be taken back. */
  steps: number;
  /** `satisfied` (as many solutions as were wanted), `all solutions`, `optimal` (the last solution is a best one),
   * `unsatisfiable`, `time limit`, `interrupted` or `unknown`. */
  status?: string;
  /** The reason why the solver gave up, if it did. */
  reason?: string;
  /** The same as a sentence for people. */
  says?: string;
  /** The number of solutions. */
  solutions?: number;
  /** The cause that ended the search early, such as `the time limit`. */
  stopped_by?: string;
  /** With an objective and an early end: the bounds of its best value, in its unit. */
  between?: [ObjectiveValue, ObjectiveValue];
  /** The drawing of the solutions, if the command has `--picture`. */
  text?: string;
}

/** The result of `puzzle`. */
export interface PuzzleResult {
  /** The parameters whose clues are chosen. */
  clues: string[];
  /** The puzzles. */
  puzzles: MadePuzzle[];
  /** False if a limit ended the search before all puzzles were made. */
  complete: boolean;
}

/** A puzzle, and the steps of `hint` that lead to its solution. */
export interface MadePuzzle {
  /** The data, as a parameter file. */
  data: string;
  /** The number of clues. */
  clues: number;
  /** The number of steps. */
  steps: number;
  /** The number of steps that combine several requirements. */
  combined: number;
  /** The largest number of requirements that a step combines. */
  requirements: number;
  /** The length of the longest chain of steps. */
  depth: number;
}

/** The end of a search. */
export interface SearchEnded {
  /** `satisfied` (as many solutions as were wanted), `all solutions`, `optimal` (the last solution is a best one),
   * `unsatisfiable`, `time limit`, `interrupted` or `unknown`. */
  status: string;
  /** The reason why the solver gave up, if it did. */
  reason?: string;
  /** The same as a sentence for people. */
  says: string;
  /** The number of solutions. */
  solutions: number;
  /** The cause that ended the search early, such as `the time limit`. */
  stopped_by?: string;
  /** With an objective and an early end: the bounds of its best value, in its unit. */
  between?: [ObjectiveValue, ObjectiveValue];
  /** The drawing of the solutions, if the command has `--picture`. */
  text?: string;
}

/** The result of `explain` and `draw` (for people) and of `import` (a parameter file). */
export interface TextResult {
  /** The text. */
  text: string;
}

/** The result of `instances`. */
export interface InstancesResult {
  /** The instances that a text of data holds. */
  instances: InstanceText[];
}

/** The result of `operators`. */
export interface OperatorsResult {
  /** The rows of the table of operators, in the order of the manual: one for each signature of an operator. */
  operators: OperatorAbout[];
}

/** A row of the table of operators. */
export interface OperatorAbout {
  /** The word or the sign. */
  word: string;
  /** The family, such as `sets`. */
  family: string;
  /** An application with `_` for each operand, such as `_ + _`. */
  form: string;
  /** The operands' types and the result's, such as `(T, set of T) -> bool`, in which a capital letter is any type. */
  signature: string;
  /** The meaning in one sentence. */
  sentence: string;
  /** The precedence of an operator between or before its operands; a higher number binds tighter. */
  precedence: number | null;
  /** The grouping of a chain of operators: `left`, `right`, or `none` if parentheses are needed; `null` if the
   * operator is not written between operands. */
  associativity: string | null;
}

/** The result of `about`. */
export interface AboutResult {
  /** The version of conjure-like. */
  version: string;
  /** The solvers of this build. */
  solvers: SolverAbout[];
  /** The formats of puzzles. */
  formats: FormatAbout[];
  /** The strategies that `compare` compares. */
  strategies: string[];
}

/** A solver of this build. */
export interface SolverAbout {
  /** Its name. */
  name: string;
}

/** A format of puzzles. */
export interface FormatAbout {
  /** Its name. */
  name: string;
  /** The description. */
  description: string;
  /** The model that takes data in this format. */
  model: string;
}

/** A solution. */
export interface Solution {
  type: "solution";
  /** Its number, counted from 1. */
  number: number;
  /** The solution in Essence. */
  essence: string;
  /** The solution in Conjure's simple JSON. */
  json: { [name: string]: Json };
  /** The value of each decision variable in Essence, on one line. */
  values: { [name: string]: string };
  /** The value of the objective in its unit, or of several, which are compared one after the other; `null` without
   * one. */
  objective: ObjectiveValue | null;
  /** The value of the objective as people read it, such as `12.50`. */
  objective_shown?: string;
  /** The solution in the wanted shape. */
  shaped?: Json;
  /** A drawing of the solution, if that is wanted. */
  svg?: string;
  /** On a board: a drawing of the variables that the cells do not show, if there are any. */
  whole?: string;
  /** On a board: the position of the value of each cell. */
  chosen?: (number | null)[];
  /** On a board: the displayed values of the cells that cannot be set, keyed by the positions of the cells. */
  shown?: { [name: string]: string };
  /** On a board with `different`: the number of differing places. */
  distance?: number;
  /** For a model with wishes: the names of the broken ones. */
  broken_wishes?: string[];
}

/** An explanation so far. */
export interface Progress {
  type: "progress";
  /** The explanation. */
  answer: Explanation;
  /** The same as text for people. */
  text: string;
}

/** The number of instances of an exercise that have been tried. */
export interface GradeProgress {
  type: "progress";
  /** The number of instances that have been tried. */
  graded: number;
  /** The number of all instances. */
  of: number;
}

/** A test case or a mutant that has been tested. */
export interface TestProgress {
  type: "progress";
  /** The test case. */
  case?: TestedCase;
  /** The mutant. */
  mutant?: TestedMutant;
  /** The number of all cases, or of all mutants. */
  of: number;
}

/** The state of a search. */
export interface SearchProgress {
  /** The seconds since its start. */
  seconds: number;
  /** The number of solutions. */
  solutions: number;
  /** The best value of the objective in its unit, or of several; `null` without one. */
  objective: ObjectiveValue | null;
}

/** A cell of a board. */
export interface BoardCell {
  /** The part of a decision variable, such as `rota[Ada, 1]`. */
  name: string;
  /** The decision variable. */
  variable: string;
  /** The indices, arguments, fields and members that lead to it, as people read them, such as `Ada` and `1`. */
  labels: string[];
  /** The values as people read them, each with its constraint. A cell with one value is already known; a cell without
   * values is shown and cannot be set. */
  values: ([string, string])[];
}

/** A drawing of a board without values, with the places of its cells. */
export interface BoardStage {
  /** The drawing. */
  svg: string;
  /** The places that show the values of cells. */
  slots: BoardSlot[];
  /** The outline of the sign `queen`, in a square of 45. */
  queen: string;
}

/** A place in the drawing of a board. */
export interface BoardSlot {
  /** The position of the cell. */
  cell: number;
  /** If the place only shows whether the cell has one value: the position of this value. */
  value: number | null;
  /** The position of the value that the data give the cell as a hint. */
  given?: number;
  /** The way to show a value: `text`, `tone`, `dot`, `queen` or `fill`. */
  mark: string;
  /** The left and the upper edge, the width and the height. */
  rectangle: [number, number, number, number];
  /** The text that is written there for every value; empty if there is none. */
  label: string;
  /** If values are shown as colours: the fill and the text colour for each value of the cell. */
  paints?: ([string, string])[];
}

/** The cells of a board; the first line of its answer. */
export interface Cells {
  type: "cells";
  /** The cells. */
  cells: BoardCell[];
  /** The drawing of the board, if that is wanted and there is one. */
  stage?: BoardStage;
}

/** A line of the answer to `board` before the last one. */
export type BoardLine = Cells | Solution;

/** What can be asked: the further members of each request, the members of its result, and the lines before that. */
export interface Verbs {
  "check": [asks: Check, result: CheckResult, line: never];
  "examine": [asks: Examine, result: CheckResult, line: never];
  "complete": [asks: Position, result: CompletionsResult, line: never];
  "hover": [asks: Position, result: HoverResult, line: never];
  "signature": [asks: Position, result: SignatureResult, line: never];
  "definition": [asks: Position, result: DefinitionResult, line: never];
  "references": [asks: Position, result: ReferencesResult, line: never];
  "rename": [asks: Rename, result: EditsResult, line: never];
  "symbols": [asks: Subject, result: SymbolsResult, line: never];
  "tokens": [asks: Subject, result: TokensResult, line: never];
  "inlay-hints": [asks: Part, result: InlayHintsResult, line: never];
  "folding": [asks: Subject, result: FoldingResult, line: never];
  "tree": [asks: Subject, result: TreeResult, line: never];
  "fit": [asks: Fit, result: FitResult, line: never];
  "format": [asks: Format, result: FormatResult, line: never];
  "solve": [asks: Solve, result: SolveResult, line: Solution];
  "why": [asks: Why, result: ExplainResult, line: Progress];
  "forced": [asks: Forced, result: ExplainResult, line: Progress];
  "hint": [asks: Hint, result: ExplainResult, line: Progress];
  "search": [asks: Search, result: SearchResult, line: never];
  "explore": [asks: Explore, result: ExploreResult, line: never];
  "validate": [asks: Validate, result: ValidateResult, line: never];
  "draw": [asks: Draw, result: TextResult, line: never];
  "shape": [asks: Shape, result: ShapeResult, line: never];
  "evaluate": [asks: Evaluate, result: EvaluateResult, line: never];
  "grade": [asks: Grade, result: GradeResult, line: GradeProgress];
  "compare": [asks: Compare, result: CompareResult, line: never];
  "review": [asks: Review, result: ReviewResult, line: never];
  "ask": [asks: Ask, result: AskResult, line: never];
  "test": [asks: Test, result: TestResult, line: TestProgress];
  "fix": [asks: object, result: FixResult, line: never];
  "instance": [asks: object, result: InstanceResult, line: never];
  "declare": [asks: object, result: DeclareResult, line: never];
  "form": [asks: object, result: FormResult, line: never];
  "board": [asks: Board, result: BoardResult, line: BoardLine];
  "session": [asks: Session, result: SessionResult, line: Solution];
  "puzzle": [asks: Puzzle, result: PuzzleResult, line: never];
  "operators": [asks: object, result: OperatorsResult, line: never];
  "explain": [asks: Explain, result: TextResult, line: never];
  "import": [asks: Import, result: TextResult, line: never];
  "instances": [asks: DataFile, result: InstancesResult, line: never];
  "about": [asks: object, result: AboutResult, line: never];
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type Verb = keyof Verbs;

/** A request: the verb, the texts that it is about, and the further members of its verb. */
export interface Request {
  verb: string;
  model?: Text;
  data?: Text[];
  [member: string]: unknown;
}

/** The errors and warnings about a request and its texts. */
export interface Failure {
  type: "failure";
  diagnostics: Diagnostic[];
}

/** The further members of a request. */
export type Members<V extends Verb> = Verbs[V][0];

/** The last line, unless it is a failure. */
export type Result<V extends Verb> = { type: "result"; warnings?: Diagnostic[] } & Verbs[V][1];

/** A line before the last one. */
export type Line<V extends Verb> = Verbs[V][2];

/** The last line. */
export type Answer<Members> = ({ type: "result"; warnings?: Diagnostic[] } & Members) | Failure;

/** A solution of `board`. */
export type Filled = Solution & { chosen: (number | null)[] };
