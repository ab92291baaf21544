; Names first: where several patterns match, the last one decides.
(identifier) @variable
(quoted_name) @variable

(declaration name: (_) @variable.parameter)
(enumeration_parameter name: (_) @type)
(definition name: (_) @constant)
(definition name: (_) @type domain: (_))
(definition name: (_) @type (new_type))
(new_type member: (_) @constant)
(named_domain name: (_) @type)
(field name: (_) @property)
(field_domain name: (_) @property)
(application function: (identifier) @function)

(header language: (identifier) @type)
(version) @number
(integer) @number
(boolean) @constant.builtin
(comment) @comment

["language" "given" "find" "letting" "such" "that" "where" "minimising" "maximising" "minimizing" "maximizing"
 "dominance" "dominance_relation" "incomparability_function" "ascending" "descending" "branching" "on" "heuristic" "be" "domain" "new" "type" "enum"] @keyword

(quantifier) @keyword

["int" "tuple" "record" "variant" "matrix" "indexed" "by" "set" "mset" "function" "sequence" "relation" "partition"
 "from" "permutation" "of"] @type.builtin
(bool_domain) @type.builtin

(attribute_name) @attribute
(new_type "size" @keyword)
(call function: _ @function.builtin)
(dominance "relation" @keyword)
(trade_offs "pareto" @function.builtin)

["in" "union" "intersect" "subset" "subsetEq" "supset" "supsetEq" "subsequence" "substring"] @keyword.operator

["+" "-" "*" "/" "%" "**" "!" "=" "!=" "<" "<=" ">" ">=" ".<" ".<=" ".>" ".>=" "~<" "~<=" "~>" "~>="
 "<lex" "<=lex" ">lex" ">=lex" "/\\" "\\/" "->" "<->" "<-" "-->" ".." "|" "@"] @operator

["," ";" ":" "."] @punctuation.delimiter
["(" ")" "[" "]" "{" "}" "`"] @punctuation.bracket
