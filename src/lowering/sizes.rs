//! The sizes of a collection in ranges that double, where all sizes together are too many for one problem: quantifiers
//! over pairs of 65,536 possible members have too many instances, and those over pairs of 128 slots have not.

use super::{DomainOverrides, INSTANCE_LIMIT, Representations, plans};
use crate::{
    analysis::model::DeclarationId,
    instance::GroundInstance,
    language::{
        GroundDomain, Name,
        attributes::{Measure, Size},
    },
    symbolic::representation::has_more_combinations,
};

/// The largest size of the first range.
const FIRST: i64 = 8;

/// The sizes of one collection that are still to be searched, in ranges.
#[derive(Clone, Debug)]
pub(crate) struct LargerSizes {
    find: DeclarationId,
    pub name: Name,
    domain: GroundDomain,
    pub wanted: Representations,
    /// Whether each range begins with the least size: with an objective, the next search begins with the best solution
    /// so far.
    begins_anew: bool,
    /// The next range.
    next: Size<i64>,
}

impl LargerSizes {
    /// The sizes of the one decision variable whose collection is too large for all of them; `None` if all fit,
    /// or if there are several such variables.
    pub(crate) fn of(instance: &GroundInstance, wanted: &Representations) -> Option<Self> {
        let plans = plans(&instance.model, wanted);
        let is_too_large = |domain: &GroundDomain, id| has_more_combinations(domain, &plans[&id], INSTANCE_LIMIT);
        let mut large = instance.finds.iter().filter(|find| is_too_large(&find.domain, find.id));
        let find = large.next().filter(|_| large.next().is_none())?;
        let least = find.domain.attributes()?.size().min.unwrap_or(0).max(0);
        let sizes = LargerSizes {
            find: find.id,
            name: instance.model.declaration(find.id).name.clone(),
            domain: GroundDomain::clone(&find.domain),
            wanted: wanted.clone(),
            begins_anew: instance.model.objective.is_some(),
            next: Size { min: Some(least), max: Some(least.max(FIRST)) },
        };
        let first = sizes.clone().next()?;
        first.values().all(|domain| !is_too_large(domain, find.id)).then_some(sizes)
    }

    /// The domain with the next range of sizes; `None` after the last one.
    pub(crate) fn next(&mut self) -> Option<DomainOverrides> {
        let GroundDomain::Collection(kind, attributes, parts) = &self.domain else { return None };
        let most = attributes.size().max.unwrap_or(i64::MAX);
        let Size { min: Some(low), max: Some(high) } = self.next else { return None };
        if low > most {
            return None;
        }
        let low = if self.begins_anew { attributes.size().min } else { Some(low) };
        let attributes = attributes.clone().bounding(Measure::Size, Size { min: low, max: Some(high.min(most)) });
        self.next = Size { min: Some(high + 1), max: Some(high.saturating_mul(2)) };
        Some(DomainOverrides::from([(self.find, GroundDomain::Collection(*kind, attributes, parts.clone()))]))
    }

    /// The largest size before those that are left.
    pub(crate) fn searched(&self) -> i64 {
        self.next.min.map_or(0, |next| next / 2)
    }
}
