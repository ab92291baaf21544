//! Earlier plans as values of today's decision variables.

use super::{Instance, Report, Text, Values, stack::deep};
use crate::{instance::Find, language::quotation::unquoted, lowering::PlanValues};

impl Instance {
    /// The values of decision variables that an earlier plan means here; what does not fit is left out.
    pub(super) fn values_of_plan(&self, plan: &Text) -> Result<PlanValues, Report> {
        let values = Values::of(self.sources.clone(), Some(&self.read.model), plan)?;
        let (model, names) = (&self.bound.model, &self.bound.names);
        let fitted = |find: &Find, place: usize| {
            let declaration = model.declaration(find.id);
            let value = values.get(&unquoted(&declaration.name))?;
            Some((find.id, value.fitted(&declaration.ty, &find.domain, (names, place))?))
        };
        let values = |place| self.bound.finds.iter().filter_map(|find| fitted(find, place)).collect();
        Ok(deep(|| PlanValues { values: values(0), otherwise: values(1) }))
    }
}
