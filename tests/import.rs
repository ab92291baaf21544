//! The puzzles in `params/` import to the parameter files beside them, and malformed input is rejected with its
//! position.

use conjure_like::{
    import::{ImportFormat, import_puzzle_text},
    source::Sources,
};
use std::{fs, path::Path};

fn read(name: &str) -> String {
    fs::read_to_string(Path::new("params").join(name)).unwrap_or_else(|error| panic!("params/{name}: {error}"))
}

fn imported(format: ImportFormat, text: &str) -> String {
    import_puzzle_text(format, Default::default(), text).unwrap_or_else(|error| panic!("{error:?}"))
}

/// A parameter file without the comments about expected solutions, which the puzzle does not contain.
fn without_solutions(parameters: &str) -> String {
    let expected = |line: &&str| ["$ solutions:", "$ solution:"].iter().any(|start| line.starts_with(start));
    parameters.lines().filter(|line| !expected(line)).map(|line| format!("{line}\n")).collect()
}

const PUZZLES: [(ImportFormat, &str, &str); 6] = [
    (ImportFormat::FutoshikiLess, "futoshiki-5-less.txt", "futoshiki-5-less.param"),
    (ImportFormat::FutoshikiGreater, "futoshiki-4-greater.txt", "futoshiki-4-greater.param"),
    (ImportFormat::FutoshikiPicture, "futoshiki-5-picture.txt", "futoshiki-5-picture.param"),
    (ImportFormat::FutoshikiPicture, "futoshiki-7-picture.txt", "futoshiki-7-picture.param"),
    (ImportFormat::LatinSquare, "latin-7.txt", "latin-square-7.param"),
    (ImportFormat::Mathemagrids, "mathemagrids-3.txt", "mathemagrids-3.param"),
];

#[test]
fn puzzles_import_to_the_parameter_files_beside_them() {
    for (format, puzzle, parameters) in PUZZLES {
        assert_eq!(imported(format, &read(puzzle)), without_solutions(&read(parameters)), "{puzzle}");
    }
}

#[test]
fn line_ends_blanks_at_the_ends_and_a_byte_order_mark_do_not_matter() {
    for (format, puzzle, _) in PUZZLES {
        let plain = read(puzzle);
        // Blanks before each line end, as some editors leave them.
        let windows = format!("\u{feff}{}\r\n", plain.replace('\n', "  \r\n"));
        assert_eq!(imported(format, &windows), imported(format, &plain), "{puzzle}");
        let trimmed: Vec<&str> = plain.lines().map(str::trim_end).collect();
        assert_eq!(imported(format, &trimmed.join("\n")), imported(format, &plain), "{puzzle}");
    }
}

#[test]
fn futoshiki_without_inequalities_and_hints_has_empty_collections() {
    let parameters = imported(ImportFormat::FutoshikiLess, "0 0\n0 0\n");
    assert!(parameters.contains("letting hints be function()\n"), "{parameters}");
    assert!(parameters.contains("letting less_than be relation()\n"), "{parameters}");
}

#[test]
fn numbers_of_two_digits_are_read() {
    let row = |first: &str| format!("{first} {}", ["0"; 11].join(" "));
    let grid: Vec<String> = (0..12).map(|index| row(if index == 3 { "12" } else { "0" })).collect();
    assert!(imported(ImportFormat::LatinSquare, &grid.join("\n")).contains("function((4, 1) --> 12)"));

    // In a picture, a number of two digits extends over the blank after it.
    let cells = |first: &str| format!("{first}{}", "  0".to_owned() + &"   0".repeat(10));
    let board: Vec<String> = (0..12).map(|index| cells(if index == 3 { "12" } else { "0 " })).collect();
    assert!(imported(ImportFormat::FutoshikiPicture, &board.join("\n\n")).contains("function((4, 1) --> 12)"));
}

/// The code, line, column, text and message of the error.
fn refused(format: ImportFormat, text: &str) -> String {
    let mut sources = Sources::default();
    let source = sources.add("puzzle.txt", text);
    let error = import_puzzle_text(format, source, text).expect_err("a malformed puzzle must be refused");
    assert!(!error.help.is_empty(), "a way out is missing: {error:?}");
    let span = error.span().expect("a mistake in a file has a place");
    let (line, column) = sources.get(source).line_and_column(span.start as usize);
    format!("{} {line}:{column} `{}`: {}", error.code, sources.text(span), error.message)
}

