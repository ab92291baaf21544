//! The names that are known at a place, and which of their declarations each stands for.

use crate::language::Name;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The names that are known at a place, each with what it stands for.
#[derive(Clone, Debug)]
pub(crate) struct Scope<M> {
    globals: FxHashMap<Name, M>,
    /// The names bound around the place, the innermost last.
    locals: Vec<(Name, M)>,
}

impl<M> Default for Scope<M> {
    fn default() -> Self {
        Scope { globals: FxHashMap::default(), locals: Vec::new() }
    }
}

impl<M> Scope<M> {
    /// The meaning of a name: the innermost binding hides the others, and every binding hides a global name.
    pub(crate) fn get(&self, name: &str) -> Option<&M> {
        let local = self.locals.iter().rev().find(|(local, _)| **local == *name);
        local.map(|(_, meaning)| meaning).or_else(|| self.global(name))
    }

    /// The meaning of a global name.
    pub(crate) fn global(&self, name: &str) -> Option<&M> {
        self.globals.get(name)
    }

    /// Makes room for more global names.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.globals.reserve(more);
    }

    /// Declares a global name. A name that is declared already keeps its meaning, which is returned.
    pub(crate) fn declare(&mut self, name: Name, meaning: M) -> Option<&M> {
        match self.globals.entry(name) {
            Entry::Occupied(earlier) => Some(earlier.into_mut()),
            Entry::Vacant(free) => {
                free.insert(meaning);
                None
            }
        }
    }

    /// Makes a name stand for something until the scope is left. What a generator ranges over, the value of a `letting`
    /// and the domain of a `find` do not know the names that they are for, so they are read before.
    pub(crate) fn bind(&mut self, name: Name, meaning: M) {
        self.locals.push((name, meaning));
    }

    /// The number of names that are bound, for [`Scope::leave`].
    pub(crate) fn enter(&self) -> usize {
        self.locals.len()
    }

    /// Forgets the names that were bound since the scope was entered.
    pub(crate) fn leave(&mut self, scope: usize) {
        self.locals.truncate(scope);
    }

    /// Takes all names out that are bound, for [`Scope::rebind`].
    pub(crate) fn unbind_all(&mut self) -> Vec<(Name, M)> {
        std::mem::take(&mut self.locals)
    }

    /// Binds the names again that were taken out.
    pub(crate) fn rebind(&mut self, locals: Vec<(Name, M)>) {
        self.locals = locals;
    }

    /// All names that are known, the bound ones first.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Name> {
        self.locals.iter().map(|(local, _)| local).chain(self.globals.keys())
    }
}
