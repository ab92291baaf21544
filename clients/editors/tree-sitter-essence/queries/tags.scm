(given (declaration name: (_) @name) @definition.constant)
(given (enumeration_parameter name: (_) @name) @definition.type)
(find (declaration name: (_) @name) @definition.variable)
(definition name: (_) @name domain: (_)) @definition.type
(definition name: (_) @name (new_type)) @definition.type
(definition name: (_) @name value: (_)) @definition.constant