#[test]
fn a_malformed_latin_square_is_refused_where_it_is_wrong() {
    let check = |text: &str, expected: &str| assert_eq!(refused(ImportFormat::LatinSquare, text), expected, "{text:?}");
    check("", "E0701 1:1 ``: the grid is missing");
    check("\n\n", "E0701 3:1 ``: the grid is missing");
    check("0 0 0\n0 0\n0 0 0\n", "E0701 2:1 `0 0`: row 2 has 2 numbers instead of 3");
    check("0 0\n0 0 0\n", "E0701 2:1 `0 0 0`: row 2 has 3 numbers instead of 2");
    check("0 0\n0 3\n", "E0701 2:3 `3`: 3 is out of range");
    check(
        "0 99999999999999999999999\n0 3\n",
        "E0701 1:3 `99999999999999999999999`: 99999999999999999999999 is out of range",
    );
    check("0 0\n0 x\n", "E0701 2:3 `x`: `x` is not a number");
    check("0 -1\n0 0\n", "E0701 1:3 `-1`: `-1` is not a number");
    check("0 0\n", "E0701 1:1 `0 0`: the grid has 1 row instead of 2");
    check("0 0\n0 0\n0 0\n", "E0701 3:1 `0 0`: the grid has more than 2 rows");
    check("0 0\n0 0\n\n1,1,1,2\n", "E0701 4:1 `1,1,1,2`: something follows after the grid");
    check("0 0\r\n0 5\r\n", "E0701 2:3 `5`: 5 is out of range");
    check("0 ü\n0 0", "E0701 1:3 `ü`: `ü` is not a number");
}

#[test]
fn malformed_inequalities_counted_from_1_are_refused_where_they_are_wrong() {
    let check = |line: &str, expected: &str| {
        assert_eq!(refused(ImportFormat::FutoshikiLess, &format!("0 0\n0 0\n\n{line}\n")), expected, "{line:?}");
    };
    check("1,1,1", "E0701 4:1 `1,1,1`: this is not an inequality");
    check("1,1,1,2,3", "E0701 4:1 `1,1,1,2,3`: this is not an inequality");
    check("1,1,3,1", "E0701 4:5 `3`: 3 is out of range");
    check("0,1,1,1", "E0701 4:1 `0`: 0 is out of range");
    check("1,1,1,", "E0701 4:7 ``: a number is missing");
    check("1,1,1,a", "E0701 4:7 `a`: `a` is not a number");
    check("2,1, 2,1", "E0701 4:1 `2,1, 2,1`: cell (2,1) is compared with itself");
    assert_eq!(
        refused(ImportFormat::FutoshikiLess, "0 0\n0 0\n1,1,1,2"),
        "E0701 3:1 `1,1,1,2`: the grid has more than 2 rows"
    );
}

#[test]
fn malformed_sections_and_inequalities_counted_from_0_are_refused_where_they_are_wrong() {
    let check =
        |text: &str, expected: &str| assert_eq!(refused(ImportFormat::FutoshikiGreater, text), expected, "{text:?}");
    check("", "E0701 1:1 ``: the section `values` is missing");
    check("0 0\n0 0\nrestrict\n", "E0701 1:1 `0 0`: the section `values` is missing");
    check("values\n0 0\n0 0\n", "E0701 4:1 ``: the section `restrict` is missing");
    check("values\nrestrict\n", "E0701 1:7 ``: the grid is missing");
    check("values\n0 0\nrestrict\n", "E0701 2:1 `0 0`: the grid has 1 row instead of 2");
    check("values\n0 0\n0 0\nrestrict\n0,0 0,2\n", "E0701 5:7 `2`: 2 is out of range");
    check("values\n0 0\n0 0\nrestrict\n0,0\n", "E0701 5:1 `0,0`: this is not an inequality");
    check("values\n0 0\n0 0\nrestrict\n0,0 1\n", "E0701 5:5 `1`: this is not an inequality");
    check("values\n0 0\n0 0\nrestrict\n0,0 0,0\n", "E0701 5:1 `0,0 0,0`: cell (1,1) is compared with itself");
}

