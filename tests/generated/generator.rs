//! Random models. A model is a syntax tree with a parameter file. The generator tracks the types of all names, so that
//! it can make each expression with the intended type.

use super::{check, domains::FORMS, random::Random, tree::*};
use conjure_like::{
    language::{Collection, Name, NamedType, Sense, Type},
    operators::symbols,
    source::Span,
    syntax::ast::{
        DomainKind, DomainTree, ExprTree, ExprTreeKind, File, Header, LettingValue, Quantified, Quantifier,
        StatementKind, WrittenRange,
    },
};
use std::sync::Arc;

/// Hard limit on the estimated number of assignments of a model.
const MOST_COMBINATIONS: u64 = 400;

/// An enumerated or unnamed type.
pub(crate) struct Named {
    pub ty: NamedType,
    /// The names of the members, or placeholders if the model does not know them.
    pub members: Vec<Name>,
    /// True if the model may mention the members.
    pub listed: bool,
}

/// A name in scope.
#[derive(Clone)]
pub(crate) struct Variable {
    pub name: Name,
    pub ty: Type,
    /// True if it depends on a decision variable.
    pub decision: bool,
    /// True if it has a declared domain.
    pub declared: bool,
    /// Its value, if it is a known integer.
    pub value: Option<i64>,
}

pub(crate) struct Generator {
    pub random: Random,
    pub named: Vec<Named>,
    pub scope: Vec<Variable>,
    /// Named domains, with the type and the number of their members.
    pub domains: Vec<(Name, Type, u64)>,
    pub fresh: usize,
    /// A type constructor that is preferred in this model.
    pub favourite: usize,
    /// A name that should be used.
    pub spotlight: Option<Name>,
    /// True if expressions may depend on decision variables.
    pub decisions: bool,
    /// True if an expression since the last reset depends on a decision variable.
    pub depends: bool,
    /// The remaining number of nodes of an expression.
    pub fuel: usize,
    file: File,
    parameters: String,
}

/// A model, and the text of its parameter file.
#[derive(Clone)]
pub(crate) struct Generated {
    pub file: File,
    pub parameters: String,
    /// The seed for the representations.
    pub choice: u64,
}

/// Makes a model that depends only on the random numbers.
pub(crate) fn model(random: Random) -> Generated {
    let header = Header { language: "Essence".into(), version: vec![1, 3], span: Span::default() };
    let mut generator = Generator {
        random,
        named: Vec::new(),
        scope: Vec::new(),
        domains: Vec::new(),
        fresh: 0,
        favourite: 0,
        spotlight: None,
        decisions: false,
        depends: false,
        fuel: 0,
        file: File { header: Some(header), ..File::default() },
        parameters: String::new(),
    };
    generator.favourite = generator.random.below(FORMS);
    generator.types();
    generator.data();
    generator.finds();
    let constraints = generator.statements();
    let mut model = Generated {
        file: generator.file,
        parameters: generator.parameters,
        choice: generator.random.below(1 << 30) as u64,
    };
    // Most random constraints together are unsatisfiable, which would test little.
    if constraints != Constraints::Reified && generator.random.percent(80) {
        make_satisfiable(&mut model, constraints == Constraints::Lists, &mut generator.random);
    }
    model
}

impl Generator {
    fn push(&mut self, kind: StatementKind) {
        self.file.statements.push(statement(kind));
    }

    pub(crate) fn declare(&mut self, name: &str, ty: Type, decision: bool) -> &mut Variable {
        self.scope.push(Variable { name: name.into(), ty, decision, declared: false, value: None });
        self.scope.last_mut().expect("the variable just declared")
    }

    fn types(&mut self) {
        for number in 0..self.random.weighted(&[(50, 0), (35, 1), (15, 2)]) {
            let size = self.random.between(2, 3) as usize;
            let text = ["E", "F"][number];
            let members: Vec<Name> =
                (0..size).map(|position| format!("{}{}", text.to_lowercase(), position + 1).into()).collect();
            let names = vec![identifier(text)];
            let form = self.random.weighted(&[(60, 'e'), (25, 'u'), (15, 'g')]);
            match form {
                'e' => {
                    let members = members.iter().map(|member| identifier(member)).collect();
                    self.push(StatementKind::Letting { names, value: LettingValue::Enum(members) });
                }
                'u' => {
                    self.push(StatementKind::Letting { names, value: LettingValue::Unnamed(int(size as i64)) });
                }
                _ => {
                    self.push(StatementKind::GivenEnum { names });
                    self.parameters += &format!("letting {text} be new type enum {{{}}}\n", members.join(", "));
                }
            }
            let ty = NamedType { name: text.into(), id: number as u32, unnamed: form == 'u' };
            self.named.push(Named { ty, members, listed: form == 'e' });
        }
    }

