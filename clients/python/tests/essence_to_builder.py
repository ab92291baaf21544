"""Translates an Essence model to a Python program with `conjure_like.builder`, from the syntax tree that the program
prints.
"""

import builtins
import json
import keyword
import subprocess

import conjure_like as cl
from conjure_like.builder.comprehensions import Comprehension
from conjure_like.builder.domains import ATTRIBUTES, BOOL, Domain
from conjure_like.builder.expressions import Bars, Infix, expression
from conjure_like.program import find

PYTHON = {word: name for name, word in ATTRIBUTES.items()}

INFIX = {
    "Eq": "==", "Neq": "!=", "Lt": "<", "Leq": "<=", "Gt": ">", "Geq": ">=", "Minus": "-", "Div": "//", "Mod": "%", "Pow": "**",
    "Subset": "<", "SubsetEq": "<=", "Supset": ">", "SupsetEq": ">=", "Union": "|", "Intersect": "&",
}  # fmt: skip

CALLS = {
    "In": "member", "Imply": "implies", "Iff": "iff", "ToInt": "to_int",
    "AllDiffExcept": "all_different_except", "GCC": "gcc", "ElementId": "element_id", "AtLeast": "at_least", "AtMost": "at_most",
    "Table": "table", "MakeTable": "make_table", "DontCare": "dont_care", "CatchUndef": "catch_undefined", "Flatten": "flatten",
    "Concatenate": "concatenate", "Max": "max", "Min": "min", "Factorial": "factorial", "PowerSet": "power_set", "Pred": "pred",
    "Succ": "succ", "Compose": "compose", "PermInverse": "permutation_inverse", "Transform": "transform",
    "QuickPermutationOrder": "quick_permutation_order", "Image": "image", "ImageSet": "image_set", "PreImage": "pre_image",
    "Inverse": "inverse", "Defined": "defined", "Range": "range_of", "Restrict": "restrict", "Apart": "apart", "Together": "together",
    "Party": "party", "Participants": "participants", "Parts": "parts", "Freq": "freq", "Hist": "hist", "ToSet": "to_set",
    "ToMSet": "to_mset", "ToRelation": "to_relation", "LexLt": "lex_less", "LexLeq": "lex_less_eq", "DotLt": "dot_less",
    "DotLeq": "dot_less_eq", "TildeLt": "tilde_less", "TildeLeq": "tilde_less_eq", "Subsequence": "subsequence",
    "Substring": "substring", "FromSolution": "from_solution", "True": "true", "Xor": "xor",
}  # fmt: skip

AGGREGATES = {"And": "all", "Or": "any", "Sum": "sum", "Product": "product", "Xor": "xor"}

SIGNS = {"And": " & ", "Or": " | ", "Sum": " + ", "Product": " * "}


