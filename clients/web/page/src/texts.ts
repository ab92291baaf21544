// All texts of the pages. A translation is another file with the same members.

import { number, plural, seconds } from "./numbers";

export const texts = {
  welcome: "Describe a puzzle or a plan, and this page finds a solution. Here it has placed eight queens so that none attacks another.",
  brand: "Essence",
  pageTitle: "Essence in the browser",
  description: "Write models in Essence, solve them, and see why there is no solution. Everything runs in your browser.",
  home: "Essence, start page",
  name: "Name of the model",
  untitled: "Untitled",
  result: "Results",
  resultsOf: (part: string) => `Results: ${part}`,
  views: "Parts of the page",
  viewNames: [
    ["model", "Model"],
    ["data", "Data"],
    ["result", "Results"],
  ] as [string, string][],
  divider: { row: "Height of the model", column: "Width of the texts" },
  noScript: "This page needs JavaScript and WebAssembly. It sends nothing anywhere: the solver runs in your browser.",
  loading: "Loading …",
  saved: "The files are in your downloads.",
  notText: (name: string) => `${name} is not a text file, so it was not opened.`,
  stop: "Stop",
  stopped: "Stopped.",
  running: (time: number) => `Running, ${time.toFixed(1)} s`,
  done: (time: number) => `Done in ${seconds(time)}`,
  seconds,
  number,
  time: (time: number) => new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }),
  place: (file: string, line: number) => `${file}, line ${line}`,
  problems(errors: number, warnings: number): string {
    const parts = [errors > 0 && plural(errors, "mistake"), warnings > 0 && plural(warnings, "warning")].filter(
      Boolean,
    );
    return parts.length > 0 ? parts.join(", ") : "no mistakes";
  },

  menu: {
    name: "Menu",
    new: "New",
    examples: "Examples",
    share: "Share",
    open: "Open",
    save: "Save",
    history: "History",
    learn: "Learn",
    settings: "Settings and keys",
    theme: "Theme: light or dark",
  },

  engine: {
    missing: "The solver could not be loaded. Check your connection and load the page again.",
  },

  editor: { fix: "Fix it", help: "Help:", note: "Note:" },

  model: {
    name: "Model",
    label: "The model, in Essence",
    placeholder: "Write a model in Essence here, or choose one of the examples.",
    format: "Format",
    view: "How the model is shown",
    steps: "Changes to the model",
    asText: "Text",
    asBlocks: "Blocks",
    loading: "Loading the blocks …",
    unloaded: "The blocks could not be loaded. Are you offline?",
  },

  blocks: {
    bar: "Blocks",
    add: "Add a statement",
    delete: "Delete",
    replace: "Replace",
    more: "Add one more",
    choose: "What goes here?",
    nothingFits: "Nothing fits here. Perhaps the names that you need are not declared yet.",
    number: "A number",
    put: "Put it here",
    unread: "A part of the model cannot be read, so blocks cannot show it. Fix it in the text, then come back.",
    unfit: "This block does not fit there: it has the wrong type.",
    wordUnfit: (word: string) => `${word} does not fit here: it has the wrong type.`,
    families: {
      statements: "statements",
      names: "names",
      literals: "values",
      quantified: "for all, sums",
      lists: "lists and matrices",
      domains: "domains",
      around: "around this block",
    },
    /** The meanings of the forms that are not in the table of operators. */
    says: {
      "find x : int(1.._)": "A decision variable: a number that the solver finds.",
      "find x : _": "A decision variable with another domain.",
      "such that\n    _": "Requirements that every solution must meet.",
      "given n : int(1.._)": "A parameter: the data give its value.",
      "given n : _": "A parameter with another domain.",
      "where\n    _": "A condition on the parameters.",
      "letting n be _": "A name for a value.",
      "minimising _": "Find the solution with the smallest value.",
      "maximising _": "Find the solution with the largest value.",
      "forAll i : int(1.._) . _": "A condition that must hold for each value of the domain.",
      "exists i : int(1.._) . _": "A condition that must hold for at least one value of the domain.",
      "sum i : int(1.._) . _": "The sum over all values of the domain.",
      "forAll i, j : int(1.._) . _": "A condition that must hold for each pair of values of the domain.",
      "forAll i : int(1.._), _ . _": "A condition that must hold for each value of the domain that meets another condition.",
      "exists i : int(1.._), _ . _": "A condition that must hold for at least one value of the domain that meets another condition.",
      "sum i : int(1.._), _ . _": "The sum over all values of the domain that meet a condition.",
      "forAll i in _ . _": "A condition that must hold for each member of a collection.",
      "[_ | i : int(1.._)]": "A list with the value of an expression for each value of the domain.",
      "[_ | i : int(1.._), _]": "A list with the value of an expression for each value that meets a condition.",
      "_[_]": "An element of a matrix.",
      "_[_, _]": "An element of a matrix with two indices.",
      "_[_, ..]": "A row of a matrix.",
      "_[.., _]": "A column of a matrix.",
      "[_, _]": "A list.",
      "{_, _}": "A set.",
      "_(_)": "The image of a function.",
      "(_, _)": "A tuple.",
      "int(1.._)": "Whole numbers starting from 1.",
      "int(_.._)": "Whole numbers between two bounds.",
      bool: "True or false.",
      "matrix indexed by [_] of _": "A value for each index.",
      "matrix indexed by [_, _] of _": "A value for each pair of indices.",
      "set of _": "A set, of any size.",
      "set (size _) of _": "A set of a fixed size.",
      "function (total) _ --> _": "A value for each argument.",
    } as Record<string, string>,
  },

  data: {
    name: "Data",
    label: "The data of this instance, in Essence or JSON",
    instances: "Instances",
    placeholder: "No data. Give each parameter of the model a value here,\nin Essence or in JSON.",
    add: "Add an instance",
    remove: (name: string) => `Remove ${name}`,
    split: (count: number) => `Make ${count} instances`,
    rename: "Name of the instance",
    taken: (name: string, free: string) => `There is already an instance ${name}, so this one is called ${free}.`,
    view: "Show the data as",
    asText: "Text",
    asForm: "Form",
    form: "The data of this instance, as a form",
    steps: "Changes to the data",
    undo: "Undo",
    redo: "Redo",
    unread: "The form needs a model and data that can be read:",
    table: {
      title: (name: string) => `The table ${name}`,
      pasted: "pasted rows",
      rows: (count: number) => plural(count, "row"),
      parameter: "Parameter",
      sheet: "Sheet",
      use: "Make it the value",
      insert: "Insert it as text",
      none: "No parameter of the model can have a table as its value.",
    },
  },

  solve: {
    title: "Solve",
    action: "Solve",
    howMany: "Find",
    counts: [
      ["1", "one solution"],
      ["2", "two solutions"],
      ["10", "ten solutions"],
      ["100", "100 solutions"],
      ["all", "all solutions"],
    ] as [string, string][],
    empty: "Describe what must hold; the solver finds the answer.",
    emptyKeys: "Press Solve, or Ctrl+Enter.",
    previous: "Previous solution",
    next: "Next solution",
    position: (at: number, count: number, objective: string) =>
      count === 1 ? `Solution${objective}` : `Solution ${at.toLocaleString("en")} of ${count.toLocaleString("en")}${objective}`,
    /** For improving solutions. */
    better: (at: number, count: number, isBest: boolean, objective: string) =>
      `${at < count ? `Step ${at.toLocaleString("en")} of ${count.toLocaleString("en")}` : isBest ? "Best solution" : "Best so far"}${objective}`,
    objective: (value: string) => ` · objective ${value}`,
    pictureOf: (number: number) => `Picture of solution ${number}`,
    picture: "Picture of the solution",
    asText: "As text",
    differs: (before: number, names: string[]) =>
      names.length > 0
        ? `Compared with solution ${before}, ${names.join(", ")} ${names.length === 1 ? "differs" : "differ"}; the marked parts are new.`
        : `The same values as in solution ${before}.`,
    save: "Save",
    copyEssence: "Copy",
    copyJson: "Copy JSON",
    stopped: (count: number, isImproving: boolean) =>
      isImproving ? "Stopped. The last solution is the best so far." : `Stopped. ${plural(count, "solution")} found so far.`,
    status(status: string, count: number, isImproving: boolean): string | undefined {
      switch (status) {
        case "satisfied":
          return count === 1
            ? "Found a solution. There may be more."
            : `Found ${plural(count, "solution")}. There may be more.`;
        case "all solutions":
          return count === 1 ? "This is the only solution." : `These are all: ${plural(count, "solution")}.`;
        case "optimal":
          return isImproving ? "The last solution is a best one." : "These are best solutions.";
        case "unsatisfiable":
          return "There is no solution.";
        case "time limit":
          if (isImproving && count > 0) return "Time is up. The last solution is the best so far.";
          return count > 0
            ? `Time is up. ${plural(count, "solution")} found so far.`
            : "Time is up, and no solution has been found yet. You can raise the limit in the settings.";
        default:
          return undefined;
      }
    },
    askWhy: "Why?",
    notKept: (most: number) => `Only the first ${most.toLocaleString("en")} solutions are shown.`,
    statistics: "Statistics",
    statisticsColumns: ["Phase", "Time", "Counts"],
  },

  why: {
    title: "Why?",
    action: "Explain",
    question: "Question",
    questions: [
      ["none", "Why is there no solution?"],
      ["expected", "Why is my solution wrong?"],
      ["forced", "Must this hold?"],
      ["better", "Why is nothing better possible?"],
    ] as [string, string][],
    expected: "Your solution",
    expectedExample: "For example:\n\nletting board be\n    [[1, 2, _],\n     [_, _, 1],\n     [3, _, _]]",
    constraint: "A constraint",
    constraintExample: "A constraint, such as board[1, 2] = 3",
    empty: "See which requirements contradict each other, and which change makes a solution possible.",
    minimal: "All of them are needed: without any one, the others can hold together.",
    changes: "Any one of these changes makes a solution possible",
    betterChanges: "Any one of these changes makes a better solution possible",
    tryOut: "Try it",
    solution: "A solution",
    instances: (count: number) => plural(count, "instance"),
    comesTo: (is: string) =>
      is === "empty" ? " is an empty list" : is === "required" ? " must be defined" : ` is ${is}`,
  },

  repair: {
    suffix: " (repaired)",
    copy: "This is a copy with the repair.",
    back: "Back to the original",
    keep: "Keep it",
  },

  evaluate: {
    title: "Evaluate",
    action: "Evaluate",
    expression: "An expression",
    example: "An expression, such as sum([i ** 2 | i : int(1..10)])",
    empty: "See the value of an expression. It can use the names of your model and the values of the solution that is shown.",
  },

  explore: {
    title: "Explore",
    action: "Explore",
    empty: "See all solutions at once: how many there are, and which values are possible. Click a value to fix it.",
    frame: "The space of solutions",
    /** With an objective, only optimal solutions are explored. */
    says({ extent, found, estimate, complete }: { extent: string; found: number; estimate: number | null; complete: boolean }, isBest: boolean): string {
      const solution = isBest ? "best solution" : "solution";
      const early = complete ? "" : " The limit ended the search.";
      if (extent === "all") return (found === 0 ? "There is no solution." : `There ${found === 1 ? "is" : "are"} ${plural(found, solution)}.`) + early;
      const least = found === 0 ? "No solution is known yet." : `There are at least ${plural(found, solution)}.`;
      return least + (estimate === null ? "" : ` The estimate is ${estimate.toLocaleString("en", { maximumSignificantDigits: 3 })}.`) + early;
    },
  },

  compare: {
    title: "Compare",
    action: "Compare",
    other: (at: number) => (at === 0 ? "The other model" : `Another model, ${at + 1}`),
    file: (at: number) => (at === 0 ? "other.essence" : `other-${at + 1}.essence`),
    more: "Another model",
    refers: (models: number) => `${plural(models, "model")} ${models === 1 ? "remains" : "remain"}.`,
    placeholder: "Paste another model of the same problem here.",
    empty: "Do two models mean the same? The solver looks for a solution of one model that the other one refuses, on the selected data or, without data, on small generated instances. A review shows what your model has gained and lost, and questions find out which model you mean.",
    missing: "Paste the other model first.",
    same: "No difference.",
    different: "The models differ.",
    madeUp: "On this small instance:",
    allows: "Your model allows this, the other one does not:",
    refuses: "The other model allows this, yours does not:",
    objective: "The solutions are the same, but the objectives differ. For example:",
    objectives: (own: string | null, other: string | null) => `The value of your objective: ${own ?? "none"}. The other one's: ${other ?? "none"}.`,
    otherSays: "The other model says",
    yoursSays: "Your model says",
  },

  review: {
    action: "Review",
    interface: "Parameters and decision variables",
    allows: "Gained: your model allows this, and the other one refuses it.",
    refuses: "Lost: the other model allows this, and yours refuses it.",
    objective: "The solutions are the same, but the objective differs. For example:",
    objectives: (own: string | null, other: string | null) => `The value of your objective: ${own ?? "none"}. The other one's: ${other ?? "none"}.`,
    otherSays: "The other model says",
    yoursSays: "Your model says",
  },

  ask: {
    action: "Ask me",
    yes: "Yes",
    no: "No",
    cannotHappen: "Cannot happen",
    unknown: "Don’t know",
    on: "On this instance:",
    key: (key: string) => `Key: ${key.toUpperCase()}`,
    back: "Take the last answer back",
    number: (at: number) => `Question ${at}.`,
    refuted: (model: string, answer: number) => `Answer ${answer} refutes ${model}`,
    cases: "Your answers as test cases",
  },

  test: {
    title: "Test",
    action: "Test",
    mutants: "What no test notices",
    guide: "All kinds of test cases",
    empty: "Check the model against examples that you know. Write them as comments at the end of the model, and run them after each change:",
    example: "$ case: nobody helps twice in a row\n$ with: letting n be 3\n$ refuses: letting helper be [2, 2, _]\n$ accepts: letting helper be [3, 2, 3]",
    summary: (cases: number, failed: number) =>
      cases === 0
        ? "There are no test cases in the comments of the model and the data."
        : failed === 0
          ? cases === 1 ? "The test case passed." : `All ${cases} test cases passed.`
          : `${failed} of ${plural(cases, "test case")} did not pass.`,
    blames: (line: number) => `See line ${line}`,
    planted: (tested: number, of: number) => `${tested} of ${of} planted mistakes tried.`,
    mutant: (line: number, says: string) => `Line ${line}: ${says.replaceAll("`", "")}`,
    others: (count: number) => `The other ${plural(count, "planted mistake")}`,
    refers: (models: number) => `Your model and ${plural(Math.max(models - 1, 0), "mutant")} remain.`,
    allows: "Only the mutant allows this:",
    refuses: "Only the mutant refuses this:",
    objective: "The objective differs for this:",
    objectives: (own: string | null, other: string | null) => `With the mutant, its value is ${own ?? "missing"}; with your model, ${other ?? "missing"}.`,
    otherSays: "Your model says",
    yoursSays: "The mutant says",
    noticing: "This case notices it:",
    add: "Add this case",
    addAll: "Add these cases",
    isIn: "Added",
    added: "The test case is at the end of the model.",
  },

  play: {
    title: "Play",
    empty: "Set some values, and let the solver fill in the rest.",
    hint: "Next hint",
    all: "All steps",
    fillIn: (values: [string, string][]) => {
      const [one] = values;
      return one && values.length === 1 ? `Fill in ${one[0]} = ${one[1]}` : `Fill in ${values.length} values`;
    },
    uses: "Requirements used",
    step: (number: number) => `Step ${number}`,
    solved: "Everything follows: these steps lead to the solution.",
    open: (names: string[]) =>
      `Nothing more follows. The solutions differ in ${names.slice(0, 12).join(", ")}${names.length > 12 ? " and others" : ""}.`,
    filled: (facts: string[]) => `Filled in ${facts.slice(0, 8).join(", ")}${facts.length > 8 ? ` and ${facts.length - 8} others` : ""}.`,
  },

  search: {
    title: "Search",
    action: "Search",
    inference: "Inference",
    inferences: [
      ["bt", "backtracking"],
      ["fc", "forward checking"],
      ["mac", "arc consistency (MAC)"],
      ["ac3", "arc consistency before the search"],
      ["ac3+fc", "AC-3, then forward checking"],
    ] as [string, string][],
    order: "Variable",
    orders: [
      ["", "order of the model"],
      ["mrv", "fewest values"],
      ["mrv-degree", "fewest values, then degree"],
      ["dom/wdeg", "dom/wdeg"],
    ] as [string, string][],
    values: "Value",
    valueOrders: [
      ["", "ascending"],
      ["lcv", "least constraining"],
    ] as [string, string][],
    binary: "Binary constraints",
    binaryMeaning: "Replace allDiff with inequalities between two variables",
    compare: "Compare strategies",
    empty: "Watch a textbook solver at work: each choice, each removed value, each dead end.",
    columns: ["Strategy", "Nodes", "Dead ends", "Checks", "Pruned", "Time", "Result"],
    table: "Comparison of strategies",
    frame: "The search, step by step",
    verdict: (verdict: string) => ({ solved: "solution", unsatisfiable: "no solution", stopped: "stopped" })[verdict] ?? verdict,
  },

  examples: {
    title: "Examples",
    find: "Find an example",
    none: "No example has this in its name.",
    missing: "The examples could not be loaded.",
    instances: (count: number) => plural(count, "instance"),
  },

  share: {
    title: "Share",
    about: "The link holds the model, the data, the settings and the values set in Play. Nothing is sent to a server, neither now nor when the link is opened.",
    link: "Link",
    long: (length: number) =>
      `This link has ${length.toLocaleString("en")} characters. Some programs cut off links of this length; a file is safer.`,
    embedding: "Put it into a lecture page:",
    plays: "Show the puzzle instead of its source",
    readOnly: "Readers cannot change the texts",
    frame: "As a frame",
    cell: "As a cell",
    broken: "This link is broken, so it was not opened.",
  },

  history: {
    title: "History",
    about: "Versions that you have run, shared or replaced. They are kept in this browser only.",
    none: "There are no earlier versions yet.",
    set: (count: number) => `${plural(count, "value")} set`,
    forget: "Forget all versions",
  },

  settings: {
    title: "Settings and keys",
    limit: "Time limit, in seconds",
    limitHelp: "A run ends after this time with the results so far. 0 means no limit.",
    seed: "Seed",
    seedHelp: "Another number may find other solutions first. Leave it empty for the usual order.",
    level: "Level of the language",
    levelHelp: "Words that the course introduces in later steps are marked in the model. You can still solve it.",
    wholeLanguage: "All of Essence",
    upTo: (number: number, title: string) => (number === 1 ? `Step 1: ${title}` : `Steps 1 to ${number}: ${title}`),
    /** The titles of the steps, as in the course. */
    steps: [
      "First constraints",
      "Arithmetic and quantifiers",
      "Matrices and global constraints",
      "Parameters",
      "Sets, functions, relations, sequences and partitions",
      "Optimisation",
      "Symmetry",
      "Viewpoints",
    ],
    keysTitle: "Keys",
    keys: [
      ["Ctrl Enter", "run"],
      ["Ctrl Space", "complete"],
      ["Tab", "accept the completion"],
      ["Shift Alt F", "format"],
      ["F8", "next mistake"],
      ["Ctrl F", "find in the text"],
      ["← →", "previous and next solution"],
      ["F2", "rename the instance"],
      ["Ctrl Z", "undo, also in the data form"],
    ] as [string, string][],
  },

  offline: { newer: "There is a newer version of this page.", reload: "Load it" },

  cells: {
    edit: "Edit",
    run: "Run",
    reset: "Reset",
    openHere: "Open in the playground",
    model: "Model",
    live: "Live output",
    missing: "This cell holds no model.",
  },

  exercise: {
    title: "Your answer",
    check: "Check",
    reset: "Start again",
    resetQuestion: "Discard your answer and start again?",
    checking: (graded: number, of: number) => `Checking: ${graded} of ${of} instances`,
    label: "Your model",
    rejected: {
      syntax: "Your model cannot be read:",
      types: "Your model has mistakes:",
      interface: "Your model does not have the variables of the exercise:",
    } as { [kind: string]: string },
    right: (instances: number) => (instances === 1 ? "Your model is right." : `Your model is right on all ${instances} instances.`),
    wrong: (right: number, instances: number) =>
      instances === 1 ? "Your model is not right yet." : `Your model is right on ${right} of ${instances} instances.`,
    incomplete: "On an instance with many solutions, only a thousand of them were compared.",
    on: (instance: string) => `On the instance ${instance}:`,
    allows: "Your model allows this, but it is not a solution of the exercise:",
    refuses: "This is a solution of the exercise, but your model refuses it:",
    yourModelSays: "Your model says",
    objective: "Your model has the right solutions, but its objective differs from the objective of the exercise. For example:",
    objectives: (own: string, other: string) => `The value of your objective is ${own}; the exercise's is ${other}.`,
    noObjective: "Your model does not say which solution is the best one.",
    direction: "Is a large value better, or a small one?",
    slow: "Your model is too slow: the limit of this exercise ended the run.",
    interface: "The data do not fit your model:",
    instances: (name: string, result: string) => `${name}: ${result}`,
    results: { right: "right", allows: "allows too much", refuses: "refuses too much", objective: "another objective", interface: "does not fit the data", slow: "too slow" } as {
      [result: string]: string;
    },
  },

  docs: {
    contents: "Documentation",
    playground: "Playground",
    skip: "Skip to the text",
    onThisPage: "On this page",
    exercises: "Exercises",
    /** The reference is built beside the manual; its link is below the page about the library. */
    reference: "Reference of the library",
    groups: [
      ["Learn", ["tutorial", "models", "eval", "warnings", "mistakes", "why", "explore", "pictures"]],
      ["Use", ["tables", "parameters", "testing", "ask", "review", "improve", "streamline", "instances", "goals", "sessions", "app", "solvers", "certify", "profile", "files-and-limits"]],
      ["Teach", ["puzzles", "grade", "search", "compare"]],
      ["Many machines", ["campaign", "cubes"]],
      ["Language", ["operators", "semantics", "unnamed-types", "representations", "errors"]],
      ["Build on it", ["browser", "editor", "mcp", "for-assistants", "python", "python-models", "python-beside", "protocol", "library"]],
      ["Coming from", ["coming-from-conjure", "coming-from-minizinc"]],
      ["Inside", ["architecture", "glossary", "releasing"]],
    ] as [string, string[]][],
    search: "Search the documentation",
    found: (count: number) => (count === 0 ? "Nothing found" : count === 1 ? "One place found" : `${count} places found`),
    next: "Next",
    previous: "Previous",
  },
};
