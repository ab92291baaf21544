//! Wishes: constraints that may be broken at a price.
//!
//! ```essence
//! such that
//!     $ wish 3: Mia off on Friday
//!     !(friday in shifts(mia)),
//!     $ wish 1, level 2: Ben off on Friday
//!     !(friday in shifts(ben))
//! ```
//!
//! The comment is alone on a line above its constraint, or after it on the same line (`syntax/parse/subjects.rs`). For
//! other programs, and for all commands except `solve`, `why`, `validate-solution` and boards, a wish is an ordinary
//! constraint.

use super::{ExplainOptions, Goal, Model, Report, Solution, SolveOptions, Text, Value, Workbench};
use crate::{
    analysis::model::WishDirective,
    diagnostic::{Code, Diagnostic, nearest},
    explain::Answer,
    source::Span,
};
use std::{collections::BTreeMap, ops::ControlFlow};

/// A constraint that may be broken at a price.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wish {
    /// The price of breaking it.
    pub price: u32,
    /// The level of importance: wishes of level 1 come before all others. The prices within a level are added.
    pub level: u32,
    /// Its name for people: the text after the price, or the constraint.
    pub name: String,
    /// The constraint in Essence.
    pub constraint: String,
    /// The line of the model on which the constraint starts.
    pub line: usize,
    span: Span,
}

impl Model {
    /// The wishes of the model, in the order of the text.
    ///
    /// ```
    /// use conjure_like::{Model, Text};
    ///
    /// let text = "find x : int(1..9)\nsuch that\n  $ wish 2: small\n  x < 3,\n  x > 5 $ wish 1, level 3";
    /// let wishes = Model::read(&Text::new("m.essence", text))?.wishes();
    /// let found: Vec<_> = wishes.iter().map(|wish| (wish.price, wish.level, &*wish.name)).collect();
    /// assert_eq!(found, [(2, 1, "small"), (1, 3, "x > 5")]);
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    pub fn wishes(&self) -> Vec<Wish> {
        let source = self.sources.get(Model::SOURCE);
        let wish = |wish: &WishDirective| {
            let constraint = self.sources.text(wish.constraint).to_owned();
            let words = || constraint.split_whitespace().collect::<Vec<_>>().join(" ");
            let name = if wish.name.is_empty() { words() } else { wish.name.to_string() };
            let line = source.line_and_column(wish.constraint.start as usize).0;
            Wish { price: wish.price, level: wish.level, name, constraint, line, span: wish.constraint }
        };
        self.typed().wishes.iter().map(wish).collect()
    }

    /// Returns the model in which wishes may be broken: the sums of the prices, one level after the other, come before
    /// its own goals. `None` if there are no wishes.
    ///
    /// # Errors
    ///
    /// Returns an error if the model also has competing goals or a dominance relation.
    pub fn with_wishes_as_goal(&self) -> Result<Option<Model>, Report> {
        let Some(requirements) = self.without_wishes()? else { return Ok(None) };
        self.must_be_without_dominance("wishes cannot be weighed against a dominance relation")?;
        self.must_be_without_trade_offs("wishes need goals in order of importance")?;
        let mut levels: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        // The levels are the order of importance, by which the map is sorted.
        for Wish { price, level, constraint, .. } in self.wishes() {
            levels.entry(level).or_default().push(format!("{price} * toInt(!({constraint}))"));
        }
        let sum = |terms: &Vec<String>| {
            let expression = format!("sum([{}])", terms.join(", "));
            Goal { expression, maximises: false, is_price: true }
        };
        let goals: Vec<Goal> = levels.values().map(sum).chain(self.goals()).collect();
        requirements.with_goals(&goals).map(Some)
    }

    /// Returns the model without its wishes; `None` if it has none.
    ///
    /// # Errors
    ///
    /// Returns the errors in the remaining model.
    pub fn without_wishes(&self) -> Result<Option<Model>, Report> {
        let wishes = self.wishes();
        if wishes.is_empty() {
            return Ok(None);
        }
        self.without(&wishes.iter().map(|wish| wish.span).collect::<Vec<_>>()).map(Some)
    }

    /// The wishes that a solution breaks.
    ///
    /// # Errors
    ///
    /// Returns the errors in the data, or the reason why a wish cannot be evaluated.
    pub fn broken_wishes(&self, data: &[Text], solution: &Solution) -> Result<Vec<Wish>, Report> {
        let solution = Text::new("the solution", solution.to_essence(usize::MAX));
        let bench = Workbench::new(Some(self.text()), data.to_vec(), Some(solution));
        let mut broken = Vec::new();
        for wish in self.wishes() {
            // An undefined constraint in a list counts as false, so `and([…])` always has a value.
            let holds = bench.evaluate(&Text::new("a wish", format!("and([{}])", wish.constraint)))?;
            if holds.value != Value::Bool(true) {
                broken.push(wish);
            }
        }
        Ok(broken)
    }

    /// Explains why a wish, named by its text, is broken in the optimal solution: the requirements and other wishes
    /// with which it cannot hold.
    ///
    /// # Errors
    ///
    /// Returns all errors in the texts, or an error if the instance is too large or if there is no wish of this name.
    pub fn why_wish(&self, data: &[Text], name: &str, options: &ExplainOptions) -> Result<Answer, Report> {
        let wishes = self.wishes();
        let Some(wish) = wishes.iter().find(|wish| wish.name == name) else {
            let error = Diagnostic::error(Code::COMMAND_LINE, format!("the model has no wish `{name}`"));
            return Err(match nearest(name, wishes.iter().map(|wish| &*wish.name)) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help("a wish is a comment above a constraint: `$ wish 3: Mia off on Friday`"),
            }
            .into());
        };
        let Some(soft) = self.with_wishes_as_goal()? else { return self.why(data, options) };
        let mut best = None;
        let solve_options = SolveOptions::default().search(options.search.clone());
        soft.instance(data)?.solve(&solve_options, &mut |solution| {
            best = Some(solution.clone());
            ControlFlow::Continue(())
        })?;
        // If there is no solution, the requirements alone are the reason.
        let Some(best) = best else { return self.why(data, options) };
        let broken = self.broken_wishes(data, &best)?;
        // The question presupposes that the wish is broken, so if it is not, the answer must say so.
        if !broken.contains(wish) {
            return Ok(Answer::new("kept", format!("The wish `{name}` is met in the best solution.")));
        }
        // A wish of a later level would have been broken instead, so it cannot be a reason.
        let is_reason = |other: &&Wish| other.level <= wish.level && !broken.contains(other);
        let others = wishes.iter().filter(|other| !is_reason(other)).map(|other| other.span);
        let kept = self.without(&others.collect::<Vec<_>>())?;
        let answer = kept.forced(data, &Text::new(name, format!("!({})", wish.constraint)), options)?;
        if answer.verdict != "forced" {
            return Ok(answer);
        }
        let with = match answer.reasons.len() {
            0 => "it cannot hold by itself.".to_owned(),
            1 => "it cannot hold together with this requirement.".to_owned(),
            count => format!("it cannot hold together with these {count} requirements."),
        };
        Ok(Answer { verdict: "broken", says: format!("The wish `{name}` is broken: {with}"), ..answer })
    }
}
