"""Which sauces for the chips please everybody (CPMpy: frietkot.py)?"""

import conjure_like as cl

m = cl.Builder("At the chip stand")
mayo, ketchup, curry, andalouse, samurai = (m.find(s, bool) for s in ("mayo", "ketchup", "curry", "andalouse", "samurai"))
m.require(mayo | ketchup, name="Nora")
m.require(~samurai | mayo, name="Leander")
m.require(~andalouse | ~curry | ~samurai, name="Benjamin")
m.require(ketchup | curry | andalouse, name="Behrouz")
m.require(~ketchup | curry | andalouse, name="Guy")
m.require(~ketchup | ~curry | andalouse, name="Daan")
m.require(~samurai, name="Celine")
m.require(mayo | ~curry | ~andalouse, name="Anton")
m.require(~mayo | ketchup | andalouse | samurai, name="Danny")
m.require(~mayo | samurai, name="Luc")

print(m.solve().solution)
