// The texts of an app, in each language. A model's own texts come from its comments.

import type { RuleOfDomain } from "../../../npm/src/protocol";

/** The sentence for the domain of a part; `null` if the engine's English sentence is to be shown. */
type DomainSentence = (domain: RuleOfDomain, named: (name: string) => string) => string | null;

/** Sentences of the model, as one sentence. */
const listed = (sentences: string[]): string => sentences.map((one) => one.replace(/\.$/, "")).join("; ");

const en = {
  language: "Language",
  languages: { en: "English", de: "Deutsch" } as Record<string, string>,
  data: "Data",
  solution: "Solution",
  plan: "Plan",
  plans: "Plans",
  newPlan: "New plan",
  copyOf: (name: string) => `Copy of ${name}`,
  rename: "Rename",
  duplicate: "Duplicate",
  remove: "Remove",
  nameOfPlan: "Name of the plan",
  notKept: "This browser stores nothing for pages that are opened as files. Save your data before you close the page.",
  undo: "Undo",
  redo: "Redo",
  open: "Open",
  openTable: "Open a table, such as a CSV file or a workbook",
  whichSheet: (name: string) => `Choose a sheet of ${name}:`,
  save: "Save",
  saveAs: { json: "Data as JSON", param: "Data as a parameter file", csv: "Solution as CSV", svg: "Picture as SVG", png: "Picture as PNG" },
  link: "Copy a link with everything",
  copied: "The link is in the clipboard.",
  embed: "Copy a snippet that embeds the page",
  copiedEmbed: "The snippet is in the clipboard.",
  print: "Print",
  theme: "Theme: light or dark",
  add: "Add",
  twice: (names: string) => `Already in the list: ${names}.`,
  removeRow: (which: string) => `Remove ${which}`,
  row: (number: number) => `row ${number}`,
  paste: "Paste from a spreadsheet",
  pasteHere: "Paste rows from a spreadsheet, or lines with commas, here.",
  pasteUse: "Use these rows",
  pasteWrong: (cell: string, column: string) => `“${cell}” does not fit the column ${column}.`,
  yes: "yes",
  no: "no",
  none: "–",
  missing: "This needs a value.",
  missingSome: (names: string[]) => `Still missing: ${names.join(", ")}.`,
  whole: "a whole number",
  from: (low: number | string) => `from ${low}`,
  upTo: (high: number | string) => `up to ${high}`,
  between: (low: number | string, high: number | string) => `${low} to ${high}`,
  please: (wanted: string, value: string) => `${wanted}, please, instead of ${value}`,
  inUnits: (unit: string) => `in steps of ${unit}`,
  wrongData: "Correct the data first.",
  cannotRead: (name: string) => `${name} cannot be read as data for this page.`,
  opened: (name: string) => `${name} has been opened as a new plan.`,
  noData: "There is nothing to enter.",
  another: "Make me another",
  making: "Making another puzzle …",
  puzzle: "Puzzle",
  noPuzzle: "No puzzle was found in time. Try again, or change the data.",
  solve: "Solve",
  stop: "Stop",
  better: "Better than this",
  next: "Next solution",
  mostDifferent: "Most different",
  previous: "Previous solution",
  clear: "Clear what I set",
  starting: "The solver is being started …",
  looking: "Looking at what is possible …",
  searching: "Searching …",
  searchingBest: (value: string) => `Searching for a solution better than ${value} …`,
  ready: "Click a place to set it. Solve fills in the rest.",
  possibleSome: "Grey values are impossible. There was not enough time to check all the others.",
  possibleAll: "Grey values are impossible with what you have set.",
  showPossible: "Show what is possible",
  onlyOne: "There is only one solution, so possible values are not shown.",
  full: "Well done. This is a solution.",
  allFollows: "Everything here follows from the data.",
  solved: "Solved.",
  best: (value: string, measure: string) => `This is a best solution: ${value}${measure}.`,
  bestUntil: (value: string, measure: string) => `The best so far: ${value}${measure}.`,
  bestWishes: "This is a best solution.",
  met: "All wishes are met.",
  broken: (names: string[]) => `Not met: ${listed(names)}.`,
  measured: (measure: string) => ` (${measure})`,
  lower: (letter: string) => letter.toLowerCase(),
  numbered: (number: number, of: string) => `Solution ${number} of ${of}.`,
  objective: (value: string, measure: string) => `Value: ${value}${measure}.`,
  goal: { true: "Goal, the more the better:", false: "Goal, the less the better:", null: "Goal:" } as Record<string, string>,
  noMore: "There is no other solution.",
  searchingDifferent: (places: number) => `Searching for a solution that differs in more than ${places} ${places === 1 ? "place" : "places"} …`,
  differs: (number: number, places: number, isMost: boolean) =>
    `Solution ${number} differs from those before it in ${places} ${places === 1 ? "place" : "places"}${number > 2 ? " or more" : ""}.${isMost ? " No other solution differs more." : ""}`,
  noneDifferent: "Time is up; no other solution has been found yet.",
  noEngine: (file: string) => `The solver is in the file ${file}, which must be in the same folder as this page.`,
  moreThan: (number: number) => `${number} or more`,
  unsolvable: "There is no solution with these data.",
  clashes: "What you have set has no solution.",
  contradiction: "What you have set has no solution:",
  becauseOf: "Because of these rules",
  formula: "Formula",
  contradictionData: "These rules cannot all hold:",
  domain: (() => null) as DomainSentence,
  timeOver: "Time is up; nothing has been found yet. Set a value yourself, or try again.",
  stopped: "Stopped.",
  takeBack: (what: string) => `Take back ${what}`,
  takeBackTitle: "A way out",
  noRepair: "No change of a single entry is enough.",
  without: (what: string) => `without ${what}`,
  switchOff: (rule: string) => `Switch off: ${rule}`,
  whyNot: (what: string) => `Why not ${what}?`,
  whyNotTitle: (what: string) => `Why not ${what}?`,
  asking: "Looking for the reason …",
  itIsPossible: "It is possible after all.",
  noReason: "The reason could not be found.",
  youSet: "You have set",
  by: (axis: string) => `By ${axis.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase())}`,
  turn: (name: string) => `Rows of ${name}`,
  contents: "Contents",
  leaveOpen: "Leave open",
  chooseFor: (name: string) => `Values for ${name}`,
  otherValue: "Another value",
  set: "set by you",
  fixed: "given by the data",
  found: "found by the solver",
  forced: "the only value left",
  impossible: "impossible",
  openCell: "open",
  clash: "part of the contradiction",
  legend: "What the colours mean",
  pictureOf: "Picture of the solution",
  madeWith: "Everything runs in this page; nothing is sent anywhere.",
  model: "The rules in Essence",
  rules: "Rules that can be switched off",
  close: "Close",
  failed: "Something went wrong:",
};

