//! Names of the parts of a variable in Essence: `board[1, 2]`, `pair[2]`, `person[age]`, `f(x)`, `3 in s`.

use std::fmt;

/// A name under construction.
#[derive(Clone, Debug)]
pub(crate) struct PartName {
    text: String,
    /// The indices of a matrix in one pair of brackets.
    indices: Vec<String>,
}

impl PartName {
    pub(crate) fn of(variable: impl Into<String>) -> Self {
        PartName { text: variable.into(), indices: Vec::new() }
    }

    /// An element of a matrix.
    pub(crate) fn element(&self, index: impl Into<String>) -> Self {
        let mut name = self.clone();
        name.indices.push(index.into());
        name
    }

    /// A component of a tuple, a field of a record, an alternative of a variant.
    pub(crate) fn component(&self, which: impl fmt::Display) -> Self {
        PartName::of(format!("{self}[{which}]"))
    }

    /// The image of an argument.
    pub(crate) fn image(&self, argument: &str) -> Self {
        PartName::of(format!("{self}({argument})"))
    }

    /// The condition that a value is in a collection.
    pub(crate) fn member(&self, value: &str) -> String {
        format!("{value} in {self}")
    }
}

impl fmt::Display for PartName {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.text)?;
        match self.indices.is_empty() {
            true => Ok(()),
            false => write!(formatter, "[{}]", self.indices.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_indices_of_a_matrix_share_their_brackets_with_nothing_else() {
        let board = PartName::of("board");
        assert_eq!(board.element("1").element("red").to_string(), "board[1, red]");
        assert_eq!(board.component(2).element("1").component("age").to_string(), "board[2][1][age]");
        assert_eq!(board.element("1").image("(2, 3)").to_string(), "board[1]((2, 3))");
        assert_eq!(board.element("1").member("5"), "5 in board[1]");
    }
}
