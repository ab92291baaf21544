/**
 * The grammar of Essence for editors. The compiler has grammar/essence.pest; this grammar accepts at least the same
 * texts. It is more permissive, because an editor must show unfinished models, too.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

// Operators from the loosest binding to the tightest (docs/operators.md).
const PRECEDENCE = {
  quantified: 0,
  implication: 1,
  disjunction: 2,
  conjunction: 3,
  comparison: 4,
  membership: 5,
  additive: 6,
  multiplicative: 7,
  prefix: 8,
  power: 9,
  postfix: 10,
};

const ATTRIBUTES = [
  "size", "minSize", "maxSize", "minOccur", "maxOccur",
  "total", "injective", "surjective", "bijective",
  "reflexive", "irreflexive", "coreflexive", "symmetric", "antiSymmetric", "aSymmetric", "transitive", "leftTotal", "rightTotal",
  "connex", "Euclidean", "serial", "equivalence", "partialOrder", "partial", "linearOrder", "weakOrder", "preOrder", "strictPartialOrder",
  "regular", "partSize", "minPartSize", "maxPartSize", "numParts", "minNumParts", "maxNumParts",
  "numMoved", "minNumMoved", "maxNumMoved",
];

const FUNCTIONS = [
  "active", "alldifferent_except", "allDiff", "and", "apart", "atleast", "atmost", "catchUndef", "compose", "concatenate",
  "defined", "dontCare", "elementId", "factorial", "flatten", "freq", "fromSolution", "gcc", "hist", "imageSet", "image", "indices", "inverse",
  "makeTable", "max", "min", "normIndices", "or", "participants", "parts", "party", "permInverse", "powerSet", "preImage",
  "pred", "quickPermutationOrder", "range", "restrict", "succ", "table", "toInt", "toMSet", "toRelation", "toSet", "together",
  "transform", "xor",
];

const COMPARISONS = [
  "=", "!=", "<", "<=", ">", ">=", ".<", ".<=", ".>", ".>=", "~<", "~<=", "~>", "~>=",
  "<lex", "<=lex", ">lex", ">=lex", "subset", "subsetEq", "supset", "supsetEq", "subsequence", "substring",
];

/** One or more rules, separated by commas; the last one may be followed by a comma. */
const list = (rule) => seq(rule, repeat(seq(",", rule)), optional(","));
const parenthesised = (...rules) => seq("(", ...rules, ")");

