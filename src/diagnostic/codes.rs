//! The stable codes of diagnostics. A code is never given a new meaning; hundreds tell the phase:
//! 0 command line and files, 1 syntax, 2 names, 3 types, 4 instance data, 5 lowering, 6 solving,
//! 7 importing, 8 pictures.

/// A stable code such as `E0301`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code {
    pub number: u16,
    /// The common nature of the mistakes with this code, in a few words.
    pub title: &'static str,
}

/// A page of sections, one for each code.
const REFERENCE: &str = include_str!("../../docs/errors.md");

impl Code {
    /// The meaning of the error, with examples, in Markdown.
    pub fn explanation(&self) -> String {
        let heading = format!("{self}: ");
        let section = REFERENCE.split("\n## ").find(|section| section.starts_with(&heading));
        section.map_or(String::new(), |section| format!("{}\n", section.trim_end()))
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "E{:04}", self.number)
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{self}")
    }
}

macro_rules! codes {
    ($($name:ident = $number:literal, $title:literal;)*) => {
        impl Code {
            $(#[doc = $title] pub const $name: Code = Code { number: $number, title: $title };)*

            /// Every code, by number.
            pub const ALL: &[Code] = &[$(Code::$name),*];
        }
    };
}

codes! {
    FILE_UNREADABLE = 1, "a file cannot be read";
    FILE_NOT_TEXT = 2, "a file is not UTF-8 text";
    FILE_EMPTY = 3, "a model without statements";
    COMMAND_LINE = 4, "the command line does not fit together";
    FILE_UNWRITABLE = 5, "a file cannot be written";
    LAYOUT = 6, "a file that is not in the canonical layout";
    EXERCISE = 7, "something is missing in an exercise or a submission";
    PLAN = 8, "a plan that cannot be carried out";

    SYNTAX = 101, "the text is not Essence";
    TOO_DEEP = 102, "the nesting is too deep";
    LITERAL_TOO_LARGE = 103, "an integer literal is too large";
    RESERVED_WORD = 104, "a reserved word used as a name";
    NON_ASSOCIATIVE = 105, "operators that cannot be chained";
    UNKNOWN_ATTRIBUTE = 106, "an attribute that this domain does not have";
    JSON = 107, "JSON that is malformed or does not fit the model";

    UNKNOWN_NAME = 201, "a name that is not declared";
    DUPLICATE_NAME = 202, "a name declared twice";
    WRONG_KIND_OF_NAME = 203, "a name of the wrong kind";
    REPEATED_STATEMENT = 204, "a statement that a model can have only once";

    TYPE_MISMATCH = 301, "an expression of the wrong type";
    NO_OVERLOAD = 302, "an operator that does not accept these operands";
    NOT_INDEXABLE = 303, "indexing something that has no such index";
    NOT_A_COLLECTION = 304, "a generator over something that has no members";
    PATTERN_MISMATCH = 305, "a pattern that does not match the values";
    INFINITE_DOMAIN = 306, "a domain that must be finite is not";
    DECISION_IN_DOMAIN = 307, "a decision variable where only data are allowed";
    UNKNOWN_TYPE = 308, "a type that cannot be determined";
    BAD_ATTRIBUTE = 309, "an attribute that does not fit its domain";

    MISSING_PARAMETER = 401, "a parameter without a value";
    UNEXPECTED_PARAMETER = 402, "a value for something that is not a parameter";
    OUTSIDE_DOMAIN = 403, "a value outside its domain";
    WHERE_FALSE = 404, "data that a `where` rules out";
    UNDEFINED_VALUE = 405, "an undefined value";
    OVERFLOW = 406, "an integer that is too large to compute with";
    PARAMETER_STATEMENT = 407, "a statement that a parameter file cannot hold";
    PARAMETER_TYPE = 408, "a parameter of the wrong type";
    BAD_LITERAL = 409, "a literal that contradicts itself";
    NO_SUCH_ELEMENT = 410, "an index or argument without a value";

    TOO_LARGE = 501, "a domain, a quantifier or a model that is too large";
    NOT_SUPPORTED = 502, "a part of Essence that cannot be solved yet";
    TOO_MANY_BITS = 503, "arithmetic too large for the solver";
    NOT_SYMMETRIC = 504, "a symmetry that the model does not have";

    SOLVER_FAILED = 601, "the solver gave up";
    WRONG_SOLUTION = 602, "a solution that does not satisfy the model (a bug in conjure-like)";
    SOLUTION_INVALID = 604, "a solution file that does not satisfy the model";
    PROOF_WRONG = 605, "a proof that the checker rejects";
    SOLVER_MISSING = 606, "the library of a solver is missing";

    IMPORT_FORMAT = 701, "a puzzle file that does not match its format";

    PICTURE_COMMENT = 801, "a `picture:` comment that does not fit the model";
}
