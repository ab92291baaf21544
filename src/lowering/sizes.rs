//! The sizes of a collection in ranges that double, used if all sizes together are too many for one problem. For
//! example, a quantifier over pairs of 65,536 possible members has too many instances, but over pairs of 128 slots it
//! does not.

use super::{DomainOverrides, INSTANCE_LIMIT, Representations, pairs::set_about_pairs, plans, with_size};
use crate::{
    instance::{Find, GroundInstance},
    language::{GroundDomain, Name, attributes::Size},
    symbolic::representation::has_more_combinations,
};

/// The largest size in the first range. Chosen.
const FIRST: i64 = 8;

/// The maximum number of combinations of possible members for a set that can also be searched as a clique. Lowering
/// more combinations takes seconds. Chosen.
const MOST_PAIRS: u128 = 2_000_000;

/// The sizes of one collection that remain to be searched, in ranges.
#[derive(Clone, Debug)]
pub(crate) struct LargerSizes {
    find: Find,
    pub name: Name,
    pub wanted: Representations,
    /// True if one problem for all sizes is also possible.
    pub fit_together: bool,
    /// True if each range starts at the smallest size, because with an objective each search starts from the best
    /// solution so far.
    starts_anew: bool,
    /// The next range.
    next: Size<i64>,
}

impl LargerSizes {
    /// Returns the ranges of sizes for the only decision variable whose collection is too large; `None` if there is no
    /// such variable or several.
    pub(crate) fn of(instance: &GroundInstance, wanted: &Representations) -> Option<Self> {
        let plans = plans(&instance.model, wanted);
        let is_clique = wanted.is_empty() && set_about_pairs(instance).is_some();
        // The clique search takes over below the limit on instances, so fewer combinations count as too large.
        let most = if is_clique { MOST_PAIRS } else { INSTANCE_LIMIT };
        let is_too_large = |domain: &GroundDomain, id| has_more_combinations(domain, &plans[&id], most);
        // A second large variable would need its own ranges for each range of the first one.
        let mut large = instance.finds.iter().filter(|find| is_too_large(&find.domain, find.id));
        let find = large.next().filter(|_| large.next().is_none())?;
        let least = find.domain.attributes()?.size().min.unwrap_or(0).max(0);
        let sizes = LargerSizes {
            find: find.clone(),
            name: instance.model.declaration(find.id).name.clone(),
            wanted: wanted.clone(),
            fit_together: !has_more_combinations(&find.domain, &plans[&find.id], INSTANCE_LIMIT),
            starts_anew: instance.model.objective.is_some(),
            next: Size { min: Some(least), max: Some(least.max(FIRST)) },
        };
        // If even the first range is too large, a search by size does not help.
        let first = sizes.clone().next()?;
        first.values().all(|domain| !is_too_large(domain, find.id)).then_some(sizes)
    }

    /// The domain with the next range of sizes; `None` after the last one.
    pub(crate) fn next(&mut self) -> Option<DomainOverrides> {
        let own = self.find.domain.attributes()?.size().clone();
        let most = own.max.unwrap_or(i64::MAX);
        let Size { min: Some(low), max: Some(high) } = self.next else { return None };
        if low > most {
            return None;
        }
        let low = if self.starts_anew { own.min } else { Some(low) };
        // The ranges double, so all of them together take at most about twice the work of the last one.
        self.next = Size { min: Some(high.saturating_add(1)), max: Some(high.saturating_mul(2)) };
        with_size(&self.find, Size { min: low, max: Some(high.min(most)) })
    }

    /// Returns the largest size in the ranges so far.
    pub(crate) fn searched(&self) -> i64 {
        let most = self.find.domain.attributes().and_then(|attributes| attributes.size().max);
        self.next.min.map_or(0, |next| next - 1).min(most.unwrap_or(i64::MAX))
    }
}
