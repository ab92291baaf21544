//! Random expressions with local conditions or local decision variables.

use super::{generator::Generator, tree::*};
use conjure_like::{
    language::Type,
    operators::symbols,
    syntax::ast::{ExprTree, ExprTreeKind, Statement, StatementKind, WrittenRange},
};

impl Generator {
    pub(crate) fn bubble(&mut self, ty: &Type, depth: usize) -> ExprTree {
        let scope = self.scope.len();
        let statements = if !self.decisions || self.random.percent(40) {
            let conditions = (0..self.random.between(1, 2)).map(|_| self.expression(&Type::Bool, depth - 1)).collect();
            vec![statement(StatementKind::SuchThat(conditions))]
        } else {
            self.local_find(depth)
        };
        let value = self.expression(ty, depth - 1);
        self.scope.truncate(scope);
        expr(ExprTreeKind::Bubble(Box::new(value), statements))
    }

    /// A local decision variable that equals some expression. If it could have several values, the choice would be
    /// free, and a different choice would not be an error.
    fn local_find(&mut self, depth: usize) -> Vec<Statement> {
        let related = self.related_type();
        let ty = match related {
            Type::List(_) | Type::Matrix(_) => self.simple_type(),
            ty => ty,
        };
        let value = self.expression(&ty, depth - 1);
        let domain = match ty {
            // An expression with a value outside the domain makes the model unsatisfiable, which is a valid test.
            Type::Int(_) => ints(vec![WrittenRange::Interval(Some(int(-2)), Some(int(6)))]),
            _ => self.domain(&ty, 8).0,
        };
        self.fresh += 1;
        let text = format!("l{}", self.fresh);
        let find = StatementKind::Find { names: vec![identifier(&text)], domain };
        self.declare(&text, ty, true);
        self.depends = true;
        let equation = apply(symbols::EQUAL, vec![name(&text.as_str().into()), value]);
        vec![statement(find), statement(StatementKind::SuchThat(vec![equation]))]
    }
}