#[test]
fn a_malformed_picture_is_refused_where_it_is_wrong() {
    let check =
        |text: &str, expected: &str| assert_eq!(refused(ImportFormat::FutoshikiPicture, text), expected, "{text:?}");
    check("", "E0701 1:1 ``: the board is missing");
    check("< >\n", "E0701 1:1 `< >`: the board is missing");
    check("0 = 0\n\n0   0\n", "E0701 1:3 `=`: unknown sign `=`");
    check("0 ∧ 0\n\n0   0\n", "E0701 1:3 `∧`: there is a sign `∧` where none is expected");
    check("0   0\n  ∧\n0   0\n", "E0701 2:3 `∧`: there is a sign `∧` where none is expected");
    check("0   0\n∧       ∨\n0   0\n", "E0701 2:9 `∨`: there is a sign `∨` where none is expected");
    check("0   0\n<\n0   0\n", "E0701 2:1 `<`: there is a sign `<` where none is expected");
    check("0   0 <\n\n0   0\n", "E0701 1:7 `<`: there is a sign `<` where none is expected");
    check("0  0\n\n0   0\n", "E0701 1:4 `0`: `0` is not in the column of a cell");
    check("0   0\n\n0   0   0\n", "E0701 3:9 `0`: row 2 has more than 2 cells");
    check("0   0\n\n0\n", "E0701 3:1 `0`: row 2 has 1 cell instead of 2");
    check("0   3\n\n0   0\n", "E0701 1:5 `3`: 3 is out of range");
    check("0   0\n\n0   0\n∧", "E0701 4:1 `∧`: the board has more than 2 rows");
    check("0   0\n0   0\n", "E0701 2:1 `0`: `0` is not in the column of a cell");
    check("0   0\n∧\n", "E0701 2:1 `∧`: the board has 1 row instead of 2");
    check("0\t0\n\n0   0\n", "E0701 1:2 `\t`: the picture contains a tab");
}

#[test]
fn a_malformed_mathemagrid_is_refused_where_it_is_wrong() {
    let check =
        |text: &str, expected: &str| assert_eq!(refused(ImportFormat::Mathemagrids, text), expected, "{text:?}");
    let good = "1+.=3\n+,*\n.-.=0\n=,=\n5,6\n";
    imported(ImportFormat::Mathemagrids, good);
    check("", "E0701 1:1 ``: the grid is missing");
    check("7=7\n=\n7\n", "E0701 1:1 `7=7`: the first row has no operator");
    check(&good.replace("1+.=3", "1+.3"), "E0701 1:1 `1+.3`: a row without `=` and a result");
    check(&good.replace("1+.=3", "5+.=3"), "E0701 1:1 `5`: 5 is out of range");
    check(&good.replace("1+.=3", "1+=3"), "E0701 1:3 ``: a number is missing");
    check(&good.replace("1+.=3", "1+.="), "E0701 1:5 ``: a number is missing");
    check(&good.replace("1+.=3", "1+x=3"), "E0701 1:3 `x`: `x` is not a number");
    check(&good.replace(".-.=0", ".-.-.=0"), "E0701 3:1 `.-.-.=0`: 3 cells instead of 2");
    check(&good.replace("+,*", "+,^"), "E0701 2:3 `^`: unknown operator `^`");
    check(&good.replace("+,*", "+"), "E0701 2:1 `+`: 1 operator instead of 2");
    check(&good.replace("=,=", "=,-"), "E0701 4:3 `-`: expected `=`, but found `-`");
    check(&good.replace("5,6", "5"), "E0701 5:1 `5`: 1 result instead of 2");
    check(&good.replace("5,6", "5,-6"), "E0701 5:3 `-6`: `-6` is not a number");
    check("1+.=3\n+,*\n", "E0701 3:1 ``: the puzzle ends after 2 of 5 lines");
    check("1+.=3\n+,*\n.-.=0\n=,=\n5,6\n5,6\n", "E0701 6:1 `5,6`: something follows after the results");
}
