//! The caps on memory follow the limit of the run, which is one for the whole process.

use conjure_like::memory::{allow, for_clauses, for_search, for_terms, gigabytes, most_terms};

#[test]
fn the_caps_follow_the_limit() {
    let caps = || (for_terms(), most_terms(), for_clauses(), for_search());
    let least = (2_000_000_000, 20_000_000, 4_000_000_000, 6_000_000_000);
    assert_eq!(caps(), least);
    allow(1_000_000);
    assert_eq!(caps(), least);
    allow(64_000_000_000);
    assert_eq!(caps(), (16_000_000_000, 160_000_000, 32_000_000_000, 48_000_000_000));
    assert_eq!([for_clauses(), 12_500_000_000].map(gigabytes), ["32 GB", "12.5 GB"]);
}