module.exports = grammar({
  name: "essence",

  word: ($) => $.identifier,
  extras: ($) => [/\s/, $.comment],
  supertypes: ($) => [$._statement, $._expression, $._domain, $._pattern],

  conflicts: ($) => [
    [$.tuple_pattern, $.tuple],
    // `[x | (a, b), …`: a condition, or the pattern of a generator.
    [$._pattern, $._expression],
    [$.matrix_pattern, $.matrix],
    [$.set_pattern, $.set],
    // `1:`: a tag, or the type of a constant.
    [$.integer],
    // `sum (a, b)`: the operand of a call, or the pattern of a quantifier.
    [$.call, $.quantifier],
  ],

  rules: {
    source_file: ($) => seq(optional($.header), repeat($._statement)),

    header: ($) => seq("language", field("language", $.identifier), optional($.version)),
    version: (_) => /\d+(\s*\.\s*\d+)*/,

    // ---- statements ------------------------------------------------------------------------------------

    _statement: ($) =>
      choice($.given, $.find, $.letting, $.such_that, $.where, $.objective, $.dominance, $.incomparability, $.branching, $.heuristic),

    given: ($) => seq("given", list(choice($.declaration, $.enumeration_parameter))),
    find: ($) => seq("find", list($.declaration)),
    letting: ($) => seq("letting", list($.definition)),
    such_that: ($) => seq("such", "that", list($._expression)),
    where: ($) => seq("where", list($._expression)),
    objective: ($) => $._directed,
    _directed: ($) => seq(choice("minimising", "maximising", "minimizing", "maximizing"), field("value", $._expression)),
    dominance: ($) =>
      seq(choice(seq("dominance", "relation"), "dominance_relation"), choice($.trade_offs, field("value", $._expression))),
    trade_offs: ($) => seq("pareto", parenthesised(list($._directed))),
    incomparability: ($) =>
      seq("incomparability_function", choice("ascending", "descending"), field("value", $._expression)),
    branching: ($) => seq("branching", "on", "[", optional(list($._expression)), "]"),
    heuristic: ($) => seq("heuristic", $._name),

    declaration: ($) => seq($._names, ":", field("domain", $._domain)),
    enumeration_parameter: ($) => seq($._names, "new", "type", "enum"),
    definition: ($) =>
      seq($._names, "be", choice(seq("domain", field("domain", $._domain)), $.new_type, field("value", $._expression))),
    new_type: ($) =>
      seq("new", "type", choice(
        seq("enum", "{", optional(list(field("member", $._name))), "}"),
        seq("of", "size", field("size", $._expression)),
      )),
    _names: ($) => list(field("name", $._name)),

    _name: ($) => choice($.identifier, $.quoted_name),
    identifier: (_) =>
      /[\p{Alphabetic}_\u{1F1E0}-\u{1F1FF}\u{1F300}-\u{1F64F}\u{1F680}-\u{1F999}][\p{Alphabetic}\p{N}_'\u{1F1E0}-\u{1F1FF}\u{1F300}-\u{1F64F}\u{1F680}-\u{1F999}]*/u,
    quoted_name: (_) => /"(\\.|[^"\\\n])*"/,

    // ---- expressions -----------------------------------------------------------------------------------

    _expression: ($) => choice(
      $.integer, $.boolean, $._name, $.domain_expression,
      $.unary, $.binary, $.factorial, $.index, $.application, $.typed,
      $.parenthesis, $.bars, $.matrix, $.comprehension, $.set, $.auxiliary,
      $.call, $.quantified,
      $.tuple, $.record, $.variant, $.collection, $.relation, $.function, $.partition, $.permutation,
    ),

    integer: ($) => seq(/\d+/, optional(seq(":", field("tag", $._name)))),
    boolean: (_) => choice("true", "false"),
    domain_expression: ($) => seq("`", $._domain, "`"),

    unary: ($) => prec(PRECEDENCE.prefix, seq(field("operator", choice("-", "!")), field("operand", $._expression))),
    binary: ($) => {
      const row = (associate, precedence, ...operators) =>
        associate(precedence, seq(field("left", $._expression), field("operator", operators.length > 1 ? choice(...operators) : operators[0]), field("right", $._expression)));
      return choice(
        row(prec.right, PRECEDENCE.power, "**"),
        row(prec.left, PRECEDENCE.multiplicative, "*", "/", "%", "intersect"),
        row(prec.left, PRECEDENCE.additive, "+", "-", "union"),
        row(prec.left, PRECEDENCE.membership, "in"),
        row(prec.left, PRECEDENCE.comparison, ...COMPARISONS),
        row(prec.left, PRECEDENCE.conjunction, "/\\"),
        row(prec.left, PRECEDENCE.disjunction, "\\/"),
        row(prec.left, PRECEDENCE.implication, "->", "<->"),
      );
    },

    factorial: ($) => prec(PRECEDENCE.postfix, seq($._expression, "!")),
    index: ($) => prec(PRECEDENCE.postfix, seq(field("operand", $._expression), "[", list($._range), "]")),
    application: ($) => prec(PRECEDENCE.postfix, seq(field("function", $._expression), parenthesised(optional(list($._expression))))),
    typed: ($) => prec(PRECEDENCE.postfix, seq($._expression, ":", $.domain_expression)),

    parenthesis: ($) => parenthesised(list($._expression)),
    bars: ($) => seq("|", $._expression, "|"),

    matrix: ($) => seq("[", optional(choice(seq(list($._expression), optional(seq(";", $._domain))), seq(";", $._domain))), "]"),
    comprehension: ($) => seq("[", field("element", $._expression), "|", list($._qualifier), "]"),
    _qualifier: ($) => choice($.local_letting, $.generator, $._expression),
    local_letting: ($) => seq("letting", $._pattern, "be", $._expression),
    // A generator, rather than a condition such as `x < -s`.
    generator: ($) => prec.dynamic(1, seq($._patterns, choice(seq(":", $._domain), seq("<-", $._expression)))),

    set: ($) => seq("{", optional(list($._expression)), "}"),
    // An expression with local decision variables.
    auxiliary: ($) => seq("{", $._expression, "@", repeat1($._statement), "}"),

    call: ($) => seq(
      field("function", choice(...FUNCTIONS, "sum", "product", alias(choice(...ATTRIBUTES), $.attribute_name))),
      parenthesised(optional(list($._expression))),
    ),

    quantified: ($) => prec.right(PRECEDENCE.quantified, seq(
      $.quantifier, $._patterns, $.over, optional(seq(",", field("guard", $._expression))), ".", field("body", $._expression),
    )),
    quantifier: (_) => choice("forAll", "exists", "sum", "product"),
    over: ($) => choice(seq(":", $._domain), seq(choice("in", "subsetEq"), $._expression)),

    _patterns: ($) => choice($._pattern, $._several_patterns),
    // In `[x | a, b <- s]`, `a` is not a condition.
    _several_patterns: ($) => prec.dynamic(1, seq($._pattern, repeat1(seq(",", $._pattern)))),
    _pattern: ($) => choice($._name, $.tuple_pattern, $.matrix_pattern, $.set_pattern),
    tuple_pattern: ($) => seq(optional("tuple"), parenthesised(optional(list($._pattern)))),
    matrix_pattern: ($) => seq("[", optional(list($._pattern)), "]"),
    set_pattern: ($) => seq("{", optional(list($._pattern)), "}"),

    tuple: ($) => seq("tuple", parenthesised(optional(list($._expression)))),
    record: ($) => seq("record", "{", optional(list($.field)), "}"),
    variant: ($) => seq("variant", "{", $.field, optional(","), "}"),
    field: ($) => seq(field("name", $._name), "=", field("value", $._expression)),
    collection: ($) => seq(choice("mset", "sequence"), parenthesised(optional(list($._expression)))),
    relation: ($) => seq("relation", parenthesised(optional(list($._expression)))),
    function: ($) => seq("function", parenthesised(optional(list($.image)))),
    image: ($) => seq($._expression, "-->", $._expression),
    partition: ($) => seq("partition", parenthesised(optional(list($.set)))),
    permutation: ($) => seq("permutation", parenthesised(optional(list($.cycle)))),
    cycle: ($) => parenthesised(optional(list($._expression))),

    // ---- domains ---------------------------------------------------------------------------------------

    _domain: ($) => choice(
      $.bool_domain, $.int_domain, $.named_domain, $.tuple_domain, $.record_domain, $.variant_domain, $.matrix_domain,
      $.collection_domain, $.function_domain, $.relation_domain, $.partition_domain,
    ),

    bool_domain: (_) => "bool",
    int_domain: ($) => seq("int", optional(seq(":", field("tag", $._name))), optional($.ranges)),
    named_domain: ($) => seq(field("name", $._name), optional($.ranges)),
    ranges: ($) => parenthesised(optional(list($._range))),
    _range: ($) => choice($._expression, $.range),
    range: ($) => choice(seq($._expression, "..", optional($._expression)), seq("..", optional($._expression))),
    tuple_domain: ($) => seq(optional("tuple"), parenthesised(optional(list($._domain)))),
    record_domain: ($) => seq("record", "{", optional(list($.field_domain)), "}"),
    variant_domain: ($) => seq("variant", "{", optional(list($.field_domain)), "}"),
    field_domain: ($) => seq(field("name", $._name), optional(seq(":", field("domain", $._domain)))),
    matrix_domain: ($) => seq(
      "matrix", optional(seq("indexed", "by")), "[", list(field("index", $._domain)), "]", "of", field("element", $._domain),
    ),
    collection_domain: ($) => seq(
      choice("set", "mset", "sequence", "permutation"), optional($.attributes), "of", field("element", $._domain),
    ),
    function_domain: ($) => seq("function", optional($.attributes), field("from", $._domain), "-->", field("to", $._domain)),
    relation_domain: ($) => seq(
      "relation", optional($.attributes), "of", parenthesised(optional(seq($._domain, repeat(seq("*", $._domain))))),
    ),
    partition_domain: ($) => seq("partition", optional($.attributes), "from", field("element", $._domain)),

    attributes: ($) => parenthesised(list($.attribute)),
    attribute: ($) => seq(alias(choice(...ATTRIBUTES), $.attribute_name), optional($._expression)),

    comment: (_) => token(choice(/\$[^\n]*/, /\/\*[^*]*\*+([^/*][^*]*\*+)*\//)),
  },
});
