//! The value of any term under an assignment of the variables.

use super::*;

#[allow(unused_variables)]
impl Assignment {
    pub fn set_bool(&mut self, variable: BoolId, value: bool) {
        self.bools.insert(variable, value);
    }
    pub fn set_int(&mut self, variable: Int, value: i64) {
        self.ints.insert(variable, value);
    }
}

#[allow(unused_variables)]
impl Problem {
    /// Variables that the assignment does not hold are false or have their smallest value.
    pub fn bool_value(&self, term: Bool, assignment: &Assignment) -> bool {
        todo!()
    }
    pub fn int_value(&self, term: Int, assignment: &Assignment) -> i64 {
        todo!()
    }
}
