//! The data for an input form: the parameters of a model with their domains, the numbers in these as far as they are
//! known, and the texts of the comments.

use super::{Model, Text, Value, data, stack::deep};
use crate::{
    analysis::{
        model::{Declaration, DeclarationId, DeclarationKind, ExprDomain, Ints},
        units::PartUnits,
    },
    instance::{self, Environment},
    language::{
        Domain, IntSet, MemberForm,
        attributes::{Property, Size},
        print::MemberNames,
        quotation::unquoted,
    },
    pipeline,
    source::{SourceId, Span},
    syntax::{
        ast::{Comment, DomainKind, DomainTree, Identifier, LettingValue, StatementKind},
        remarks::{Remarks, comment_text, joined_paragraphs, said},
    },
};
use serde_json::{Value as Json, json};

impl Model {
    /// Describes the parameters, the decision variables and the requirements in JSON, for a program that asks users for
    /// values and shows the results. Data may be missing or wrong; they are used as far as they can be read.
    ///
    /// ```
    /// use conjure_like::{Model, Text};
    ///
    /// let text = "$ Numbers\n\n$ How many.\ngiven n : int(1..9)\ngiven s : set of int(1..n)\nfind x : int(1..n)";
    /// let form = Model::read(&Text::new("m.essence", text))?.form(&[Text::new("n", r#"{"n": 4}"#)]);
    /// assert_eq!(form["title"], "Numbers");
    /// assert_eq!(form["parameters"][0]["comment"], "How many.");
    /// assert_eq!(form["parameters"][1]["domain"]["parts"][0]["ranges"][0][1], 4);
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    pub fn form(&self, data: &[Text]) -> Json {
        deep(|| {
            let mut sources = self.sources.clone();
            let ids: Vec<SourceId> = data.iter().map(|text| text.add_to(&mut sources)).collect();
            // A form shows what is known while the user is still typing, so errors in the data are ignored.
            let (env, names) = pipeline::known_values(self.typed(), &sources, &ids);
            let remarks = Remarks::new(&self.read.file.comments);
            FormWriter { model: self, env, names, units: PartUnits::default(), remarks }.form()
        })
    }
}

struct FormWriter<'m> {
    model: &'m Model,
    env: Environment,
    names: MemberNames,
    /// The units of the current value.
    units: PartUnits,
    remarks: Remarks<'m>,
}

