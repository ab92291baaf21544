//! The vocabulary of other languages, and its equivalents in Essence.

/// Operators. If one is a prefix of another, the longer one comes first.
#[rustfmt::skip]
pub(in crate::syntax::parse) const OPERATORS: &[(&str, &str)] = &[
    ("===", "="), ("!==", "!="), ("=:=", "="), ("=\\=", "!="), ("=/=", "!="), ("#\\=", "!="), ("#=<", "<="),
    ("#>=", ">="), ("#=", "="), ("#<", "<"), ("#>", ">"), ("\\=", "!="), ("==", "="), (":=", "="), ("&&", "/\\"),
    ("||", "\\/"), ("<=>", "<->"), ("=>", "->"), ("<>", "!="), ("/=", "!="), ("~=", "!="), ("=<", "<="), ("//", "/"),
    ("^", "**"), ("&", "/\\"), ("~", "!"), ("\\", "-"), ("not =", "!="), ("not in", "!(… in …)"),
    ("notin", "!(… in …)"), ("and", "/\\"), ("or", "\\/"), ("xor", "!="), ("not", "!"), ("implies", "->"),
    ("iff", "<->"), ("is not", "!="), ("is", "="), ("equals", "="), ("mod", "%"), ("rem", "%"), ("div", "/"),
    ("setminus", "-"), ("subsetof", "subsetEq"), ("subset_of", "subsetEq"), ("subsetEqual", "subsetEq"),
    ("subseteq", "subsetEq"), ("issubset", "subsetEq"), ("supersetof", "supsetEq"), ("superset", "supset"),
    ("supseteq", "supsetEq"), ("inter", "intersect"), ("intersection", "intersect"), ("¬", "!"), ("∧", "/\\"),
    ("∨", "\\/"), ("→", "->"), ("⇒", "->"), ("↔", "<->"), ("⇔", "<->"), ("≡", "<->"), ("≠", "!="), ("≤", "<="),
    ("≥", ">="), ("∈", "in"), ("∉", "!(… in …)"), ("∪", "union"), ("∩", "intersect"), ("∖", "-"), ("⊆", "subsetEq"),
    ("⊂", "subset"), ("⊇", "supsetEq"), ("⊃", "supset"), ("∀", "forAll"), ("∃", "exists"), ("∑", "sum"),
    ("∏", "product"), ("∅", "{}"), ("×", "*"), ("·", "*"), ("÷", "/"), ("²", "**2"), ("³", "**3"), ("−", "-"),
    ("–", "-"),
];

/// Words of other languages that mean a keyword of a statement.
#[rustfmt::skip]
pub(in crate::syntax::parse) const STATEMENTS: &[(&str, &str)] = &[
    ("let", "letting"), ("define", "letting"), ("const", "letting"), ("var", "find"), ("variable", "find"),
    ("finding", "find"), ("decision", "find"), ("param", "given"), ("parameter", "given"), ("constraint", "such that"),
    ("constraints", "such that"), ("suchthat", "such that"), ("s.t.", "such that"), ("subject to", "such that"),
    ("subject", "such that"), ("st", "such that"), ("minimise", "minimising"), ("minimize", "minimising"),
    ("min", "minimising"), ("maximise", "maximising"), ("maximize", "maximising"), ("max", "maximising"),
];

/// The words of quantifiers in Essence and other languages.
#[rustfmt::skip]
pub(in crate::syntax::parse) const QUANTIFIERS: &[(&str, &str)] = &[
    ("forAll", "forAll"), ("exists", "exists"), ("sum", "sum"), ("product", "product"), ("forall", "forAll"),
    ("foreach", "forAll"), ("for all", "forAll"), ("for each", "forAll"), ("for", "forAll"), ("all", "forAll"),
    ("any", "exists"), ("some", "exists"), ("exist", "exists"), ("prod", "product"), ("Σ", "sum"), ("Π", "product"),
];

/// Constructs of other languages for which Essence has no single word.
const ABSENT: &[(&str, &str)] = &[
    ("if", "write `c -> a` to require `a` if `c` holds, or `toInt(c) * a + toInt(!c) * b` for a number"),
    ("then", "write `c -> a` to require `a` if `c` holds"),
    ("else", "write `(c -> a) /\\ (!c -> b)`"),
    ("circuit", "declare the tour in its order: `find tour : sequence (size n, injective) of int(1..n)`"),
    (
        "cumulative",
        "require for each time `t`: `(sum i : TASK . toInt(start[i] <= t /\\ t < start[i] + length[i]) * need[i]) <= \
        capacity`",
    ),
    ("element", "write `m[i]`; the index may be a decision variable"),
    ("table", "write `(x, y) in {(1, 2), (3, 4)}`"),
    ("string", "declare the texts as a type: `letting colour be new type enum {red, green}`"),
    ("str", "declare the texts as a type: `letting colour be new type enum {red, green}`"),
    ("float", "numbers are integers; count in smaller units, such as cents"),
    ("real", "numbers are integers; count in smaller units, such as cents"),
    ("double", "numbers are integers; count in smaller units, such as cents"),
];

/// Returns help for a word of another language.
pub(crate) fn help_for_foreign_word(word: &str) -> Option<String> {
    let is_word = |known: &str| known.eq_ignore_ascii_case(word);
    if let Some((_, help)) = ABSENT.iter().find(|(known, _)| is_word(known)) {
        return Some((*help).to_owned());
    }
    let mut known = OPERATORS.iter().chain(STATEMENTS).chain(QUANTIFIERS);
    known.find(|(foreign, _)| is_word(foreign)).map(|(_, ours)| format!("Essence writes `{ours}`"))
}
