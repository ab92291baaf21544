//! Compares with Conjure which texts are accepted by the parser, the validator and the type checker.

use crate::files::{suite, with_extension};
use conjure_like::{Model, Text};
use std::{collections::BTreeMap, fs, path::Path};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    Accepted,
    Refused,
}

/// Tests whose verdict differs from Conjure's on purpose.
struct Difference {
    ours: Verdict,
    reason: &'static str,
    tests: &'static [&'static str],
}

const DIFFERENCES: &[Difference] = &[
    Difference {
        ours: Verdict::Refused,
        reason: "the number of elements of a matrix literal contradicts its index domain, which Conjure does not look at",
        tests: &[
            "autogen-bilals-fixed/183ea55a9258e18d69a7b15d4f823c67",
            "autogen-bilals-fixed/20a87ed854619dfbc1f01b026e5db67b",
            "autogen-bilals-fixed/32f8563c6daa93f905b86ab15f412aa7",
            "autogen-bilals-fixed/353657731bc5ab2f967052fd60274d90",
            "autogen-bilals-fixed/401d7215ed575a743ec2b4542af4e08d",
            "autogen-bilals-fixed/6aaa07e106687606e6ebd677288f44b1",
            "autogen-bilals-fixed/7fc019c5d2aa866d1e64841472c50e95",
            "autogen-bilals-fixed/9378c4a717a68960aa405ca27d538fc9",
            "autogen-bilals-fixed/973d5a1ff0a13310b0134abb50f0c2cc",
            "autogen-bilals-fixed/9c03010bd51a771189cd5536a18e2f04",
            "autogen-bilals-fixed/a46f0f8380128f04446402757318c1d6",
            "autogen-bilals-fixed/b2c5b1865f75280212cbde17b6203d21",
            "autogen-bilals-fixed/b38ec6d36aff0c916226635561cbd1a6",
            "autogen-bilals-fixed/b66e7da196a60e38bb95fbadfe03228a",
            "autogen-bilals-fixed/cdfa715a0ae81a4cb3d42e7ca4e9b8af",
            "autogen-bilals-fixed/dc23eb30711c692381b05041b160b972",
        ],
    },
    Difference {
        ours: Verdict::Refused,
        reason: "a parameter file without a statement, read as a model: nothing is to be found",
        tests: &[
            "autogen-bilals-fixed/083fa3749c456a0e2b9ad8f1da77be70",
            "autogen-bilals-fixed/34c6e2d47930e12182aef2c13629be9c",
            "autogen-bilals-fixed/b9053d156faa845a9b26778d6c852ced",
        ],
    },
    Difference {
        ours: Verdict::Refused,
        reason: "a generator over a domain with infinitely many values, which Conjure cannot solve either",
        tests: &["syntax_test/expressions/comprehensions"],
    },
    Difference {
        ours: Verdict::Accepted,
        reason: "the factorial of a decision, which can be solved here",
        tests: &[
            "autogen/289~1435114959_70",
            "autogen/345~1435141546_33",
            "autogen/396~1435169954_27",
            "autogen/398~1435194081_33",
            "autogen/460~1435196486_42",
            "autogen/558~1435585187_20",
            "autogen/605~1436581770_45",
            "autogen/628~final",
            "autogen/633~final",
            "autogen/637~final",
            "autogen/646~final",
            "autogen/653~final",
            "autogen/678~final",
        ],
    },
    Difference {
        ours: Verdict::Accepted,
        reason: "a list is indexed by its positions here; Conjure takes one generator over `bool` for an index domain",
        tests: &[
            "autogen-bilals-fixed/07462500024634d4acbf73dd0983dc6a",
            "autogen-bilals-fixed/327977f393264ccb96efe5c4bae0368d",
            "autogen-bilals-fixed/34ba91b9fc9c3567839da59111a3300a",
            "autogen-bilals-fixed/4c2f1f690c7a08a46f98c9c20ae39638",
            "autogen-bilals-fixed/bf260ebe2c81e12c93948051b93d11da",
        ],
    },
    Difference {
        ours: Verdict::Accepted,
        reason: "the bounds and sizes in the domain of a generator may depend on decisions here",
        tests: &["autogen/730~1439082038_16", "autogen/731~final", "autogen/769~final"],
    },
    Difference {
        ours: Verdict::Accepted,
        reason: "a name for an unbounded domain, which a parameter may have here; a variable may not",
        tests: &["syntax_test/domains/mset", "syntax_test/domains/sequence"],
    },
];

/// Conjure's verdict on the only model of a folder.
fn expected(folder: &Path) -> Verdict {
    let says_something = |name: &str| fs::read_to_string(folder.join(name)).is_ok_and(|text| !text.trim().is_empty());
    match ["stderr.expected", "typecheck.expected"].into_iter().any(says_something) {
        true => Verdict::Refused,
        false => Verdict::Accepted,
    }
}

/// Our verdict on a text, with the first error.
fn verdict(text: &str) -> (Verdict, String) {
    match Model::read(&Text::new("model", text)) {
        Ok(_) => (Verdict::Accepted, String::new()),
        Err(report) => {
            let first = report.diagnostics.first().map(|first| format!(": {}", first.message));
            (Verdict::Refused, first.unwrap_or_default())
        }
    }
}

#[test]
#[ignore = "needs the tests of a checkout of Conjure, which CONJURE_TESTS names"]
fn what_conjure_accepts_is_accepted() {
    let root = suite("parse_print");
    let mut differences: BTreeMap<&str, (Verdict, &str)> = DIFFERENCES
        .iter()
        .flat_map(|group| group.tests.iter().map(|test| (*test, (group.ours, group.reason))))
        .collect();
    let (mut agree, mut wrong) = (0, Vec::new());
    let listed = differences.len();
    for path in with_extension(&root, &["essence"]) {
        let text = fs::read_to_string(&path).expect("a readable test");
        let folder = path.parent().expect("a folder");
        let name = folder.strip_prefix(&root).expect("below the root").to_string_lossy().replace('\\', "/");
        let ((ours, error), theirs) = (verdict(&text), expected(folder));
        match differences.remove(name.as_str()) {
            None if ours == theirs => agree += 1,
            None => wrong.push(format!("{name}: {ours:?}, by Conjure {theirs:?}{error}")),
            Some((listed, reason)) if ours != listed || ours == theirs => {
                wrong.push(format!("{name}: {ours:?}, by Conjure {theirs:?}, but listed: {reason}"));
            }
            Some(_) => {}
        }
    }
    wrong.extend(differences.keys().map(|name| format!("{name}: listed, but there is no such test")));
    println!("{agree} agree, {listed} differ on purpose, {} differ", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