impl FormWriter<'_> {
    fn form(&mut self) -> Json {
        let typed = self.model.typed().clone();
        let (mut parameters, mut variables) = (Vec::new(), Vec::new());
        let essence = data::data_in_essence(&typed, &mut self.env, &self.names);
        for (declaration, id) in typed.declarations.iter().zip(0..) {
            let id = DeclarationId(id);
            self.units = PartUnits::of(&typed.units, &declaration.name);
            match &declaration.kind {
                DeclarationKind::Given(domain) => {
                    let value = self.env.global(id).ok();
                    let value = value.map(|value| Value::new(&value, &declaration.ty, &self.names).to_value());
                    let domain = self.declared_domain(declaration, domain);
                    parameters.push(self.declared(declaration, json!({"domain": domain, "value": value})));
                }
                DeclarationKind::GivenEnum => {
                    let written = self.env.size_of_type(id.0).map(|_| self.members(id));
                    let members: Option<Json> =
                        written.map(|members| members.iter().map(|member| unquoted(member).into_owned()).collect());
                    parameters.push(self.declared(declaration, json!({"domain": {"kind": "type"}, "value": members})));
                }
                DeclarationKind::Find(domain) => {
                    let domain = self.declared_domain(declaration, domain);
                    variables.push(self.declared(declaration, json!({"domain": domain})));
                }
                _ => {}
            }
        }
        let requirements = typed.constraints.iter().chain(&typed.wheres);
        let requirements = requirements.map(|requirement| self.requirement(requirement.span));
        let units = typed.goal_units();
        let units: Json = units.iter().map(|unit| unit.map(|unit| unit.to_string())).collect();
        let objective = typed.objective.as_ref().map(|objective| self.comment_above(objective.value.span));
        let (title, about) = self.first_comment();
        json!({
            "title": title,
            "about": about,
            "directives": self.directives(),
            "parameters": parameters,
            "variables": variables,
            "requirements": requirements.collect::<Json>(),
            "maximises": self.model.maximises(),
            "objective": objective,
            "objective_units": units,
            "essence": essence,
        })
    }

    fn declared(&self, declaration: &Declaration, mut with: Json) -> Json {
        with["name"] = unquoted(&declaration.name).into_owned().into();
        with["comment"] = self.comment_above(declaration.span).into();
        with["unit"] = self.model.typed().unit(&declaration.name).map(|unit| unit.to_string()).into();
        with
    }

    /// The lines of a requirement, and the text of the comment above it.
    fn requirement(&self, span: Span) -> Json {
        let source = self.model.sources.get(Model::SOURCE);
        let [first, last] = [span.start, span.end].map(|at| source.line_and_column(at as usize).0);
        let is_optional = self.model.typed().optional.contains(&span);
        let optional = is_optional.then(|| self.model.sources.text(span));
        json!({"first_line": first, "last_line": last, "comment": self.comment_above(span), "optional": optional})
    }

    fn members(&self, id: DeclarationId) -> Vec<String> {
        data::members(self.model.typed(), &self.env, &self.names, id)
    }

    fn domain(&mut self, domain: &ExprDomain) -> Json {
        match domain {
            ExprDomain::Bool => json!({"kind": "bool"}),
            ExprDomain::Int(ints) => {
                // The values of `int(1..n)` are unknown until `n` has a value.
                let known = instance::ground(domain, &mut self.env).ok();
                let known = known.and_then(|known| if let Domain::Int(set) = known { Some(set) } else { None });
                match ints {
                    // `partial` means that this domain excludes some members of the type.
                    Ints::Named(id, _) => {
                        let all = self.members(*id);
                        let count = all.len();
                        let is_in = |position: i64| known.as_ref().is_none_or(|set: &IntSet| set.contains(position));
                        let members = all.into_iter().zip(1..).filter(|(_, position)| is_in(*position));
                        let members: Vec<String> = members.map(|(member, _)| unquoted(&member).into_owned()).collect();
                        let name = unquoted(&self.model.typed().declaration(*id).name).into_owned();
                        json!({
                            "kind": "enum",
                            "name": name,
                            "partial": members.len() < count,
                            "members": members,
                        })
                    }
                    _ => {
                        let unit = self.units.unit().map(|unit| unit.to_string());
                        json!({"kind": "int", "ranges": known.map(|set| ranges_as_json(&set)), "unit": unit})
                    }
                }
            }
            ExprDomain::Tuple(items) => {
                let parts = (1..).zip(items).map(|(position, part)| self.named(&i32::to_string(&position), part));
                json!({"kind": "tuple", "parts": parts.collect::<Json>()})
            }
            ExprDomain::Record(fields) | ExprDomain::Variant(fields) => {
                let kind = if let ExprDomain::Record(_) = domain { "record" } else { "variant" };
                let names: Json = fields.iter().map(|(name, _)| unquoted(name).into_owned()).collect();
                let parts: Json = fields.iter().map(|(name, part)| self.named(name, part)).collect();
                json!({"kind": kind, "names": names, "parts": parts})
            }
            ExprDomain::Matrix(index, element) => {
                json!({"kind": "matrix", "parts": [self.argument(index), self.domain(element)]})
            }
            ExprDomain::Collection(kind, attributes, parts) => {
                let Size { min, max } = attributes.size();
                let mut number = |bound: &Option<crate::analysis::model::Expr>| {
                    let value = instance::evaluate(bound.as_ref()?, &mut self.env).ok()?;
                    Some(value.as_int())
                };
                let (least, most) = (number(min), number(max));
                let parts: Json = match (kind.form(), parts.as_slice()) {
                    (MemberForm::Pairs, [from, to]) => json!([self.argument(from), self.domain(to)]),
                    (MemberForm::Tuples, _) => {
                        (1..).zip(parts).map(|(position, part)| self.named(&i32::to_string(&position), part)).collect()
                    }
                    _ => parts.iter().map(|part| self.domain(part)).collect(),
                };
                json!({
                    "kind": kind.keyword(),
                    "parts": parts,
                    "total": attributes.has(Property::Total),
                    "least": least,
                    "most": most,
                })
            }
        }
    }

    /// Describes the domain of a declaration, with the names of domains that a `letting` names.
    fn declared_domain(&mut self, declaration: &Declaration, domain: &ExprDomain) -> Json {
        let mut described = self.domain(domain);
        let is_declared = |names: &[Identifier]| names.iter().any(|name| name.text == declaration.name);
        let tree = self.model.read.file.statements.iter().find_map(|statement| match &statement.kind {
            StatementKind::Given { names, domain } | StatementKind::Find { names, domain } if is_declared(names) => {
                Some(domain)
            }
            _ => None,
        });
        if let Some(tree) = tree {
            self.name_integers(&mut described, tree);
        }
        described
    }

    /// Adds the names of domains of integers. The analysis replaces such a name by its domain.
    fn name_integers(&self, described: &mut Json, tree: &DomainTree) {
        let parts: Vec<&DomainTree> = match &tree.kind {
            DomainKind::Named(name, _) if described["kind"] == "int" => {
                described["name"] = unquoted(&name.text).into_owned().into();
                return;
            }
            DomainKind::Named(name, _) => {
                let named = self.model.read.file.statements.iter().find_map(|statement| match &statement.kind {
                    StatementKind::Letting { names, value: LettingValue::Domain(tree) } => {
                        names.iter().any(|own| own.text == name.text).then_some(tree)
                    }
                    _ => None,
                });
                if let Some(tree) = named {
                    self.name_integers(described, tree);
                }
                return;
            }
            // `matrix indexed by [I, J] of D` is described as a matrix of matrices.
            DomainKind::Matrix(indices, element) => {
                let mut inside = described;
                for index in indices {
                    self.name_integers(&mut inside["parts"][0], index);
                    inside = &mut inside["parts"][1];
                }
                return self.name_integers(inside, element);
            }
            DomainKind::Tuple(parts) | DomainKind::Collection(_, _, parts) => parts.iter().collect(),
            DomainKind::Record(fields) | DomainKind::Variant(fields) => {
                // A field of a variant without a domain has no value, and no part in the description.
                let Some(parts) = fields.iter().map(|(_, domain)| domain.as_ref()).collect() else { return };
                parts
            }
            DomainKind::Bool | DomainKind::Int { .. } => return,
        };
        for (at, part) in parts.into_iter().enumerate() {
            self.name_integers(&mut described["parts"][at], part);
        }
    }

    /// Describes a field or a component, which may have its own unit.
    fn named(&mut self, name: &str, domain: &ExprDomain) -> Json {
        let outer = self.units.enter(name);
        let written = self.domain(domain);
        self.units.leave(outer);
        written
    }

    /// Describes an argument or an index, which has no unit unless it is named.
    fn argument(&mut self, domain: &ExprDomain) -> Json {
        let outer = self.units.enter_argument();
        let written = self.domain(domain);
        self.units.leave(outer);
        written
    }

    /// The comments of the model with their lines.
    fn comments(&self) -> impl Iterator<Item = (usize, &Comment)> {
        let source = self.model.sources.get(Model::SOURCE);
        let comments = self.model.read.file.comments.iter().filter(|comment| comment.text.starts_with('$'));
        comments.map(|comment| (source.line_and_column(comment.span.start as usize).0, comment))
    }

    /// The text of the comments directly above a span.
    fn comment_above(&self, span: Span) -> String {
        self.remarks.above(span)
    }

    /// The title and the text of the comment at the start of the model.
    fn first_comment(&self) -> (String, String) {
        let mut lines: Vec<&str> = Vec::new();
        let mut last = 0;
        for (line, comment) in self.comments() {
            // The first comment ends at a blank line.
            if !comment.own_line || last != 0 && line != last + 1 {
                break;
            }
            last = line;
            lines.push(said(comment));
        }
        let first = self.model.read.file.statements.first().map(|statement| statement.span);
        let begins = first
            .map_or(usize::MAX, |span| self.model.sources.get(Model::SOURCE).line_and_column(span.start as usize).0);
        // If the comment is directly above the first statement, it is about this statement.
        if last + 1 >= begins && self.model.read.file.header.is_none() || last >= begins {
            return (String::new(), String::new());
        }
        match lines.split_first() {
            Some((title, others)) => ((*title).to_owned(), joined_paragraphs(others)),
            None => (String::new(), String::new()),
        }
    }

    /// The texts of the comments for the app of the model.
    fn directives(&self) -> Vec<String> {
        let texts = self.comments().filter_map(|(_, comment)| comment_text(comment).strip_prefix("app:"));
        texts.map(|text| text.trim().to_owned()).collect()
    }
}

/// The ranges of a set of integers; an open end is `null`.
fn ranges_as_json(set: &IntSet) -> Json {
    let end = |end: i64| if (IntSet::MINUS_INFINITY < end) && (end < IntSet::INFINITY) { Some(end) } else { None };
    set.ranges().iter().map(|(low, high)| json!([end(*low), end(*high)])).collect()
}
