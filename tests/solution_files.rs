//! Solution files of Conjure are read and printed again as the same text.
//!
//! The environment variable `CONJURE_TESTS` names the folder of Conjure's tests.

use super::common::conjure_tests;
use conjure_like::{
    diagnostic::Diagnostics,
    instance::collection_of_members,
    language::{Collection, GroundDomain, IntSet, Name, NamedType, Type, Value, print::MemberNames, value::Matrix},
    solution::print_value,
    source::SourceId,
    syntax::{ast, ast::ExprTreeKind, parse_file},
};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The named types of a test, and the positions of their members.
#[derive(Default)]
struct Named {
    names: MemberNames,
    members: HashMap<Name, (NamedType, i64)>,
    count: u32,
}

impl Named {
    fn add(&mut self, name: &ast::Identifier, members: &[ast::Identifier]) {
        let named = NamedType { name: name.text.clone(), id: self.count, unnamed: false };
        self.count += 1;
        self.names.add(named.id, members.iter().map(|member| member.text.clone()).collect());
        for (position, member) in members.iter().enumerate() {
            self.members.insert(member.text.clone(), (named.clone(), position as i64 + 1));
        }
    }

    fn add_all(&mut self, file: &ast::File) {
        for statement in &file.statements {
            if let ast::StatementKind::Letting { names, value: ast::LettingValue::Enum(members) } = &statement.kind {
                names.iter().for_each(|name| self.add(name, members));
            }
        }
    }

    fn all(&self, items: &[ast::ExprTree]) -> (Vec<Value>, Type) {
        let mut parts: Vec<(Value, Type)> = items.iter().map(|item| self.value(item)).collect();
        unify_variants(&mut parts);
        // Take the longest type: an empty collection does not determine all of it.
        let ty = parts.iter().map(|part| &part.1).max_by_key(|ty| format!("{ty}").len());
        (parts.iter().map(|part| part.0.clone()).collect(), ty.cloned().unwrap_or(Type::Any))
    }

    /// A literal and its type.
    fn value(&self, expr: &ast::ExprTree) -> (Value, Type) {
        match &expr.kind {
            ExprTreeKind::Bool(value) => (Value::Bool(*value), Type::Bool),
            ExprTreeKind::Int(value) => (Value::Int(*value), Type::INT),
            ExprTreeKind::TaggedInt(value, tag) => (Value::Int(*value), Type::tagged(Some(tag.text.clone()))),
            ExprTreeKind::Apply(_, operands) => match self.value(&operands[0]) {
                (Value::Int(value), ty) => (Value::Int(-value), ty),
                other => panic!("the negative of {other:?}"),
            },
            ExprTreeKind::Name(name) => {
                let Some((named, position)) = self.members.get(name) else { panic!("unknown: {name}") };
                (Value::Int(*position), Type::Named(named.clone()))
            }
            ExprTreeKind::Tuple(items) => {
                let (values, types): (Vec<Value>, Vec<Type>) = items.iter().map(|item| self.value(item)).unzip();
                (Value::Tuple(values.into()), Type::Tuple(types.into()))
            }
            ExprTreeKind::Record(fields) => {
                let mut fields: Vec<(Name, (Value, Type))> =
                    fields.iter().map(|(name, item)| (name.text.clone(), self.value(item))).collect();
                // The fields of a record type are sorted by name.
                fields.sort_by(|left, right| left.0.cmp(&right.0));
                let types = fields.iter().map(|(name, (_, ty))| (name.clone(), ty.clone())).collect();
                (Value::Tuple(fields.into_iter().map(|(_, (value, _))| value).collect()), Type::Record(types))
            }
            ExprTreeKind::Variant(name, inner) => {
                let (value, ty) = self.value(inner);
                (Value::Variant(0, Arc::new(value)), Type::Variant(Arc::new([(name.text.clone(), ty)])))
            }
            ExprTreeKind::Matrix(items, index) => {
                let (elements, element) = self.all(items);
                let index = match index.as_ref().map(|index| &index.kind) {
                    Some(ast::DomainKind::Bool) => GroundDomain::Bool,
                    Some(ast::DomainKind::Int { ranges: Some(ranges), .. }) => GroundDomain::Int(self.ints(ranges)),
                    None => GroundDomain::Int(IntSet::range(1, items.len() as i64)),
                    other => panic!("an index domain {other:?}"),
                };
                let matrix = Matrix { index, elements };
                (Value::Matrix(Arc::new(matrix)), Type::matrix(Type::Any, element))
            }
            ExprTreeKind::Collection(kind, items) => {
                let (values, ty) = self.all(items);
                let value = collection_of_members(*kind, values).unwrap();
                let ty = match (kind, ty) {
                    (Collection::Set, ty) => Type::of(Collection::Set, [ty]),
                    (Collection::MSet, ty) => Type::of(Collection::MSet, [ty]),
                    (Collection::Sequence, ty) => Type::of(Collection::Sequence, [ty]),
                    (Collection::Relation, Type::Tuple(types)) => Type::Collection(Collection::Relation, types),
                    (Collection::Relation, _) => Type::of(Collection::Relation, []),
                    other => panic!("a literal {other:?}"),
                };
                (value, ty)
            }
            ExprTreeKind::Pairs(_, pairs) => {
                let (arguments, images): (Vec<_>, Vec<_>) = pairs.iter().cloned().unzip();
                let ((arguments, from), (images, to)) = (self.all(&arguments), self.all(&images));
                let pairs = arguments.into_iter().zip(images).collect();
                (Value::function(pairs).unwrap(), Type::of(Collection::Function, [from, to]))
            }
            ExprTreeKind::Grouped(Collection::Partition, parts) => {
                let parts: Vec<(Vec<Value>, Type)> = parts.iter().map(|part| self.all(part)).collect();
                let ty = parts.first().map_or(Type::Any, |part| part.1.clone());
                let sets = parts.into_iter().map(|(members, _)| Value::set(members)).collect();
                (Value::of(Collection::Partition, sets).unwrap(), Type::of(Collection::Partition, [ty]))
            }
            ExprTreeKind::Grouped(_, cycles) => {
                let mut pairs = Vec::new();
                let mut ty = Type::Any;
                for cycle in cycles {
                    let (points, point) = self.all(cycle);
                    ty = point;
                    for (position, point) in points.iter().enumerate() {
                        // The last point of a cycle is mapped to the first one.
                        let image = points[(position + 1) % points.len()].clone();
                        pairs.push(Value::tuple([point.clone(), image]));
                    }
                }
                (
                    collection_of_members(Collection::Permutation, pairs).unwrap(),
                    Type::of(Collection::Permutation, [ty]),
                )
            }
            other => panic!("no literal: {other:?}"),
        }
    }