export type Words = typeof en;

const de: Words = {
  language: "Sprache",
  languages: en.languages,
  data: "Angaben",
  solution: "Lösung",
  plan: "Plan",
  plans: "Pläne",
  newPlan: "Neuer Plan",
  copyOf: (name) => `Kopie von ${name}`,
  rename: "Umbenennen",
  duplicate: "Duplizieren",
  remove: "Löschen",
  nameOfPlan: "Name des Plans",
  notKept: "Dieser Browser speichert nichts für Seiten, die als Datei geöffnet werden. Speichern Sie Ihre Angaben, bevor Sie die Seite schließen.",
  undo: "Rückgängig",
  redo: "Wiederholen",
  open: "Öffnen",
  openTable: "Eine Tabelle öffnen, zum Beispiel eine CSV-Datei oder eine Arbeitsmappe",
  whichSheet: (name) => `Wählen Sie ein Blatt von ${name}:`,
  save: "Speichern",
  saveAs: { json: "Angaben als JSON", param: "Angaben als Parameterdatei", csv: "Lösung als CSV", svg: "Bild als SVG", png: "Bild als PNG" },
  link: "Link mit allem kopieren",
  copied: "Der Link ist in der Zwischenablage.",
  embed: "HTML zum Einbetten kopieren",
  copiedEmbed: "Das HTML ist in der Zwischenablage.",
  print: "Drucken",
  theme: "Farben: hell oder dunkel",
  add: "Hinzufügen",
  twice: (names) => `Schon in der Liste: ${names}.`,
  removeRow: (which) => `${which} entfernen`,
  row: (number) => `Zeile ${number}`,
  paste: "Aus einer Tabelle einfügen",
  pasteHere: "Fügen Sie hier Zeilen aus einer Tabelle oder Zeilen mit Kommas ein.",
  pasteUse: "Diese Zeilen verwenden",
  pasteWrong: (cell, column) => `„${cell}“ passt nicht in die Spalte ${column}.`,
  yes: "ja",
  no: "nein",
  none: "–",
  missing: "Hier fehlt ein Wert.",
  missingSome: (names) => `Es fehlt noch: ${names.join(", ")}.`,
  whole: "eine ganze Zahl",
  from: (low) => `ab ${low}`,
  upTo: (high) => `bis ${high}`,
  between: (low, high) => `${low} bis ${high}`,
  please: (wanted, value) => `Bitte ${wanted} statt ${value}`,
  inUnits: (unit) => `in Schritten von ${unit}`,
  wrongData: "Korrigieren Sie zuerst die Angaben.",
  cannotRead: (name) => `${name} enthält keine Angaben, die diese Seite lesen kann.`,
  opened: (name) => `${name} wurde als neuer Plan geöffnet.`,
  noData: "Hier gibt es nichts einzugeben.",
  another: "Noch ein Rätsel",
  making: "Ein Rätsel wird gemacht …",
  puzzle: "Rätsel",
  noPuzzle: "In der Zeit wurde kein Rätsel gefunden. Versuchen Sie es noch einmal oder ändern Sie die Angaben.",
  solve: "Lösen",
  stop: "Anhalten",
  better: "Bessere Lösung",
  next: "Nächste Lösung",
  mostDifferent: "Möglichst anders",
  previous: "Vorherige Lösung",
  clear: "Meine Festlegungen löschen",
  starting: "Der Solver wird gestartet …",
  looking: "Es wird geprüft, was möglich ist …",
  searching: "Suche …",
  searchingBest: (value) => `Suche nach einer Lösung, die besser ist als ${value} …`,
  ready: "Klicken Sie auf ein Feld, um es festzulegen. „Lösen“ füllt den Rest aus.",
  possibleSome: "Graue Werte sind unmöglich. Die Zeit reichte nicht, um alle anderen zu prüfen.",
  possibleAll: "Graue Werte sind mit Ihren Festlegungen unmöglich.",
  showPossible: "Zeigen, was möglich ist",
  onlyOne: "Es gibt nur eine Lösung, deshalb werden keine möglichen Werte gezeigt.",
  full: "Gut gemacht. Das ist eine Lösung.",
  allFollows: "Hier folgt alles aus den Angaben.",
  solved: "Gelöst.",
  best: (value, measure) => `Das ist eine optimale Lösung: ${value}${measure}.`,
  bestUntil: (value, measure) => `Bisher am besten: ${value}${measure}.`,
  bestWishes: "Das ist eine optimale Lösung.",
  met: "Alle Wünsche sind erfüllt.",
  broken: (names) => `Nicht erfüllt: ${listed(names)}.`,
  measured: (measure) => ` (${measure})`,
  // German nouns keep their capital letter, and the page does not know which words are nouns.
  lower: (letter) => letter,
  numbered: (number, of) => `Lösung ${number} von ${of}.`,
  objective: (value, measure) => `Wert: ${value}${measure}.`,
  goal: { true: "Ziel (je mehr, desto besser):", false: "Ziel (je weniger, desto besser):", null: "Ziel:" },
  noMore: "Es gibt keine andere Lösung.",
  searchingDifferent: (places) => `Suche nach einer Lösung, die an mehr als ${places} ${places === 1 ? "Stelle" : "Stellen"} anders ist …`,
  differs: (number, places, isMost) =>
    `Lösung ${number} ist an ${places} ${places === 1 ? "Stelle" : "Stellen"}${number > 2 ? " oder mehr" : ""} anders als die vorigen.${isMost ? " Keine andere Lösung unterscheidet sich stärker." : ""}`,
  noneDifferent: "Die Zeit ist um; bisher wurde keine andere Lösung gefunden.",
  noEngine: (file) => `Der Solver steht in der Datei ${file}, die im selben Ordner wie diese Seite liegen muss.`,
  moreThan: (number) => `${number} oder mehr`,
  unsolvable: "Mit diesen Angaben gibt es keine Lösung.",
  clashes: "Mit Ihren Festlegungen gibt es keine Lösung.",
  contradiction: "Mit Ihren Festlegungen gibt es keine Lösung:",
  becauseOf: "Wegen dieser Regeln",
  formula: "Formel",
  contradictionData: "Diese Regeln können nicht alle gelten:",
  domain: germanDomain,
  timeOver: "Die Zeit ist um; bisher wurde nichts gefunden. Legen Sie selbst einen Wert fest oder versuchen Sie es noch einmal.",
  stopped: "Angehalten.",
  takeBack: (what) => `${what} zurücknehmen`,
  takeBackTitle: "Ein Ausweg",
  noRepair: "Es reicht nicht, eine einzelne Angabe zu ändern.",
  without: (what) => `ohne ${what}`,
  switchOff: (rule) => `Ausschalten: ${rule}`,
  whyNot: (what) => `Warum nicht ${what}?`,
  whyNotTitle: (what) => `Warum nicht ${what}?`,
  asking: "Der Grund wird gesucht …",
  itIsPossible: "Es ist doch möglich.",
  noReason: "Der Grund ließ sich nicht finden.",
  youSet: "Von Ihnen festgelegt",
  by: (axis) => `Nach ${axis}`,
  turn: (name) => `Zeilen von ${name}`,
  contents: "Inhalt",
  leaveOpen: "Offen lassen",
  chooseFor: (name) => `Werte für ${name}`,
  otherValue: "Ein anderer Wert",
  set: "von Ihnen festgelegt",
  fixed: "durch die Angaben bestimmt",
  found: "vom Solver gefunden",
  forced: "der einzige mögliche Wert",
  impossible: "unmöglich",
  openCell: "offen",
  clash: "Teil des Widerspruchs",
  legend: "Was die Farben bedeuten",
  pictureOf: "Bild der Lösung",
  madeWith: "Alles läuft auf dieser Seite; es wird nichts übertragen.",
  model: "Die Regeln in Essence",
  rules: "Regeln, die sich ausschalten lassen",
  close: "Schließen",
  failed: "Etwas ist schiefgegangen:",
};

