//! Splits long equations into columns, as in addition on paper.
//!
//! An equation whose coefficients have several decimal digits becomes one equation for each digit, with a carry to the
//! next one. Carries are cells like any others. Each column equation follows from the whole equation and the definition
//! of the carries; the solver checks this.

use super::{
    cells::{Cell, CellOption},
    requirement_board::RequirementBoard,
};
use crate::{
    analysis::model::DeclarationId,
    instance::GroundInstance,
    language::{IntSet, Name},
    lowering::{Requirement, RequirementOrigin},
    problem::{Bool, BoolNode, Builder, Int, Linear, Problem, Role},
    solver::{EngineOptions, incremental},
};
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;

/// The base of the digits.
const BASE: i64 = 10;
/// The minimum number of terms of an equation that is split: shorter ones are easy to read. Chosen.
const LEAST_TERMS: usize = 4;
/// The maximum number of values of a carry: with more, the steps do not become easier. Chosen.
const MOST_CARRIES: i64 = 20;

/// The equation of one column: the terms with their digits, the constant, and the positions of the carries in and out.
struct EquationColumn {
    terms: Vec<(i64, Int)>,
    constant: i64,
    carried: Option<usize>,
    carries: Option<usize>,
}

/// The bounds of each carry.
type Carries = Vec<(i64, i64)>;

/// The balanced digits of a number, between -4 and 5, the least significant first: `-98` is 2 - 100.
fn digits(mut number: i64) -> Vec<i64> {
    let mut found = Vec::new();
    while number != 0 {
        let mut digit = number.rem_euclid(BASE);
        if digit > BASE / 2 {
            digit -= BASE;
        }
        found.push(digit);
        number = (number - digit) / BASE;
    }
    found
}

/// The linear equation in a condition: the condition itself, or one of its conjuncts.
fn equation(problem: &Problem, condition: Bool) -> Option<(&Linear, i64)> {
    let of = |term: Bool| match (term.node(), problem.bool_node(term.node().0)) {
        ((_, false), BoolNode::LinearEquals(terms, constant)) => Some((terms, *constant)),
        _ => None,
    };
    match (condition.node(), problem.bool_node(condition.node().0)) {
        ((_, false), BoolNode::And(parts)) => parts.iter().find_map(|part| of(*part)),
        _ => of(condition),
    }
}

/// True for an equation with several terms and a coefficient of several digits.
pub(super) fn is_long_equation(board: &RequirementBoard, requirement: usize) -> bool {
    let equation = equation(&board.problem, board.requirements[requirement].condition);
    equation
        .is_some_and(|(terms, _)| terms.len() >= LEAST_TERMS && terms.iter().any(|(factor, _)| factor.abs() >= BASE))
}

/// A board on which columns replace the long equations, and the positions of the columns among its requirements; `None`
/// if there are no long equations.
pub(super) fn in_columns(
    board: &RequirementBoard,
    instance: &GroundInstance,
    engine_options: &EngineOptions,
) -> Option<(RequirementBoard, Vec<usize>)> {
    let mut builder = Builder::from(board.problem.clone());
    let mut cells = board.cells.clone();
    let numbers: FxHashMap<Int, usize> =
        (0..cells.len()).filter_map(|cell| Some((cells[cell].number.filter(|_| cells[cell].numeric)?, cell))).collect();
    let mut columns: Vec<(usize, Requirement)> = Vec::new();
    let mut replaced: Vec<usize> = Vec::new();
    let mut checks: Vec<Vec<Bool>> = Vec::new();
    for (position, requirement) in board.requirements.iter().enumerate() {
        let RequirementOrigin::Constraint { expr, .. } = &requirement.origin else { continue };
        let Some((terms, constant)) = equation(&board.problem, requirement.condition) else { continue };
        let is_about_cells = terms.iter().all(|(_, term)| numbers.contains_key(term));
        let (terms, constant) = (terms.clone(), -constant);
        let is_split = is_long_equation(board, position) && is_about_cells;
        let Some((split, carries)) = split(&builder, &terms, constant).filter(|_| is_split) else { continue };
        // The check below uses the definitions of the carries.
        let mut exact: Vec<Bool> = vec![requirement.condition];
        let mut places: Vec<Int> = Vec::new();
        let equation_number = replaced.len() + 1;
        for (column, (low, high)) in (1..).zip(&carries) {
            let of = if equation_number == 1 { String::new() } else { format!(" of equation {equation_number}") };
            let name = format!("the carry into the {}s{of}", BASE.pow(column));
            let (carry, cell) = new_carry(&mut builder, name, *low..=*high);
            places.push(carry);
            // A carry that has only one value is a constant, so it needs no cell.
            cells.extend(Some(cell).filter(|cell| cell.options.len() > 1));
        }
        let first = numbers.get(&terms[0].1).map(|cell| &board.cells[*cell].variable)?;
        let declarations = &instance.model.declarations;
        let variable = declarations.iter().position(|declaration| declaration.name == *first)?;
        let mut conditions = Vec::new();
        for (number, column) in (0..).zip(&split) {
            let mut sum: Vec<(i64, Int)> = column.terms.clone();
            sum.extend(column.carried.map(|carry| (1, places[carry])));
            if let Some(carry) = column.carries {
                let total = builder.linear(sum.clone(), column.constant);
                let base = builder.constant(BASE);
                let quotient = builder.quotient(total, base);
                exact.push(builder.equal(quotient, places[carry]));
                sum.push((-BASE, places[carry]));
            }
            let condition = builder.linear(sum, column.constant);
            let condition = builder.equals_constant(condition, 0);
            conditions.push(condition);
            let says = format!(
                "in the column of the {}s, {}",
                BASE.pow(number),
                in_words(column, &numbers, &board.cells, &places, &cells)
            );
            let variable = DeclarationId(variable as u32);
            let (span, reads) = (Some(expr.span), String::new());
            let origin =
                RequirementOrigin::Domain { variable, says, reads, span, word: "", what: String::new(), bound: None };
            columns.push((position, Requirement { origin, condition, bound: None, needs: Vec::new() }));
        }
        // Each column must follow from the whole equation together with the definitions of the carries.
        checks.extend(conditions.iter().map(|condition| exact.iter().copied().chain([!*condition]).collect()));
        replaced.push(position);
    }
    if replaced.is_empty() {
        return None;
    }
    let problem = builder.finish().ok()?;
    let mut solver = incremental(&problem, engine_options);
    if !checks.iter().all(|check| matches!(solver.refute(check), Ok(Some(_)))) {
        return None;
    }
    drop(solver);
    let others = board.requirements.iter().enumerate().filter(|(position, _)| !replaced.contains(position));
    let mut requirements: Vec<Requirement> = others.map(|(_, requirement)| requirement.clone()).collect();
    let first = requirements.len();
    requirements.extend(columns.into_iter().map(|(_, column)| column));
    let added = (first..requirements.len()).collect();
    Some((board.with(problem, requirements, cells), added))
}