    /// Lettings and givens, which later ones may mention.
    fn data(&mut self) {
        if self.random.percent(30) {
            let value = self.random.between(0, 3);
            self.letting("k", int(value));
            self.declare("k", Type::INT, false).value = Some(value);
        }
        if self.random.percent(25) {
            let value = self.random.between(0, 3);
            let domain = match self.random.below(3) {
                0 => domain_of_type(&Type::INT),
                1 => ints(vec![WrittenRange::Interval(Some(int(0)), None)]),
                _ => ints(vec![WrittenRange::Interval(Some(int(0)), Some(int(9)))]),
            };
            self.push(StatementKind::Given { names: vec![identifier("n")], domain });
            self.parameters += &format!("letting n be {value}\n");
            let known = self.declare("n", Type::INT, false);
            (known.value, known.declared) = (Some(value), true);
        }
        for text in ["g", "h"] {
            if self.random.percent(20) {
                self.given(text);
            }
        }
        if self.random.percent(25) {
            let depth = self.random.below(2);
            let ty = self.random_type(depth);
            let (domain, size) = self.domain(&ty, 6);
            self.named_domain(domain, &ty, size);
        }
        if self.random.percent(20) {
            let ty = self.random_type(1);
            self.fuel = 8;
            let value = self.literal(&ty, 1);
            self.letting("c", value);
            self.declare("c", ty, false);
        }
    }

    fn letting(&mut self, text: &str, value: ExprTree) {
        self.push(StatementKind::Letting { names: vec![identifier(text)], value: LettingValue::Expr(value) });
    }

    /// A parameter with a random value of its domain.
    fn given(&mut self, text: &str) {
        let depth = self.random.between(1, 2) as usize;
        let ty = self.random_type(depth);
        if self.named.iter().any(|named| !named.listed && mentions(&ty, &named.ty)) {
            return;
        }
        let (domain, size) = self.domain(&ty, 100);
        // The value is chosen by enumerating the domain.
        if size > 10_000 {
            return;
        }
        let mut model = Generated { file: self.file.clone(), parameters: self.parameters.clone(), choice: 0 };
        let names = vec![identifier(text)];
        model.file.statements.push(statement(StatementKind::Find { names: names.clone(), domain: domain.clone() }));
        // If the domain is empty, omit the parameter.
        let Some(value) = check::some_value(&model, text, &mut self.random) else { return };
        self.parameters += &value;
        let domain = if self.random.percent(40) { without_bounds(domain) } else { domain };
        self.push(StatementKind::Given { names, domain });
        self.declare(text, ty, false).declared = true;
    }

    fn finds(&mut self) {
        // Each variable takes its share, so that the oracle can try all assignments.
        let mut left = MOST_COMBINATIONS;
        let count = self.random.weighted(&[(45, 1), (40, 2), (15, 3)]);
        for text in &["x", "y", "z"][..count] {
            for _ in 0..10 {
                let depth = self.random.weighted(&[(15, 0), (40, 1), (30, 2), (15, 3)]);
                let ty = match self.scope.iter().rfind(|known| known.declared) {
                    // Operators with several operands of one type need matching variables.
                    Some(earlier) if self.random.percent(25) => earlier.ty.clone(),
                    _ => self.random_type(depth),
                };
                let (mut domain, size) = self.domain(&ty, left);
                if size > left {
                    continue;
                }
                left /= size.max(1);
                if self.random.percent(10) {
                    domain = self.named_domain(domain, &ty, size);
                }
                self.find(text, domain, ty);
                break;
            }
        }
    }

    /// Declares a name for a domain.
    fn named_domain(&mut self, domain: DomainTree, ty: &Type, size: u64) -> DomainTree {
        let text = format!("D{}", self.domains.len() + 1);
        self.push(StatementKind::Letting { names: vec![identifier(&text)], value: LettingValue::Domain(domain) });
        self.domains.push((text.as_str().into(), ty.clone(), size));
        super::tree::domain(DomainKind::Named(identifier(&text), None))
    }

    fn find(&mut self, text: &str, domain: DomainTree, ty: Type) {
        self.push(StatementKind::Find { names: vec![identifier(text)], domain });
        self.declare(text, ty, true).declared = true;
    }

