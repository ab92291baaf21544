//! Functions: each argument has at most one image.

use super::*;

pub(super) struct Functions;

impl Constructor for Functions {
    fn keyword(&self) -> &'static str {
        "function"
    }

    fn form(&self) -> MemberForm {
        MemberForm::Pairs
    }

    fn example(&self) -> &'static str {
        "function(x --> y, …)"
    }

    fn notation(&self) -> (&'static str, &'static str, &'static str) {
        (" ", " --> ", "")
    }

    fn contradiction(&self) -> &'static str {
        "an argument has two images"
    }

    fn value(&self, members: Vec<Value>) -> Option<Value> {
        Value::function(pairs_of_tuples(&members))
    }

    fn print(&self, names: &MemberNames, value: &Value, ty: &Type) -> LayoutDocument {
        let (from, to) = ty.as_map().unwrap_or((&Type::Any, &Type::Any));
        let pair = |(argument, image): &(Value, Value)| {
            let image = LayoutDocument::from("--> ").then(names.value(image, to));
            LayoutDocument::hang(names.value(argument, from), 4, image)
        };
        LayoutDocument::list("function(", value.pairs().iter().map(pair), ")")
    }

    fn size(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Option<u128> {
        functions(attributes, parts[0].size(), parts[1].size())
    }

    fn log2_bound(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> f64 {
        match attributes.has(Property::Total) {
            true => times(parts[0].log2().exp2(), parts[1].log2()),
            false => log2_subsets(parts[0].log2(), attributes.size(), parts[1].log2()),
        }
    }

    fn members(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> ValueIterator {
        Box::new(GrammarWords::new(FunctionWords {
            bounds: SizeRange::new(attributes.size()),
            total: attributes.has(Property::Total),
            injective: attributes.has(Property::Injective),
            targets: targets(attributes, &parts[1]),
            arguments: Pool::new(&parts[0]),
            images: Pool::new(&parts[1]),
        }))
    }

    fn most_members(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Option<i64> {
        least(attributes.size().max, domain_value_count(&parts[0]))
    }
}

impl Value {
    /// A function from its pairs; `None` if an argument has two different images.
    pub(crate) fn function(mut pairs: Vec<(Value, Value)>) -> Option<Value> {
        pairs.sort_unstable();
        pairs.dedup();
        // The pairs are sorted, so pairs with the same argument are neighbours.
        let unique = pairs.windows(2).all(|two| two[0].0 != two[1].0);
        unique.then(|| Value::Mapping(Collection::Function, pairs.into()))
    }
}

impl GroundDomain {
    /// The domain of functions without attributes.
    pub(crate) fn function(from: GroundDomain, to: GroundDomain) -> GroundDomain {
        GroundDomain::of(Collection::Function, [from, to])
    }
}

/// The number of surjections from `from` onto `to` elements.
fn surjections(from: u128, to: u128) -> Option<u128> {
    // With more targets than arguments, some target has no argument.
    if to > from {
        return Some(0);
    }
    if to <= 1 {
        // A single target is reached if there is an argument; if there are no targets, there must be no arguments.
        return Some(u128::from(to == 1 || from == 0));
    }
    if from > LARGEST_TABLE {
        return None;
    }
    // onto(n, k) = k · (onto(n - 1, k) + onto(n - 1, k - 1))
    let mut onto = vec![0u128; to as usize + 1];
    onto[0] = 1;
    for _ in 0..from {
        // The entries are updated downwards, because each needs the previous value of the entry below it.
        for k in (1..onto.len()).rev() {
            onto[k] = onto[k].checked_add(onto[k - 1])?.checked_mul(k as u128)?;
        }
        onto[0] = 0;
    }
    onto.last().copied()
}

/// The number of maps from `arguments` to `images` elements with the attributes' properties.
pub(super) fn maps(attributes: &Attributes<i64>, arguments: u128, images: u128) -> Option<u128> {
    match (attributes.has(Property::Injective), attributes.has(Property::Surjective)) {
        (true, true) if arguments != images => Some(0),
        (true, _) => falling(images, arguments),
        (false, true) => surjections(arguments, images),
        (false, false) => checked_power(images, arguments),
    }
}

fn functions(attributes: &Attributes<i64>, from: Option<u128>, to: Option<u128>) -> Option<u128> {
    // First the attributes narrow the range of the number of arguments, and then the functions of each number are
    // counted.
    let mut defined = size_range(attributes.size(), from);
    if attributes.has(Property::Total) {
        let all = from?;
        defined = (defined.0.max(all), defined.1);
    }
    if attributes.has(Property::Injective)
        && let Some(to) = to
    {
        // In an injective function, each image has at most one argument.
        defined.1 = Some(defined.1.map_or(to, |max| max.min(to)));
    }
    if attributes.has(Property::Surjective) {
        // In a surjective function, each image has at least one argument.
        defined.0 = defined.0.max(to?);
    }
    sum_of_terms(defined, |count| {
        // The empty function needs no images, so it counts even if their number is unknown.
        if count == 0 {
            maps(attributes, 0, to.unwrap_or(1))
        } else {
            binomial(from?, count)?.checked_mul(maps(attributes, count, to?)?)
        }
    })
}

/// The number of different images that are needed if every value must be an image. A number that cannot be counted is
/// too large for any word.
pub(super) fn targets(attributes: &Attributes<i64>, images: &GroundDomain) -> Option<usize> {
    let all = || images.size().and_then(|size| usize::try_from(size).ok()).unwrap_or(usize::MAX);
    attributes.has(Property::Surjective).then(all)
}

/// The number of different second components of the letters.
pub(super) fn distinct_images(word: &[Letter]) -> usize {
    let mut images: Vec<usize> = word.iter().map(|letter| letter.1).collect();
    images.sort_unstable();
    images.dedup();
    images.len()
}

/// Words of arguments with their images, ascending in the argument.
struct FunctionWords {
    bounds: SizeRange,
    total: bool,
    injective: bool,
    targets: Option<usize>,
    arguments: Pool,
    images: Pool,
}

impl FunctionWords {
    /// Returns true if enough arguments remain, `argument` included.
    fn enough(&mut self, word: &[Letter], argument: usize) -> bool {
        let mut missing = self.bounds.min.saturating_sub(word.len()).max(1);
        if let Some(targets) = self.targets {
            // Each missing image needs another argument.
            missing = missing.max(targets.saturating_sub(distinct_images(word)));
        }
        self.arguments.has_at_least(argument.saturating_add(missing))
    }
}

impl WordGrammar for FunctionWords {
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter> {
        if !self.bounds.admits_more(word.len()) {
            return None;
        }
        // The arguments ascend, so that each set of pairs is one word.
        let first = word.last().map_or(0, |letter| letter.0 + 1);
        // The next word has the next image, or the next argument with the first image.
        let (mut argument, mut image) = previous.map_or((first, 0), |letter| (letter.0, letter.1 + 1));
        loop {
            // A total function must not skip an argument.
            if (self.total && argument > first) || !self.enough(word, argument) {
                return None;
            }
            if !self.images.has(image) {
                if image == 0 {
                    return None;
                }
                (argument, image) = (argument + 1, 0);
            } else if self.injective && word.iter().any(|letter| letter.1 == image) {
                image += 1;
            } else {
                return Some((argument, image));
            }
        }
    }

    fn accepts(&mut self, word: &[Letter]) -> bool {
        self.bounds.contains(word.len())
            && (!self.total || !self.arguments.has(word.len()))
            && self.targets.is_none_or(|targets| distinct_images(word) == targets)
    }

    fn value(&mut self, word: &[Letter]) -> Value {
        Value::Mapping(
            Collection::Function,
            word.iter().map(|letter| (self.arguments.get(letter.0), self.images.get(letter.1))).collect(),
        )
    }
}