/// Makes a variable for a carry, and its cell.
fn new_carry(builder: &mut Builder, name: String, values: RangeInclusive<i64>) -> (Int, Cell) {
    let carry = builder.new_int(IntSet::range(*values.start(), *values.end()), Role::Auxiliary);
    let options = values.map(|value| {
        let term = builder.equals_constant(carry, value);
        let option = CellOption::new(format!("{name} is {value}"), value.to_string(), term);
        CellOption { value: Some(value), ..option }
    });
    let options: Vec<CellOption> = options.collect();
    let (variable, labels, number) = (Name::from(""), Vec::new(), Some(carry));
    (carry, Cell { name, variable, labels, options, numeric: true, number, unlisted: None })
}

/// The columns of an equation, and the bounds of its carries; `None` if there is only one column or a carry has too
/// many values.
fn split(problem: &Builder, terms: &Linear, constant: i64) -> Option<(Vec<EquationColumn>, Carries)> {
    let all: Vec<(Vec<i64>, Int)> = terms.iter().map(|(factor, term)| (digits(*factor), *term)).collect();
    let constants = digits(constant);
    let count = all.iter().map(|(digits, _)| digits.len()).chain([constants.len()]).max()?;
    if count < 2 {
        return None;
    }
    let (mut columns, mut carries) = (Vec::new(), Vec::new());
    let mut carried: Option<(usize, i64, i64)> = None;
    for column in 0..count {
        let own = all.iter().filter_map(|(digits, term)| Some((*digits.get(column)?, *term)));
        let own: Vec<(i64, Int)> = own.filter(|(digit, _)| *digit != 0).collect();
        let constant = constants.get(column).copied().unwrap_or(0);
        let (mut low, mut high) = (constant, constant);
        for (factor, term) in &own {
            let (least, most) = problem.bounds(*term);
            low += (factor * least).min(factor * most);
            high += (factor * least).max(factor * most);
        }
        if let Some((_, least, most)) = carried {
            (low, high) = (low + least, high + most);
        }
        let before = carried.map(|(carry, ..)| carry);
        let is_last = column + 1 == count;
        let carry = (!is_last).then_some(carries.len());
        columns.push(EquationColumn { terms: own, constant, carried: before, carries: carry });
        if !is_last {
            // The sum of a column and the carry into it is `BASE` times the carry out of it, so the bounds are divided
            // by `BASE` and rounded inwards.
            let bounds = (low.div_euclid(BASE) + i64::from(low.rem_euclid(BASE) != 0), high.div_euclid(BASE));
            if bounds.0 > bounds.1 || bounds.1 - bounds.0 > MOST_CARRIES {
                return None;
            }
            carried = Some((carries.len(), bounds.0, bounds.1));
            carries.push(bounds);
        }
    }
    Some((columns, carries))
}

/// The equation of a column in words, with positive terms on both sides.
fn in_words(
    column: &EquationColumn,
    numbers: &FxHashMap<Int, usize>,
    known: &[Cell],
    places: &[Int],
    cells: &[Cell],
) -> String {
    let carry = |place: usize| {
        cells.iter().find(|cell| cell.number == Some(places[place])).map_or("0".to_owned(), |cell| cell.name.clone())
    };
    let mut sides = [Vec::new(), Vec::new()];
    let mut add = |factor: i64, name: String| {
        let times = if factor.abs() == 1 { String::new() } else { format!("{} * ", factor.abs()) };
        sides[usize::from(factor < 0)].push(format!("{times}{name}"));
    };
    for (factor, term) in &column.terms {
        add(*factor, numbers.get(term).map_or(String::new(), |cell| known[*cell].name.clone()));
    }
    if let Some(place) = column.carried {
        add(1, carry(place));
    }
    if let Some(place) = column.carries {
        add(-BASE, carry(place));
    }
    if column.constant != 0 {
        sides[usize::from(column.constant < 0)].push(column.constant.abs().to_string());
    }
    let side = |terms: &[String]| if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") };
    format!("{} = {}", side(&sides[0]), side(&sides[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_near_zero() {
        for (number, expected) in [(-98, vec![2, 0, -1]), (91, vec![1, -1, 1]), (-90, vec![0, 1, -1]), (25, vec![5, 2])]
        {
            assert_eq!(digits(number), expected, "{number}");
        }
        for number in -2000..2000 {
            let value: i64 = digits(number).iter().rev().fold(0, |sum, digit| sum * BASE + digit);
            assert_eq!(value, number);
        }
    }
}
