//! Scopes of names: the visible names and their innermost declarations.

use crate::language::Name;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The visible names with their meanings.
#[derive(Clone, Debug)]
pub(crate) struct Scope<M> {
    globals: FxHashMap<Name, M>,
    /// The bound names, from the outermost to the innermost.
    locals: Vec<(Name, M)>,
}

impl<M> Default for Scope<M> {
    fn default() -> Self {
        Scope { globals: FxHashMap::default(), locals: Vec::new() }
    }
}

impl<M> Scope<M> {
    /// Returns the meaning of a name. The innermost binding hides the others, and any binding hides a global name.
    pub(crate) fn get(&self, name: &str) -> Option<&M> {
        // Only a few names are bound at a time, so a linear search is fast enough.
        let local = self.locals.iter().rev().find(|(local, _)| **local == *name);
        local.map(|(_, meaning)| meaning).or_else(|| self.global(name))
    }

    /// The meaning of a global name.
    pub(crate) fn global(&self, name: &str) -> Option<&M> {
        self.globals.get(name)
    }

    /// Reserves space for more global names.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.globals.reserve(more);
    }

    /// Declares a global name. If the name is already declared, it keeps its meaning, which is returned.
    pub(crate) fn declare(&mut self, name: Name, meaning: M) -> Option<&M> {
        match self.globals.entry(name) {
            Entry::Occupied(earlier) => Some(earlier.into_mut()),
            Entry::Vacant(free) => {
                free.insert(meaning);
                None
            }
        }
    }

    /// Binds a name until the scope is left. The name is not visible in the range of its generator, the value of its
    /// `letting` or the domain of its `find`, so analyse these first.
    pub(crate) fn bind(&mut self, name: Name, meaning: M) {
        self.locals.push((name, meaning));
    }

    /// Returns the number of bound names, for [`Scope::leave`].
    pub(crate) fn enter(&self) -> usize {
        self.locals.len()
    }

    /// Removes the names that were bound since the scope was entered.
    pub(crate) fn leave(&mut self, scope: usize) {
        self.locals.truncate(scope);
    }

    /// Removes and returns all bound names, for [`Scope::rebind`].
    pub(crate) fn unbind_all(&mut self) -> Vec<(Name, M)> {
        std::mem::take(&mut self.locals)
    }

    /// Restores the bound names.
    pub(crate) fn rebind(&mut self, locals: Vec<(Name, M)>) {
        self.locals = locals;
    }

    /// All visible names, the bound ones first.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Name> {
        self.locals.iter().map(|(local, _)| local).chain(self.globals.keys())
    }
}
