//! The stable codes of diagnostics. The meaning of a code never changes. The hundreds are the phase: 0 command line and
//! files, 1 syntax, 2 names, 3 types, 4 instance data, 5 lowering, 6 solving, 7 importing, 8 pictures. Errors have the
//! prefix E, warnings W.

use super::Severity;

/// A stable code such as `E0301` or `W0203`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code {
    /// The severity; errors and warnings are numbered separately.
    pub severity: Severity,
    /// The number: 301 in `E0301`.
    pub number: u16,
    /// A short description of the mistakes with this code.
    pub title: &'static str,
}

/// The pages of the manual with a section for each code.
const ERRORS: &str = include_str!("../../docs/errors.md");
const WARNINGS: &str = include_str!("../../docs/warnings.md");

impl Code {
    /// Returns the code with this name, such as `E0301` or `w0203`; a number alone names an error.
    pub fn named(name: &str) -> Option<Code> {
        let (letter, number) = match name.as_bytes().first()? {
            b'0'..=b'9' => ('E', name),
            letter => (letter.to_ascii_uppercase() as char, name.get(1..)?),
        };
        let number: u16 = number.parse().ok()?;
        Code::ALL.iter().find(|code| (code.letter(), code.number) == (letter, number)).copied()
    }

    /// Returns the explanation of the code with examples, in Markdown.
    pub fn explanation(&self) -> String {
        let heading = format!("{self}: ");
        let page = match self.severity {
            Severity::Error => ERRORS,
            Severity::Warning => WARNINGS,
        };
        // The heading of a section is `## E0301: title`.
        let section = page.split("\n## ").find(|section| section.starts_with(&heading));
        section.map_or(String::new(), |section| format!("{}\n", section.trim_end()))
    }

    fn letter(&self) -> char {
        match self.severity {
            Severity::Error => 'E',
            Severity::Warning => 'W',
        }
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}{:04}", self.letter(), self.number)
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{self}")
    }
}

macro_rules! codes {
    ($($severity:ident { $($name:ident = $number:literal, $title:literal;)* })*) => {
        impl Code {
            $($(
                #[doc = $title]
                pub const $name: Code = Code { severity: Severity::$severity, number: $number, title: $title };
            )*)*

            /// All codes, errors before warnings, by number.
            pub const ALL: &[Code] = &[$($(Code::$name),*),*];
        }
    };
}

codes! {
    Error {
        FILE_UNREADABLE = 1, "a file cannot be read";
        FILE_NOT_TEXT = 2, "a file is not UTF-8 text";
        FILE_EMPTY = 3, "a model without statements";
        COMMAND_LINE = 4, "the command line does not fit together";
        FILE_UNWRITABLE = 5, "a file cannot be written";
        LAYOUT = 6, "a file that is not in the canonical layout";
        EXERCISE = 7, "something is missing in an exercise or a submission";
        PLAN = 8, "a plan that cannot be carried out";
        CUBES = 9, "cubes that cannot be made, or do not fit";
        ANSWER = 10, "an answer of a solver that cannot be read, or does not fit";
        TEST_CASE = 11, "a test case that cannot be read or does not fit the model";
        STREAMLINERS = 12, "a file of streamliners that cannot be read or does not fit the model";

        SYNTAX = 101, "the text is not Essence";
        TOO_DEEP = 102, "the nesting is too deep";
        LITERAL_TOO_LARGE = 103, "an integer literal is too large";
        RESERVED_WORD = 104, "a reserved word used as a name";
        NON_ASSOCIATIVE = 105, "operators that cannot be chained";
        UNKNOWN_ATTRIBUTE = 106, "an attribute that this domain does not have";
        JSON = 107, "JSON that is malformed or does not fit the model";
        TABLE = 108, "a table that does not fit the model";
        UNIT = 109, "a `unit` comment that does not fit the model";
        WISH = 110, "a `wish` comment that does not fit the model";
        APP_COMMENT = 111, "an `app:` comment that does not fit the model";
        MAP_COMMENT = 112, "a `map:` comment that cannot be read";

        UNKNOWN_NAME = 201, "a name that is not declared";
        DUPLICATE_NAME = 202, "a name declared twice";
        WRONG_KIND_OF_NAME = 203, "a name of the wrong kind";
        REPEATED_STATEMENT = 204, "a statement that a model can have only once";
        DOMINANCE = 205, "a dominance relation that cannot be used";

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

        TOO_LARGE = 501, "a domain, a quantifier or a model that is too large";
        NOT_SUPPORTED = 502, "a part of Essence that cannot be solved yet";
        TOO_MANY_BITS = 503, "arithmetic too large for the solver";
        NOT_SYMMETRIC = 504, "a symmetry that the model does not have";

        SOLVER_FAILED = 601, "the solver gave up";
        WRONG_SOLUTION = 602, "a solution that does not satisfy the model (a bug in conjure-like)";
        SOLUTION_INVALID = 604, "a solution file that does not satisfy the model";
        PROOF_WRONG = 605, "a proof that the checker rejects";
        SOLVER_MISSING = 606, "the library of a solver is missing";
        NOT_CERTIFIED = 607, "something that certificates do not cover";
        CERTIFICATE_DIFFERS = 608, "a certificate that contradicts the answer (a bug in conjure-like)";
        FALSE_CLAIM = 609, "a claim of a solver that a solution refutes (a bug in a solver)";
        CERTIFICATE_WRONG = 610, "a certificate that does not hold";

        IMPORT_FORMAT = 701, "a puzzle file that does not match its format";

        PICTURE_COMMENT = 801, "a `picture:` comment that does not fit the model";
    }
    Warning {
        ALLOWS_NOTHING = 1, "an `allow:` comment without effect";
        LOST_HINT = 2, "a `hint:` comment that belongs to nothing";
        WHY_COMMENT = 3, "a `why:` comment that cannot be filled in";

        UNUSED_PARAMETER = 201, "a parameter that nothing uses";
        UNUSED_LETTING = 202, "a `letting` that nothing uses";
        UNUSED_LOCAL = 203, "a quantified name that nothing uses";
        UNCONSTRAINED = 204, "a decision variable that nothing constrains";
        SHADOWS = 205, "a name that hides another one";

        NO_DECISION = 301, "a constraint without a decision variable";
        CONSTANT_OBJECTIVE = 302, "an objective that is the same for every solution";
        EQUAL_PAIR = 303, "a quantifier over pairs that includes equal ones";
        SIZE_AS_CONSTRAINT = 304, "a constraint that the domain could state";
        ROWS_COMPARED = 305, "an `allDiff` that compares the rows of a matrix";
        ROUNDED_QUOTIENT = 306, "a quotient of two numbers that is rounded";
        BEYOND_LEVEL = 307, "a word beyond the chosen step of the course";

        NO_SUCH_ELEMENT = 401, "an expression without a value";
        EMPTY_DOMAIN = 402, "a domain without values";
        BROKEN_ATTRIBUTE = 403, "a value that breaks an attribute of a partition";
        UNNEEDED_VALUES = 404, "values that the model does not need";
        EMPTY_RANGE = 405, "a range without values";
        TABLE_SUSPECT = 406, "a table with something missing, unused or repeated";

        MANY_INSTANCES = 501, "a quantifier with very many instances";

        ALWAYS_TRUE = 601, "a constraint that always holds";
        NEVER_TRUE = 602, "a constraint that can never hold";
        USELESS_GUARD = 603, "a condition that is always true or always false";
        IMPLIED = 604, "a constraint that follows from the others";
        LOOSE_BOUND = 605, "a bound that no solution reaches";
    }
}