def tree(text):
    """Returns the syntax tree of a model."""
    run = subprocess.run([find(), "ide", "-"], input=text, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def identifier(name):
    """Returns a Python variable for a name of the model."""
    plain = "".join(c if c.isalnum() or c == "_" else "_" for c in name.strip('"').replace("'", "_prime"))
    taken = keyword.iskeyword(plain) or plain in ("cl", "m") or plain in dir(builtins)
    return plain + "_" if taken or not plain.isidentifier() else plain


class Translation:
    """A model as lines of Python."""

    def __init__(self, text):
        self.members = {}
        #: The Python variables for the names in scope.
        self.variables = {}
        self.number = 0
        self.lines = ["import conjure_like as cl", "", "m = cl.Builder()"]
        for statement in tree(text)["mStatements"]:
            ((kind, content),) = statement.items()
            getattr(self, f"statement_{kind}")(content)

    def __str__(self):
        return "\n".join(self.lines) + "\n"

    def add(self, line):
        self.lines.append(line)

    def bind(self, name):
        """Returns the variable for a name; it differs from all variables in scope."""
        variable = identifier(name)
        if variable in self.variables.values():
            self.number += 1
            variable = f"{variable}_{self.number}"
        # A new dict, because enclosing scopes keep the old one.
        self.variables = {**self.variables, name: variable}
        return variable

    def variable(self, name):
        return self.variables.get(name, identifier(name))

    # ---- statements

    def statement_Declaration(self, content):
        ((kind, of),) = content.items()
        if kind == "FindOrGiven":
            word, name, domain = of
            text = self.domain(domain)
            self.add(f"{self.bind(name['Name'])} = m.{word.lower()}({name['Name']!r}, {text})")
        elif kind == "GivenDomainDefnEnum":
            self.add(f"{self.bind(of['Name'])} = m.given_enum({of['Name']!r})")
        elif kind == "LettingDomainDefnUnnamed":
            name, size = of
            text = self.expr(size)
            self.add(f"{self.bind(name['Name'])} = m.unnamed({name['Name']!r}, {text})")
        elif kind == "LettingDomainDefnEnum":
            name, members = of
            names = [m["Name"].strip('"') for m in members]
            variable = self.bind(name["Name"])
            self.members.update({m: variable for m in names})
            self.add(f"{variable} = m.enum({name['Name']!r}, {names!r})")
        elif kind == "Letting":
            name, value = of
            if set(value) == {"Domain"}:
                text = f"m.domain({name['Name']!r}, {self.domain(value['Domain'])})"
            else:
                text = f"m.letting({name['Name']!r}, {self.expr(value)})"
            self.add(f"{self.bind(name['Name'])} = {text}")
        else:
            raise ValueError(kind)

    def statement_SuchThat(self, content):
        for one in content:
            self.add(f"m.require({self.constant(one) if 'Constant' in one else self.requirement(one)})")

    def statement_Where(self, content):
        for one in content:
            self.add(f"m.where({self.constant(one) if 'Constant' in one else self.requirement(one)})")

    def statement_Objective(self, content):
        direction, goal = content
        of, *goals = goal.get("Op", {}).get("MkOpRelationProj", [None])
        if of == {"Reference": [{"Name": "pareto"}, None]}:
            listed = ", ".join(map(self.expr, goals[0]))
            self.add(f"m.pareto({direction.lower()[:-3]}e=[{listed}])")
            return
        word = "minimise" if direction == "Minimising" else "maximise"
        goals = goal.get("AbstractLiteral", {}).get("AbsLitTuple")
        self.add(f"m.{word}({', '.join(map(self.expr, goals)) if goals else self.expr(goal)})")

    def statement_DominanceStmt(self, content):
        self.add(f"m.dominance({self.expr(content)})")

    def statement_IncomparabilityFunction(self, content):
        order, value = content
        more = ", descending=True" if order == "Descending" else ""
        self.add(f"m.incomparability({self.expr(value)}{more})")

    def statement_SearchOrder(self, content):
        self.add(f"m.branching({', '.join(self.branch(b) for b in content)})")

    def statement_SearchHeuristic(self, content):
        self.add(f"m.heuristic({content['Name']!r})")

    def branch(self, one):
        ((kind, of),) = one.items()
        return self.variable(of["Name"]) if kind == "BranchingOn" else self.expr(of)

    def requirement(self, one):
        """Translates a requirement; a universally quantified one becomes a generator."""
        over = one.get("Op", {}).get("MkOpAnd", {})
        if isinstance(over, dict) and "Comprehension" in over:
            return self.generator(over["Comprehension"])
        return self.expr(one)

    # ---- domains

    def domain(self, domain):
        ((kind, of),) = domain.items()
        return getattr(self, kind)(of)

    def DomainBool(self, of):
        return "cl.Bool"

    def DomainInt(self, of):
        tag, ranges = of
        tags = f"tag={tag['TaggedInt']!r}" if "TaggedInt" in tag else ""
        if not ranges:
            return f"cl.Int({tags})"
        if len(ranges) == 1 and "RangeSingle" not in ranges[0]:
            return f"cl.Int({', '.join(filter(None, [*map(str, self.range(ranges[0])), tags]))})"
        listed = [self.expr(r["RangeSingle"]) if "RangeSingle" in r else "({}, {})".format(*self.range(r)) for r in ranges]
        return f"cl.Int({', '.join(filter(None, [f'values=[{chr(44).join(listed)}]', tags]))})"

    def range(self, r):
        ((kind, of),) = r.items()
        if kind == "RangeOpen":
            return (None, None)
        if kind == "RangeSingle":
            return (self.expr(of),) * 2
        if kind == "RangeBounded":
            return tuple(map(self.expr, of))
        return (self.expr(of), None) if kind == "RangeLowerBounded" else (None, self.expr(of))

    def DomainIntE(self, of):
        return f"cl.Int(values={self.expr(of[1])})"

    def DomainEnum(self, of):
        name, ranges, _ = of
        variable = self.variable(name["Name"])
        if ranges is None:
            return variable
        return f"{variable}.between({', '.join(f'({low}, {high})' for low, high in map(self.range, ranges))})"

    def DomainReference(self, of):
        return self.variable(of[0]["Name"])

    def DomainTuple(self, of):
        parts = ", ".join(map(self.domain, of))
        return f"({parts})" if len(of) > 1 else f"cl.Tuple({parts})"

    def DomainRecord(self, of):
        return f"cl.Record({', '.join(f'{n[chr(78) + chr(97) + chr(109) + chr(101)]}={self.domain(d)}' for n, d in of)})"

    def DomainVariant(self, of):
        return self.DomainRecord(of).replace("cl.Record", "cl.Variant", 1)

    def DomainMatrix(self, of):
        indices = []
        inner = {"DomainMatrix": of}
        # `cl.Matrix(D, E, of=F)` stands for nested matrices.
        while "DomainMatrix" in inner:
            index, inner = inner["DomainMatrix"]
            indices.append(self.domain(index))
        return f"cl.Matrix({', '.join(indices)}, of={self.domain(inner)})"

    def attributes(self, listed):
        """Translates attributes to keyword arguments."""
        found = []
        for one in listed:
            ((kind, value),) = one.items() if isinstance(one, dict) else ((one, True),)
            prefix, _, word = kind.partition("_")
            if word in ("None", "Partial"):
                continue
            word = word[0].lower() + word[1:] if word != "Euclidean" else word
            if "MinMax" in kind:
                base = {"minMaxSize": "Size", "minMaxOccur": "Occur"}.get(word) or word[0].upper() + word[1:].replace("MinMax", "")
                found += [f"{PYTHON[f'{end}{base}']}={self.expr(v)}" for end, v in zip(("min", "max"), value)]
                continue
            found.append(f"{PYTHON[word]}={'True' if value is True or value == [] else self.expr(value)}")
        return found

    def collection(self, word, attributes, *parts):
        return f"cl.{word}({', '.join([*map(self.domain, parts), *self.attributes(attributes)])})"

    def DomainSet(self, of):
        return self.collection("Set", [of[1]], of[2])

    def DomainMSet(self, of):
        return self.collection("MSet", of[1], of[2])

    def DomainFunction(self, of):
        return self.collection("Function", of[1], of[2], of[3])

    def DomainSequence(self, of):
        return self.collection("Sequence", of[1], of[2])

    def DomainRelation(self, of):
        size, binary = of[1]
        return self.collection("Relation", [size, *binary], *of[2])

    def DomainPartition(self, of):
        attributes = of[1]
        found = self.attributes([self.renamed(attributes["partsNum"], "numParts"), self.renamed(attributes["partsSize"], "partSize")])
        if attributes["isRegular"]:
            found.append("regular=True")
        return f"cl.Partition({', '.join([self.domain(of[2]), *found])})"

    def DomainPermutation(self, of):
        return self.collection("Permutation", [self.renamed(of[1], "numMoved")], of[2])

    def renamed(self, attribute, word):
        ((kind, value),) = attribute.items()
        if kind == "SizeAttr_MinMaxSize":
            return {f"x_{word}MinMax": value}
        limit = {
            "SizeAttr_Size": word,
            "SizeAttr_MinSize": f"min{word[0].upper()}{word[1:]}",
            "SizeAttr_MaxSize": f"max{word[0].upper()}{word[1:]}",
        }
        return {f"x_{limit.get(kind, 'None')}": value}

    # ---- types, beside expressions

    def type(self, of):
        ((kind, of),) = of.items()
        return getattr(self, kind)(of)

    def TypeBool(self, of):
        return "cl.Bool"

    def TypeInt(self, of):
        tag = of if isinstance(of, dict) else {}
        return f"cl.Int(tag={tag['TaggedInt']!r})" if "TaggedInt" in tag else "cl.Int()"

    def TypeEnum(self, of):
        return self.variable(of["Name"])

    TypeUnnamed = TypeEnum

    def TypeTuple(self, of):
        return f"cl.Tuple({', '.join(map(self.type, of))})"

    def TypeRecord(self, of):
        return f"cl.Record({', '.join(name['Name'] + '=' + self.type(t) for name, t in of)})"

    def TypeVariant(self, of):
        return f"cl.Variant({', '.join(name['Name'] + '=' + self.type(t) for name, t in of)})"

    def TypeMatrix(self, of):
        return f"cl.Matrix({self.type(of[0])}, of={self.type(of[1])})"

    def TypeSet(self, of):
        return f"cl.Set({self.type(of)})"

    def TypeMSet(self, of):
        return f"cl.MSet({self.type(of)})"

    def TypeSequence(self, of):
        return f"cl.Sequence({self.type(of)})"

    def TypePartition(self, of):
        return f"cl.Partition({self.type(of)})"

    def TypePermutation(self, of):
        return f"cl.Permutation({self.type(of)})"

    def TypeFunction(self, of):
        return f"cl.Function({self.type(of[0])}, {self.type(of[1])})"

    def TypeRelation(self, of):
        return f"cl.Relation({', '.join(map(self.type, of))})"

    # ---- expressions

    def expr(self, e):
        """Translates an expression; the context must not need parentheses around it."""
        ((kind, of),) = e.items()
        return getattr(self, kind)(of)

    def operand(self, e):
        """Translates an operand of a Python operator, in parentheses if necessary."""
        text = self.expr(e)
        if "Constant" in e or "AbstractLiteral" in e:
            return f"c_({text})"
        safe = text.isidentifier() or text.isdigit() or text.startswith("cl.") and text.endswith(")") and _is_one_call(text)
        return text if safe else f"({text})"

    def Constant(self, of):
        ((kind, value),) = of.items()
        if kind == "ConstantAbstract":
            return self.AbstractLiteral(value)
        if kind == "ConstantInt":
            tag, number = value
            return str(number) if "TaggedInt" not in tag else f"cl.essence('{number}:{tag['TaggedInt']}', cl.Int())"
        return str(value)

    ConstantInt = lambda self, of: self.Constant({"ConstantInt": of})  # noqa: E731
    ConstantBool = lambda self, of: self.Constant({"ConstantBool": of})  # noqa: E731
    ConstantAbstract = lambda self, of: self.AbstractLiteral(of)  # noqa: E731

    def Reference(self, of):
        name = of[0]["Name"]
        plain = name.strip('"')
        return f"{self.members[plain]}[{plain!r}]" if plain in self.members and name not in self.variables else self.variable(name)

    def Domain(self, of):
        text = self.domain(of)
        return f"cl.Tuple{text}" if text.startswith("(") else text

    def Typed(self, of):
        value, type = of
        return f"cl.typed({self.expr(value)}, {self.type(type)})"

    def AbstractLiteral(self, of):
        ((kind, value),) = of.items()
        each = lambda values: ", ".join(map(self.expr, values))  # noqa: E731
        if kind == "AbsLitTuple":
            return f"({each(value)}{',' if len(value) == 1 else ''})"
        if kind == "AbsLitMatrix":
            index, members = value
            counted = {"DomainInt": [{"TagInt": []}, [{"RangeBounded": [self.count(1, index), self.count(len(members), index)]}]]}
            return f"[{each(members)}]" if index == counted else f"cl.matrix([{each(members)}], {self.domain(index)})"
        if kind == "AbsLitSet":
            # Members of a Python set must be hashable, which lists are not.
            return f"cl.set([{each(value)}])"
        if kind in ("AbsLitMSet", "AbsLitSequence"):
            return f"cl.{kind[6:].lower()}([{each(value)}])"
        if kind == "AbsLitFunction":
            return f"cl.function([{', '.join(f'({self.expr(a)}, {self.expr(b)})' for a, b in value)}])"
        if kind == "AbsLitRelation":
            return f"cl.relation([{', '.join(f'({each(r)},)' for r in value)}])"
        if kind in ("AbsLitPartition", "AbsLitPermutation"):
            return f"cl.{kind[6:].lower()}([{', '.join(f'[{each(p)}]' for p in value)}])"
        if kind == "AbsLitRecord":
            return f"cl.record({', '.join(n['Name'] + '=' + self.expr(v) for n, v in value)})"
        if kind == "AbsLitVariant":
            _, name, value = value
            return f"cl.variant({name['Name']}={self.expr(value)})"
        raise ValueError(kind)

    def count(self, number, index):
        """Returns a bound in the form of the node `index`."""
        inside = json.dumps(index)
        constant = {"ConstantInt": [{"TagInt": []}, number]}
        return {"Constant": constant} if '"Constant"' in inside else constant

    def WithLocals(self, of):
        value, locals = of
        if "AuxiliaryVars" not in locals:
            return f"cl.defined_if({self.expr(value)}, {', '.join(map(self.expr, locals['DefinednessConstraints']))})"
        names, conditions, around = [], [], self.variables
        for statement in locals["AuxiliaryVars"]:
            ((kind, content),) = statement.items()
            if kind == "SuchThat":
                conditions += content
            else:
                _, name, domain = content["FindOrGiven"]
                text = self.domain(domain)
                names.append((self.bind(name["Name"]), text))
        listed = ", ".join(n for n, _ in names)
        domains = names[0][1] if len(names) == 1 else f"[{', '.join(d for _, d in names)}]"
        such_that = self.expr(conditions[0]) if len(conditions) == 1 else f"[{', '.join(map(self.expr, conditions))}]"
        text = self.expr(value)
        self.variables = around
        return f"cl.local_find({domains}, lambda {listed}: {text}, such_that=lambda {listed}: {such_that})"

    def Comprehension(self, of):
        return f"cl.listing({self.generator(of)})"

    def generator(self, of):
        body, qualifiers = of
        waiting, parts, around, last = [], [], self.variables, (None, None)
        for one in qualifiers:
            ((kind, content),) = one.items()
            if kind == "Condition":
                text = f"if {self.guard(content)}"
                # Python has no `if` before the first `for`.
                parts.append(text) if parts else waiting.append(text)
                continue
            if kind == "ComprehensionLetting":
                pattern, value = content
                text = self.expr(value)
                parts.append(f"for {self.pattern(pattern)} in cl.let({text})")
            else:
                ((of, (pattern, source)),) = content.items()
                # The tree has a generator for each pattern of a shared source, but the source must not see the names of
                # the first pattern.
                here = self.variables
                if source == last[0]:
                    self.variables = last[1]
                last = (source, self.variables)
                subsets = source.get("Op", {}).get("MkOpPowerSet") if of == "GenInExpr" else None
                if subsets is not None and "AbsPatSet" in pattern and len(pattern["AbsPatSet"]) > 1:
                    over = f"cl.combinations({self.expr(subsets)}, {len(pattern['AbsPatSet'])})"
                else:
                    over = f"c_({self.expr(source)})" if of == "GenInExpr" else self.domain(source)
                    if over.startswith("("):
                        over = f"cl.Tuple{over}"
                self.variables = here
                parts.append(f"for {self.pattern(pattern)} in {over}")
            if waiting:
                parts += waiting
                waiting = []
        # A comprehension without a generator has at most one element; a loop over one value has the same meaning.
        if not parts:
            parts, waiting = ["for _ in cl.Int(1, 1)", *waiting], []
        text = f"{self.element(body)} {' '.join(parts)}"
        self.variables = around
        return text

    def constant(self, of):
        """Translates an expression; a constant becomes an expression of the model, because the builder checks Python
        numbers.
        """
        return f"c_({self.expr(of)})" if "Constant" in of else self.expr(of)

    def element(self, body):
        text = self.expr(body)
        return f"({text})" if "lambda" in text else text

    def guard(self, condition):
        text = f"c_({self.expr(condition)})" if "Constant" in condition else self.expr(condition)
        return f"({text})" if " if " in text or "lambda" in text else text

    def pattern(self, of):
        ((kind, parts),) = of.items()
        if kind == "Single":
            return "_" if parts["Name"] == "_" else self.bind(parts["Name"])
        listed = ", ".join(map(self.pattern, parts))
        return f"({listed}{',' if len(parts) == 1 else ''})"

    def Op(self, of):
        ((name, operands),) = of.items()
        name = name[4:]
        if name in AGGREGATES:
            return self.aggregate(name, operands)
        if not isinstance(operands, list):
            operands = [operands]
        if name == "Neq":
            return f"differ_({self.expr(operands[0])}, {self.expr(operands[1])})"
        if name in INFIX:
            a, b = operands
            return f"{self.operand(a)} {INFIX[name]} {self.operand(b)}"
        if name == "Not":
            return f"~{self.operand(operands[0])}"
        if name == "AllDiff":
            return f"all_different_({self.expr(operands[0])})"
        if name == "TwoBars":
            return f"bars_({self.expr(operands[0])})"
        if name == "Negate":
            return f"-{self.operand(operands[0])}"
        if name in ("Indexing", "Slicing"):
            return self.indices({"Op": {f"MkOp{name}": operands}})
        if name == "RelationProj":
            relation, arguments = operands
            return f"{self.operand(relation)}({', '.join('...' if a is None else self.expr(a) for a in arguments)})"
        if name == "Image":
            f, argument = operands
            function = f.get("Reference", [{}])[0].get("Name")
            if function == "fromSolution":
                return f"cl.from_solution({self.expr(argument)})"
            return f"{self.operand(f)}({self.constant(argument)})"
        if name == "Active":
            return f"cl.active({self.expr(operands[0])}, {operands[1]['Name']!r})"
        if name == "AttributeAsConstraint":
            value, word, number = operands
            more = "" if number is None else f", {self.expr(number)}"
            return f"cl.attribute({PYTHON[word[9:]]!r}, {self.expr(value)}{more})"
        if name in ("ToSet", "ToMSet") and isinstance(operands[0], bool):
            operands = operands[1:]
        if name in ("Transform", "QuickPermutationOrder") and isinstance(operands[0], list):
            permutations, value = operands
            return f"cl.{CALLS[name]}([{', '.join(map(self.expr, permutations))}], {self.expr(value)})"
        if name == "Flatten" and operands[0] is None:
            operands = operands[1:]
        elif name == "Flatten" and len(operands) == 2:
            operands = [
                operands[1],
                {"Constant": {"ConstantInt": [{"TagInt": []}, operands[0]]}} if isinstance(operands[0], int) else operands[0],
            ]
        return f"cl.{CALLS[name]}({', '.join(map(self.expr, operands))})"

    def aggregate(self, name, operands):
        if "Comprehension" in operands:
            return f"cl.{AGGREGATES[name]}({self.generator(operands['Comprehension'])})"
        literal = operands.get("AbstractLiteral", {}) or operands.get("Constant", {}).get("ConstantAbstract", {})
        members = literal.get("AbsLitMatrix", [None, []])[1]
        if name in SIGNS and len(members) == 2 and operands.get("AbstractLiteral"):
            return SIGNS[name].join(map(self.operand, members))
        return f"cl.{AGGREGATES[name]}({self.expr(operands)})"

    def indices(self, e):
        """Translates a matrix with all indices after it."""
        indices = []
        while set(e) == {"Op"} and set(e["Op"]) <= {"MkOpIndexing", "MkOpSlicing"}:
            ((kind, (e, *index)),) = e["Op"].items()
            indices.insert(0, self.slice(*index) if kind == "MkOpSlicing" else self.index(index[0]))
        return f"at_({self.expr(e)}, {', '.join(indices)})"

    def slice(self, low, high):
        return f"cl.Int({self.expr(low) if low else None}, {self.expr(high) if high else None})" if low or high else "slice(None)"

    def index(self, e):
        # A component of a record is named by a reference, which the tree does not distinguish from other names.
        name = e.get("Reference", [{}])[0].get("Name")
        return self.expr(e) if name is None or name in self.members else f"Named_({name!r}, lambda: {self.variable(name)})"


class Named:
    """A name in brackets, which is a field of a record or a value."""

    def __init__(self, name, value):
        self.name = name
        self.value = value


def at(value, *indices):
    """Indexes a value as Essence does: components of tuples count from 1."""
    value = expression(value)
    kind = value.type.kind if value.type else ""
    if kind in ("tuple", "record", "variant"):
        first, *rest = indices
        part = value[first - 1] if kind == "tuple" else value[first.name]
        return at(part, *rest) if rest else part
    count = len(value.type.dimensions[0]) if kind in ("matrix", "list") else 1
    made = tuple(i.value() if isinstance(i, Named) else expression(i) if isinstance(i, int) else i for i in indices[:count])
    part = value[made if len(made) > 1 else made[0]]
    return at(part, *indices[count:]) if indices[count:] else part


def bars(value):
    """The absolute value of a number, or the size of a collection."""
    made = value if isinstance(value, Domain) else expression(value)
    return cl.size(made) if isinstance(made, (Domain, Comprehension)) else Bars(made)


def all_different(value):
    """True if the elements are different; the elements of a matrix with several dimensions are its rows."""
    made = expression(value)
    many = made.type is not None and made.type.kind == "matrix" and len(made.type.dimensions[0]) > 1
    return cl.all_different(row for row in made) if many else cl.all_different(made)


def differ(left, right):
    """`!=`, also for whole matrices: the builder refuses those because NumPy gives the operator another meaning."""
    a, b = expression(left), expression(right)
    return Infix("!=", a, b, BOOL) if "matrix" in (a._kind, b._kind) or "list" in (a._kind, b._kind) else a != b


def built(program):
    """Runs a program that this module has written, and returns the model that it builds."""
    lines = {"c_": expression, "at_": at, "bars_": bars, "Named_": Named, "all_different_": all_different, "differ_": differ}
    exec(compile(program, "<model>", "exec"), lines)
    return lines["m"]


def _is_one_call(text):
    depth = 0
    for at, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0 and c == ")":
            return at == len(text) - 1
    return False
