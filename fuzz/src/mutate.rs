//! Mutations of tokens, brackets and statements. Most mutated texts still parse, so that the phases after the parser
//! are reached. One mutation in eight is left to libFuzzer, which changes bytes.

#[path = "../../tests/common/tokens.rs"]
mod tokens;

use std::{collections::HashSet, env, fs, ops::Range, path::PathBuf, sync::OnceLock};
use tokens::tokens;

/// A generator of random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

/// The texts that mutations insert. They come from the seeds of the target, which `fuzz/run` puts into a folder.
#[derive(Default)]
struct Pool {
    words: Vec<String>,
    signs: Vec<String>,
    statements: Vec<String>,
    groups: Vec<String>,
}

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "7",
    "10",
    "63",
    "64",
    "65",
    "256",
    "1000",
    "100000",
    "4611686018427387903",
    "4611686018427387904",
    "9223372036854775807",
    "9223372036854775808",
    "99999999999999999999",
];

const COMMENTS: &[&str] =
    &["$ c\n", "/* c */", "/* c\n d */", " $\n", "/**/", "\n$ own line\n", "\n\n", "$ \u{e9} [\n"];

const STATEMENTS: &[&str] =
    &["language", "given", "find", "letting", "such", "where", "minimising", "maximising", "branching", "heuristic"];

/// The maximal number of texts of each kind.
const MOST: usize = 20_000;

fn pool() -> &'static Pool {
    static POOL: OnceLock<Pool> = OnceLock::new();
    POOL.get_or_init(|| {
        let mut pool = Pool::default();
        let mut known = HashSet::new();
        let mut add = |list: &mut Vec<String>, text: &str| {
            if list.len() < MOST && text.len() <= 400 && known.insert(text.to_owned()) {
                list.push(text.to_owned());
            }
        };
        let folder = env::var_os("FUZZ_SEEDS").map(PathBuf::from);
        let mut paths: Vec<PathBuf> = folder
            .and_then(|folder| fs::read_dir(folder).ok())
            .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
            .unwrap_or_default();
        paths.sort();
        for path in paths {
            let Ok(text) = fs::read_to_string(path) else { continue };
            let tokens = tokens(&text);
            for token in &tokens {
                let piece = &text[token.clone()];
                match piece.as_bytes()[0] {
                    byte if byte.is_ascii_alphabetic() || byte == b'_' => add(&mut pool.words, piece),
                    byte if byte.is_ascii_punctuation() && !piece.starts_with(['$', '"']) && piece.len() < 5 => {
                        add(&mut pool.signs, piece);
                    }
                    _ => {}
                }
            }
            for range in statements(&text, &tokens) {
                add(&mut pool.statements, &text[range]);
            }
            for range in groups(&text, &tokens) {
                add(&mut pool.groups, &text[range]);
            }
        }
        pool
    })
}

/// Mutates an input in place; returns its new size.
pub fn mutate(data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    // Small seeds differ in few bits, which the first steps of xorshift spread.
    let mut random = Random(u64::from(seed) << 17 | 0x9e37_79b9);
    for _ in 0..4 {
        random.below(1);
    }
    let Ok(text) = std::str::from_utf8(&data[..size]) else {
        return libfuzzer_sys::fuzzer_mutate(data, size, most);
    };
    if random.below(8) == 0 || text.is_empty() {
        return libfuzzer_sys::fuzzer_mutate(data, size, most);
    }
    let mut text = text.to_owned();
    for _ in 0..=random.below(4) {
        if let Some(changed) = once(&text, &mut random)
            && changed.len() <= most
        {
            text = changed;
        }
    }
    data[..text.len()].copy_from_slice(text.as_bytes());
    text.len()
}

fn once(text: &str, random: &mut Random) -> Option<String> {
    let pool = pool();
    let tokens = tokens(text);
    let at = random.of(&tokens)?.clone();
    let piece = &text[at.clone()];
    let spaced = |inserted: &str| format!(" {inserted} ");
    Some(match random.below(14) {
        0 => replaced(text, at, ""),
        1 => {
            let other = random.of(&tokens)?.clone();
            let (start, end) = (at.start.min(other.start), at.end.max(other.end));
            if end - start > 200 { replaced(text, at, "") } else { replaced(text, start..end, "") }
        }
        2 => replaced(text, at.end..at.end, &spaced(piece)),
        3 => {
            let other = random.of(&tokens)?.clone();
            let (first, second) = if at.start < other.start { (at, other) } else { (other, at) };
            if first.end > second.start {
                return None;
            }
            let (one, two) = (text[first.clone()].to_owned(), text[second.clone()].to_owned());
            replaced(&replaced(text, second, &one), first, &two)
        }
        4 | 5 => {
            let with = match piece.as_bytes()[0] {
                byte if byte.is_ascii_digit() => (*random.of(NUMBERS)?).to_owned(),
                byte if byte.is_ascii_alphabetic() && random.below(2) == 0 => {
                    pool.words.get(random.below(pool.words.len()))?.clone()
                }
                byte if byte.is_ascii_alphabetic() => text[random.of(&tokens)?.clone()].to_owned(),
                _ => random.of(&pool.signs)?.clone(),
            };
            replaced(text, at, &with)
        }
        6 => replaced(text, at.end..at.end, &spaced(random.of(&pool.words)?)),
        7 => replaced(text, at.end..at.end, &spaced(random.of(&pool.signs)?)),
        8 => replaced(text, at.end..at.end, random.of(COMMENTS)?),
        9 => {
            let statements = statements(text, &tokens);
            let at = random.of(&statements)?.clone();
            replaced(text, at.start..at.start, &format!("{}\n", random.of(&pool.statements)?))
        }
        10 => {
            let statements = statements(text, &tokens);
            let at = random.of(&statements)?.clone();
            match random.below(3) {
                0 => replaced(text, at, ""),
                1 => replaced(text, at.clone(), &format!("{}\n", random.of(&pool.statements)?)),
                _ => {
                    let other = text[random.of(&statements)?.clone()].to_owned();
                    replaced(text, at.start..at.start, &format!("{other}\n"))
                }
            }
        }
        11 | 12 => {
            let own = groups(text, &tokens);
            let at = random.of(&own)?.clone();
            let with = match random.below(3) {
                0 => text[random.of(&own)?.clone()].to_owned(),
                _ => random.of(&pool.groups)?.clone(),
            };
            replaced(text, at, &with)
        }
        // Replaces a name or number with another one.
        _ => {
            let words: Vec<Range<usize>> =
                tokens.iter().filter(|token| text.as_bytes()[token.start].is_ascii_alphanumeric()).cloned().collect();
            let with = text[random.of(&words)?.clone()].to_owned();
            replaced(text, random.of(&words)?.clone(), &with)
        }
    })
}

fn replaced(text: &str, range: Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &text[..range.start], &text[range.end..])
}

/// The statements: each from its keyword to the next one.
fn statements(text: &str, tokens: &[Range<usize>]) -> Vec<Range<usize>> {
    let starts: Vec<usize> =
        tokens.iter().filter(|token| STATEMENTS.contains(&&text[(*token).clone()])).map(|token| token.start).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// Groups with their brackets, and single words and numbers.
fn groups(text: &str, tokens: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut open = Vec::new();
    for token in tokens {
        match text.as_bytes()[token.start] {
            b'(' | b'[' | b'{' => open.push(token.start),
            b')' | b']' | b'}' => groups.extend(open.pop().map(|start| start..token.end)),
            byte if byte.is_ascii_alphanumeric() => groups.push(token.clone()),
            _ => {}
        }
    }
    groups
}
