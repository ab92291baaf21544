//! Matches patterns with terms. A set pattern can match a set that depends on decisions in several ways, each with its
//! own condition, so matching visits all of them.

use super::*;
use crate::{
    analysis::model::{Pattern, PatternForm},
    symbolic::Member,
};

/// The action for each match. Its context contains the condition of the match.
pub(super) type Matched<'v> = dyn FnMut(&mut Lowering<'_>, &Context<'_>) -> LoweringResult<()> + 'v;

/// The patterns that are still to be matched, with their values.
type Rest<'p> = Vec<(&'p Pattern, Partial)>;

/// The requirement on the members that are not matched by a set pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OtherMembers {
    Absent,
    Any,
}

/// Returns true if some values of the right type do not match the pattern.
pub(super) fn may_fail(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Wildcard | Pattern::Name(_) => false,
        Pattern::Parts(PatternForm::Tuple, patterns) => patterns.iter().any(may_fail),
        Pattern::Parts(PatternForm::Matrix | PatternForm::Members, _) => true,
    }
}

impl Lowering<'_> {
    /// Binds the names of a pattern to undefined terms.
    pub(super) fn bind_undefined(&mut self, pattern: &Pattern) {
        pattern.names(&mut |id| {
            self.environment.unbind_local(id);
            let nothing = Partial { term: Term::Value(Value::FALSE), defined: Bool::FALSE };
            self.locals[id.0 as usize] = Some(nothing);
        });
    }

    /// Binds the names of a pattern to a value, once for each way in which the pattern matches.
    pub(super) fn matches(
        &mut self,
        pattern: &Pattern,
        value: Partial,
        context: &Context,
        matched: &mut Matched,
    ) -> LoweringResult<()> {
        self.match_rest(vec![(pattern, value)], context, matched)
    }

    fn match_rest(&mut self, mut rest: Rest, context: &Context, matched: &mut Matched) -> LoweringResult<()> {
        // Patterns are taken from the end, so a nested pattern is finished before the next one.
        let Some((pattern, value)) = rest.pop() else { return matched(self, context) };
        let part = |term: Term| Partial { term, defined: value.defined };
        match pattern {
            Pattern::Wildcard => self.match_rest(rest, context, matched),
            Pattern::Name(id) => {
                // Expressions with a constant are evaluated instead of lowered, so constants are stored in the
                // environment.
                let constant = value.term.as_value().filter(|_| value.defined == Bool::TRUE);
                match constant {
                    Some(constant) => self.environment.bind_local(*id, constant.clone()),
                    // An old value in the environment would hide the term.
                    None => self.environment.unbind_local(*id),
                }
                self.locals[id.0 as usize] = constant.is_none().then(|| value.clone());
                self.match_rest(rest, context, matched)
            }
            Pattern::Parts(PatternForm::Tuple, patterns) => {
                rest.extend(patterns.iter().zip(value.term.items().into_iter().map(part)));
                self.match_rest(rest, context, matched)
            }
            Pattern::Parts(PatternForm::Matrix, patterns) => {
                // The list must have exactly as many elements as the pattern: the last of these is present, and the
                // next one is absent.
                let elements = self.symbolic.compact(&value.term);
                let present = elements
                    .get(patterns.len().wrapping_sub(1))
                    .map_or(Bool::from(patterns.is_empty()), |last| last.condition);
                let longer = elements.get(patterns.len()).map_or(Bool::FALSE, |next| next.condition);
                let fits = self.symbolic.problem.and([present, !longer]);
                let Some(context) = context.and(fits) else { return Ok(()) };
                rest.extend(patterns.iter().zip(elements.into_iter().map(|element| part(element.term))));
                self.match_rest(rest, &context, matched)
            }
            Pattern::Parts(PatternForm::Members, patterns) => {
                let members = self.symbolic.elements(&value.term);
                self.match_members(patterns, &members, OtherMembers::Absent, rest, context, matched)
            }
        }
    }

    /// Matches the patterns with different members in ascending order.
    pub(super) fn match_members(
        &mut self,
        patterns: &[Pattern],
        members: &[Member],
        others: OtherMembers,
        rest: Rest,
        context: &Context,
        matched: &mut Matched,
    ) -> LoweringResult<()> {
        let mut choice = MemberSelection { patterns, members, others, rest, chosen: Vec::new() };
        choice.extend(self, context, matched)
    }
}

/// A choice of members for the parts of a set pattern.
struct MemberSelection<'p, 'm> {
    patterns: &'p [Pattern],
    members: &'m [Member],
    others: OtherMembers,
    rest: Rest<'p>,
    /// The positions of the members chosen so far.
    chosen: Vec<usize>,
}

impl MemberSelection<'_, '_> {
    fn extend(&mut self, lowering: &mut Lowering, context: &Context, matched: &mut Matched) -> LoweringResult<()> {
        if self.chosen.len() == self.patterns.len() {
            return self.complete(lowering, context, matched);
        }
        for index in 0..self.members.len() {
            let member = &self.members[index];
            if self.chosen.contains(&index) || member.condition == Bool::FALSE {
                continue;
            }
            // Each set of members is matched once, in ascending order.
            let ascends = match self.chosen.last() {
                Some(&last) => lowering.symbolic.less(&self.members[last].term, &member.term),
                None => Bool::TRUE,
            };
            let Some(context) = context.and(ascends) else { continue };
            if let Some(context) = context.and(member.condition) {
                self.chosen.push(index);
                self.extend(lowering, &context, matched)?;
                self.chosen.pop();
            }
        }
        Ok(())
    }

    fn complete(&self, lowering: &mut Lowering, context: &Context, matched: &mut Matched) -> LoweringResult<()> {
        let mut parts = Vec::new();
        if self.others == OtherMembers::Absent {
            // A set pattern matches only sets of its size, so all other members must be absent.
            let absent = (0..self.members.len()).filter(|index| !self.chosen.contains(index));
            parts.extend(absent.map(|index| !self.members[index].condition));
        }
        let others_absent = lowering.symbolic.problem.and(parts);
        let Some(context) = context.and(others_absent) else { return Ok(()) };
        // The last patterns are matched first, so the members are matched before the patterns outside the set.
        let mut rest = self.rest.clone();
        rest.extend(
            self.patterns
                .iter()
                .zip(&self.chosen)
                .map(|(pattern, &index)| (pattern, Partial::from(self.members[index].term.clone()))),
        );
        lowering.match_rest(rest, &context, matched)
    }
}
