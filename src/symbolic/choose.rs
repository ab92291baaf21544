//! Chooses one of several terms by their conditions.

use super::*;

impl Symbolic {
    /// Returns the term whose condition holds. The conditions exclude each other; if none of them holds, any term may
    /// be returned. All terms have the same type.
    pub(crate) fn choose(&mut self, mut alternatives: Vec<(Bool, Term)>) -> Term {
        alternatives.retain(|(condition, _)| *condition != Bool::FALSE);
        if let Some(position) = alternatives.iter().position(|(condition, _)| *condition == Bool::TRUE) {
            return alternatives.swap_remove(position).1;
        }
        // No condition can hold, so any term will do.
        let Some((_, first)) = alternatives.first() else { return Term::Value(Value::Int(0)) };
        if alternatives.len() == 1 {
            return first.clone();
        }
        // Equal constants need no choice, so a lookup in a row of equal numbers becomes a constant.
        if let Term::Value(value) = first
            && alternatives.iter().all(|(_, term)| term.as_value() == Some(value))
        {
            return first.clone();
        }
        match first {
            Term::Value(Value::Bool(_)) | Term::Bool(_) => self.choose_bool(&alternatives),
            Term::Value(Value::Int(_)) | Term::Int(_) => {
                let alternatives: Vec<(Bool, Int)> =
                    alternatives.iter().map(|(condition, term)| (*condition, self.int(term))).collect();
                let chosen = self.problem.choice(alternatives);
                self.int_term(chosen)
            }
            Term::Value(Value::Tuple(_)) | Term::Tuple(_) => {
                let items: Vec<(Bool, Vec<Term>)> =
                    alternatives.iter().map(|(condition, term)| (*condition, term.items())).collect();
                // All alternatives have the same type, so their tuples have the same width.
                let width = items[0].1.len();
                let chosen = (0..width)
                    .map(|position| {
                        self.choose(
                            items.iter().map(|(condition, items)| (*condition, items[position].clone())).collect(),
                        )
                    })
                    .collect();
                Term::tuple(chosen)
            }
            Term::Value(Value::Variant(..)) | Term::Variant(..) => self.choose_variant(&alternatives),
            _ if first.is_matrix() => self.choose_matrix(&alternatives),
            _ => self.choose_collection(&alternatives),
        }
    }

    /// Chooses with implications. For exclusive conditions they are equivalent to a disjunction of conjunctions, and
    /// need no auxiliary variables when they are asserted.
    fn choose_bool(&mut self, alternatives: &[(Bool, Term)]) -> Term {
        let parts: Vec<Bool> = alternatives
            .iter()
            .map(|(condition, term)| {
                let term = term.bool();
                self.problem.implies(*condition, term)
            })
            .collect();
        self.problem.and(parts).into()
    }

    fn choose_variant(&mut self, alternatives: &[(Bool, Term)]) -> Term {
        let mut tags: Vec<(Bool, Int)> = Vec::new();
        let mut parts: Vec<(Bool, Vec<Option<Term>>)> = Vec::new();
        for (condition, term) in alternatives {
            let (tag, values) = self.variant_parts(term);
            tags.push((*condition, tag));
            parts.push((*condition, values));
        }
        let tag = self.problem.choice(tags);
        // Trailing alternatives that a term cannot have may be missing from its list, so the longest list counts.
        let width = parts.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
        let values = (0..width)
            .map(|position| {
                let choices: Vec<(Bool, Term)> = parts
                    .iter()
                    // An alternative that cannot have this tag does not constrain the value.
                    .filter_map(|(condition, values)| {
                        values.get(position).cloned().flatten().map(|value| (*condition, value))
                    })
                    .collect();
                (!choices.is_empty()).then(|| self.choose(choices))
            })
            .collect();
        Term::Variant(tag, values)
    }

    fn choose_collection(&mut self, alternatives: &[(Bool, Term)]) -> Term {
        let Some(kind) = collection_kind_of(&alternatives[0].1) else { return alternatives[0].1.clone() };
        let parts: Vec<(Bool, Arc<Members>)> =
            alternatives.iter().map(|(condition, term)| (*condition, self.members(term))).collect();
        // Members of sequences and permutations are found by their keys, so each key must stay unique.
        if !kind.row().has_occurrences() && parts.iter().all(|(_, members)| members.positions(Key::of(kind)).is_some())
        {
            return self.choose_by_key(kind, &parts);
        }
        // At most one alternative is present, so equal members can occur only if they occur within one alternative.
        let distinct = parts.iter().all(|(_, members)| members.repetition == Repetition::Never);
        let mut merged = Vec::new();
        for (condition, members) in &parts {
            for member in &members.members {
                merged.push(Member::new(self.problem.and([*condition, member.condition]), member.term.clone()));
            }
        }
        // Members of different alternatives are never present together, so distinct members stay distinct.
        Term::Collection(kind, Arc::new(Members::new(merged, Repetition::unless(distinct))))
    }

    /// Chooses between collections with constant keys: a key is present if it is in the chosen collection.
    fn choose_by_key(&mut self, kind: Collection, parts: &[(Bool, Arc<Members>)]) -> Term {
        let mut order: Vec<Value> = Vec::new();
        let mut found: FxHashMap<Value, Vec<(Bool, Term)>> = FxHashMap::default();
        for (condition, members) in parts {
            for member in &members.members {
                let key = match kind.form().is_keyed() {
                    true => member.term.item(0),
                    false => member.term.clone(),
                };
                // The caller has checked that all keys are constant.
                let Term::Value(key) = key else { continue };
                let here = self.problem.and([*condition, member.condition]);
                found
                    .entry(key.clone())
                    .or_insert_with(|| {
                        order.push(key);
                        Vec::new()
                    })
                    .push((here, member.term.clone()));
            }
        }
        // The members of a sequence must be in the order of their indices.
        order.sort_unstable();
        let mut members = Vec::with_capacity(order.len());
        for key in order {
            let choices = found.remove(&key).unwrap_or_default();
            let condition = self.problem.or(choices.iter().map(|choice| choice.0));
            let term = match kind.form().is_keyed() {
                true => {
                    let images = choices.into_iter().map(|(condition, term)| (condition, term.item(1))).collect();
                    Term::pair(Term::Value(key), self.choose(images))
                }
                false => Term::Value(key),
            };
            members.push(Member::new(condition, term));
        }
        self.collection(kind, members, Repetition::Never)
    }
}
