"""Two purses with the same amount and without a common coin, with as few coins as possible; each has 50 or more."""

import conjure_like as cl

m = cl.Builder("Two purses")
purse = cl.MSet(cl.Int(values=[3, 5, 7, 12, 20]), min_size=1, max_size=8)
ann, ben = m.find("ann", purse), m.find("ben", purse)
m.require(cl.sum(ann) == cl.sum(ben), cl.sum(ann) >= 50, cl.size(cl.to_set(ann) & cl.to_set(ben)) == 0)
m.minimise(cl.size(ann) + cl.size(ben))

print("answer", m.solve().objective)
