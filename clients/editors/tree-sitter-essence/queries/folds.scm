[
  (given) (find) (letting) (such_that) (where) (branching)
  (quantified) (comprehension) (matrix) (set) (auxiliary) (record) (function) (relation) (partition)
  (comment)
] @fold