    /// Adds constraints, and the other statements.
    fn statements(&mut self) -> Constraints {
        if self.random.percent(5) {
            let condition = self.whole(&Type::Bool, false);
            // Rarely, because a false `where` rejects the model.
            self.push(StatementKind::Where(vec![condition]));
        }
        if self.random.percent(40) {
            // Operators are usually chosen by their result type. Choosing from all operators first gives those with
            // rare result types a chance.
            let (value, ty) = if self.random.percent(70) {
                self.decisions = true;
                self.depends = false;
                self.fuel = 12;
                let made = self.any_operator(3);
                self.decisions = false;
                made
            } else {
                let ty = self.related_type();
                (self.whole(&ty, true), ty)
            };
            self.letting("a", value);
            let decision = self.depends;
            self.declare("a", ty, decision);
            self.spotlight = Some("a".into());
        }
        let form =
            self.random.weighted(&[(50, Constraints::Reified), (46, Constraints::Conditions), (4, Constraints::Lists)]);
        let ty = if form == Constraints::Lists { Type::List(Arc::new(Type::Bool)) } else { Type::Bool };
        let count = match form {
            Constraints::Reified => 1,
            _ => self.random.weighted(&[(50, 1), (30, 2), (15, 3), (5, 4)]),
        };
        let mut constraints: Vec<ExprTree> = (0..count).map(|_| self.whole(&ty, true)).collect();
        if form == Constraints::Reified {
            let names = vec![identifier("b")];
            self.push(StatementKind::Find { names, domain: domain_of_type(&Type::Bool) });
            constraints = vec![apply(symbols::EQUAL, vec![name(&"b".into()), constraints.remove(0)])];
        }
        if self.random.percent(20) {
            constraints.into_iter().for_each(|constraint| self.push(StatementKind::SuchThat(vec![constraint])));
        } else {
            self.push(StatementKind::SuchThat(constraints));
        }
        let decision = self.scope.iter().find(|known| known.decision && known.declared).cloned();
        if self.random.percent(12) {
            let sense = if self.random.percent(50) { Sense::Maximise } else { Sense::Minimise };
            // Lexicographic objective: the first integer is the most important one.
            let pair = Type::Tuple([Type::INT, Type::INT].into());
            let ty = match self.random.weighted(&[(70, 0), (20, 1), (10, 2)]) {
                0 => Type::INT,
                1 => pair,
                _ => Type::Tuple([pair, Type::INT].into()),
            };
            let value = self.whole(&ty, true);
            self.push(StatementKind::Objective { sense, value, directions: Vec::new() });
        }
        if let Some(decision) = decision
            && self.random.percent(3)
        {
            self.push(StatementKind::BranchingOn(vec![name(&decision.name)]));
            self.push(StatementKind::Heuristic(identifier("static")));
        }
        form
    }

    /// A whole expression, which usually depends on decision variables if it may.
    fn whole(&mut self, ty: &Type, decisions: bool) -> ExprTree {
        self.decisions = decisions;
        let mut value = None;
        let (fuel, deepest) = if self.random.percent(15) { (60, 6) } else { (24, 4) };
        for _ in 0..4 {
            self.fuel = self.random.between(4, fuel) as usize;
            self.depends = false;
            let depth = self.random.between(2, deepest) as usize;
            value = Some(self.expression(ty, depth));
            if self.depends || !decisions {
                break;
            }
        }
        self.decisions = false;
        value.expect("an expression")
    }
}

/// The form of the constraints of a model.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Constraints {
    /// One constraint, which is equivalent to a decision variable, so that all values of the others remain possible.
    Reified,
    Conditions,
    /// Constraints that are lists of conditions.
    Lists,
}

/// Negates constraints so that some assignment satisfies all of them.
fn make_satisfiable(model: &mut Generated, lists: bool, random: &mut Random) {
    let Some(truth) = check::some_truth(model, random) else { return };
    for statement in &mut model.file.statements {
        let StatementKind::SuchThat(constraints) = &mut statement.kind else { continue };
        for (constraint, holds) in constraints.iter_mut().zip(&truth) {
            if !holds {
                let condition = if lists { apply(symbols::ALL, vec![constraint.clone()]) } else { constraint.clone() };
                *constraint = apply(symbols::NOT, vec![condition]);
            }
        }
    }
}

/// Wraps a quantifier as an expression.
pub(crate) fn quantified(quantified: Quantified) -> ExprTree {
    expr(ExprTreeKind::Quantified(Box::new(quantified)))
}

pub(crate) const QUANTIFIERS: [(Quantifier, Type); 4] = [
    (Quantifier::ForAll, Type::Bool),
    (Quantifier::Exists, Type::Bool),
    (Quantifier::Sum, Type::INT),
    (Quantifier::Product, Type::INT),
];

pub(crate) fn mentions(ty: &Type, named: &NamedType) -> bool {
    ty.mentions(&|ty| matches!(ty, Type::Named(other) if other == named))
}

/// The domain of a parameter without the bounds of integers. They stay in the indices of matrices, and in domains whose
/// meaning depends on their sizes or on equal columns.
fn without_bounds(domain: DomainTree) -> DomainTree {
    let all = |domains: Vec<DomainTree>| domains.into_iter().map(without_bounds).collect();
    let fields = |fields: Vec<(_, Option<DomainTree>)>| {
        fields.into_iter().map(|(name, domain)| (name, domain.map(without_bounds))).collect()
    };
    let kind = match domain.kind {
        DomainKind::Int { tag, .. } => DomainKind::Int { tag, ranges: None },
        DomainKind::Tuple(items) => DomainKind::Tuple(all(items)),
        DomainKind::Record(items) => DomainKind::Record(fields(items)),
        DomainKind::Variant(items) => DomainKind::Variant(fields(items)),
        DomainKind::Matrix(indices, element) => DomainKind::Matrix(indices, Box::new(without_bounds(*element))),
        DomainKind::Collection(
            kind @ (Collection::Set | Collection::Sequence | Collection::Function),
            attributes,
            parts,
        ) if attributes.iter().all(|attribute| attribute.value.is_some()) => {
            DomainKind::Collection(kind, attributes, all(parts))
        }
        other => other,
    };
    DomainTree { kind, ..domain }
}
