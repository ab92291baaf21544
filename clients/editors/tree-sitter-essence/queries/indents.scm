[
  (such_that) (where) (given) (find) (letting)
  (quantified) (comprehension) (matrix) (set) (auxiliary) (record) (parenthesis) (function) (relation) (partition)
] @indent.begin

[")" "]" "}"] @indent.branch
(comment) @indent.auto