const all: Record<string, Words> = { en, de };

/** The German words for what a domain consists of, as the subject and after “von”; the plural of counted things. */
const GERMAN_PARTS: Record<string, [string, string]> = {
  argument: ["jedes Argument", "jedem Argument"],
  part: ["jeder Teil", "jedem Teil"],
  tuple: ["jede Zeile", "jeder Zeile"],
  member: ["jedes Element", "jedem Element"],
  occurrence: ["jeder Wert", "jedem Wert"],
};
const GERMAN_COUNTED: Record<string, [string, string]> = {
  member: ["Element", "Elemente"],
  part: ["Teil", "Teile"],
  tuple: ["Zeile", "Zeilen"],
  point: ["Stelle", "Stellen"],
};

/** `component 1 of each image of ‘lesson’` as “Teil 1 von jedem Wert von Lesson”. */
function germanPart(what: string, named: (name: string) => string): string {
  const name = (text: string) => named(text.replaceAll("`", ""));
  const pieces = what.split(/ of (?=(?:[^`]*`[^`]*`)*[^`]*$)/);
  const piece = (text: string, at: number): string => {
    const inside = /^each (`.+`|value) in (.+)$/.exec(text);
    if (inside) return inside[1] === "value" ? `${at === 0 ? "jeder Wert" : "jedem Wert"} in ${name(inside[2] ?? "")}` : `${name(inside[1] ?? "")} in ${name(inside[2] ?? "")}`;
    const component = /^component (\d+)$/.exec(text);
    if (component) return `Teil ${component[1]}`;
    const each = /^each (\w+)$/.exec(text);
    if (each) return (GERMAN_PARTS[each[1] ?? ""] ?? ["jeder Wert", "jedem Wert"])[at === 0 ? 0 : 1];
    return name(text.replace(/^the field /, ""));
  };
  return pieces.map(piece).join(" von ");
}

function germanDomain({ what, attribute, counted, least, most }: RuleOfDomain, named: (name: string) => string): string | null {
  const part = germanPart(what, named);
  if (what === "") return null;
  if (least === null && most === null) {
    const attributes: Record<string, string> = {
      total: `${part} hat überall einen Wert`,
      injective: `in ${part} kommt kein Wert zweimal vor`,
      surjective: `in ${part} kommt jeder Wert vor`,
      bijective: `in ${part} kommt jeder Wert genau einmal vor`,
      "": `${part} hat einen der erlaubten Werte`,
    };
    return attributes[attribute] ?? null;
  }
  const ends = least === most ? `${most}` : least === null ? `höchstens ${most}` : most === null ? `mindestens ${least}` : `${least} bis ${most}`;
  if (counted === "") return least !== null && most !== null && least !== most ? `${part} liegt zwischen ${least} und ${most}` : `${part} ist ${ends}`;
  if (counted === "occurrence") return `${part} kommt ${ends}-mal vor`;
  const [one, several] = GERMAN_COUNTED[counted] ?? ["Eintrag", "Einträge"];
  return `${part} hat ${ends} ${(most ?? least) === "1" ? one : several}`;
}

export let words: Words = en;
export let language = "en";

/** Switches to a language. If only the model has texts in it, the page stays English. */
export function speak(wanted: string, ofModel: string[] = []): void {
  language = wanted in all || ofModel.includes(wanted) ? wanted : "en";
  words = all[language] ?? en;
}

/** A name of a model as a label: `less_than` as “Less than”. */
export function label(name: string): string {
  if (name.length === 1) return name;
  const text = /[a-z]/.test(name) ? name.replace(/_+/g, " ").trim() : name;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