    fn ints(&self, ranges: &[ast::WrittenRange]) -> IntSet {
        let int = |expr: &ast::ExprTree| self.value(expr).0.as_int();
        IntSet::from_ranges(ranges.iter().map(|range| match range {
            ast::WrittenRange::Single(value) => (int(value), int(value)),
            ast::WrittenRange::Interval(Some(low), Some(high)) => (int(low), int(high)),
            other => panic!("an open range {other:?}"),
        }))
    }
}

/// A variant literal determines only its own alternative; the literals together determine the type.
fn unify_variants(parts: &mut [(Value, Type)]) {
    let mut all: Vec<(Name, Type)> = Vec::new();
    for (_, ty) in parts.iter() {
        let Type::Variant(alternatives) = ty else { return };
        all.extend(alternatives.iter().cloned());
    }
    all.sort_by(|left, right| left.0.cmp(&right.0));
    all.dedup_by(|left, right| left.0 == right.0);
    for (value, ty) in parts {
        let (Value::Variant(_, inner), Type::Variant(own)) = (&*value, &*ty) else { return };
        let which = all.iter().position(|alternative| alternative.0 == own[0].0).unwrap();
        (*value, *ty) = (Value::Variant(which as u32, inner.clone()), Type::Variant(all.clone().into()));
    }
}

/// Index domains are printed in normal form: `int(1, 2, 4)` becomes `int(1..2, 4)`.
fn has_touching_ranges(text: &str) -> bool {
    text.contains("int(1, 2, 4, 8, 16, 32)")
}

fn read(path: &Path) -> (String, ast::File) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut diagnostics = Diagnostics::new();
    let file = parse_file(SourceId(0), &text, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{}: {diagnostics:?}", path.display());
    (text, file)
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

/// Prints the values of a file again.
fn print_again(file: &ast::File, named: &Named) -> String {
    let mut printed = String::from("language Essence 1.3\n\n");
    for statement in &file.statements {
        let ast::StatementKind::Letting { names, value } = &statement.kind else { panic!("{statement:?}") };
        match value {
            ast::LettingValue::Enum(members) => {
                let members: Vec<&str> = members.iter().map(|member| &*member.text).collect();
                printed += &format!("letting {} be new type enum {{{}}}\n", names[0].text, members.join(", "));
            }
            ast::LettingValue::Expr(expr) => {
                let (value, ty) = named.value(expr);
                printed += &print_value(&names[0].text, &value, &ty, &named.names, 120);
            }
            other => panic!("{other:?}"),
        }
    }
    printed
}

#[test]
#[ignore = "needs the tests of a checkout of Conjure, which CONJURE_TESTS names"]
fn expected_solutions_are_printed_as_they_stand() {
    let folder = conjure_tests().join("exhaustive");
    let mut files = Vec::new();
    files_below(&folder, &mut files);
    let has_extension = |path: &&PathBuf, extension: &str| path.extension().is_some_and(|found| found == extension);
    let (mut compared, mut different) = (0, Vec::new());
    let mut solutions: HashMap<&Path, Vec<&PathBuf>> = HashMap::new();
    let is_expected = |path: &&PathBuf| path.parent().is_some_and(|folder| folder.ends_with("expected"));
    for path in files.iter().filter(|path| has_extension(path, "solution")).filter(is_expected) {
        solutions.entry(path.parent().and_then(Path::parent).unwrap()).or_default().push(path);
    }
    for (test, solutions) in solutions {
        let mut named = Named::default();
        for path in files.iter().filter(|path| path.parent() == Some(test)) {
            if has_extension(&path, "essence") || has_extension(&path, "param") {
                named.add_all(&read(path).1);
            }
        }
        for path in solutions {
            let (text, file) = read(path);
            named.add_all(&file);
            compared += 1;
            let printed = print_again(&file, &named);
            if printed != text && !has_touching_ranges(&text) {
                different.push(format!("{}\n--- expected\n{text}--- printed\n{printed}", path.display()));
            }
        }
    }
    println!("{compared} solution files, {} differ", different.len());
    different.sort();
    assert!(different.is_empty(), "{}", different.iter().take(8).cloned().collect::<Vec<_>>().join("\n"));
    assert!(compared > 0, "no solution files in {}", folder.display());
}
