//! The members of an inner domain by position, without keeping all of them, because there may be very many.

use super::{GroundDomain, enumerate::ValueIterator};
use crate::language::Value;
use std::collections::VecDeque;

/// The number of first members to keep. Chosen.
const MOST_KEPT: usize = 16_384;
/// The number of recently computed members to keep. Chosen.
const MOST_RECENT: usize = 256;

pub(in crate::language) struct Pool {
    /// The source of the members; `None` if all are kept.
    domain: Option<GroundDomain>,
    first: Vec<Value>,
    /// The members before `next`, as far as they are not among the first.
    recent: VecDeque<Value>,
    rest: ValueIterator,
    /// The position of the next member of `rest`.
    next: usize,
    /// The number of members that are known to exist.
    known: usize,
    is_complete: bool,
}

impl Pool {
    pub(in crate::language) fn new(domain: &GroundDomain) -> Self {
        Pool {
            domain: Some(domain.clone()),
            first: Vec::new(),
            recent: VecDeque::new(),
            rest: domain.members(),
            next: 0,
            known: 0,
            is_complete: false,
        }
    }

    pub(in crate::language) fn listed(members: Vec<Value>) -> Self {
        Pool {
            domain: None,
            next: members.len(),
            known: members.len(),
            first: members,
            recent: VecDeque::new(),
            rest: Box::new(std::iter::empty()),
            is_complete: true,
        }
    }

    /// The member at an existing position.
    pub(in crate::language) fn get(&mut self, position: usize) -> Value {
        if let Some(value) = self.first.get(position) {
            return value.clone();
        }
        // The member was dropped, so the members are computed again from the end of `first`.
        if position < self.next - self.recent.len() {
            self.restart();
        }
        while self.next <= position {
            assert!(self.advance(), "position {position} was asked for, which there is not");
        }
        if position < self.first.len() {
            return self.first[position].clone();
        }
        self.recent[self.recent.len() - (self.next - position)].clone()
    }

    pub(in crate::language) fn has(&mut self, position: usize) -> bool {
        while !self.is_complete && self.known <= position {
            self.is_complete = !self.advance();
        }
        position < self.known
    }

    /// Returns true if there are at least `count` members.
    pub(in crate::language) fn has_at_least(&mut self, count: usize) -> bool {
        count == 0 || self.has(count - 1)
    }

    /// Restarts at the first member that is not kept.
    fn restart(&mut self) {
        if let Some(domain) = &self.domain {
            self.rest = domain.members();
            self.next = 0;
            self.recent.clear();
            for _ in 0..self.first.len() {
                self.rest.next();
                self.next += 1;
            }
        }
    }

    fn advance(&mut self) -> bool {
        let Some(value) = self.rest.next() else { return false };
        if self.next == self.first.len() && self.next < MOST_KEPT {
            self.first.push(value);
        } else {
            if self.recent.len() == MOST_RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(value);
        }
        self.next += 1;
        self.known = self.known.max(self.next);
        true
    }
}
