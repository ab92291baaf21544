[(source_file) (quantified) (comprehension) (auxiliary)] @local.scope

(declaration name: (_) @local.definition)
(enumeration_parameter name: (_) @local.definition)
(definition name: (_) @local.definition)
(new_type member: (_) @local.definition)
(quantified [(identifier) (quoted_name)] @local.definition (over))
(generator [(identifier) (quoted_name)] @local.definition)
(local_letting . [(identifier) (quoted_name)] @local.definition)
(tuple_pattern [(identifier) (quoted_name)] @local.definition)
(matrix_pattern [(identifier) (quoted_name)] @local.definition)
(set_pattern [(identifier) (quoted_name)] @local.definition)

(identifier) @local.reference
(quoted_name) @local.reference
