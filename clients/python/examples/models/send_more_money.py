import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "SEND + MORE = MONEY",
        about="Every letter stands for a digit, different letters for different digits, and no number begins with 0. What is the sum?",
    )
    letter = m.enum(
        "letter", ["S", "E", "N", "D", "M", "O", "R", "Y"], about="An enumerated type has just the members that are listed."
    )
    digit = m.find(
        "digit",
        cl.Function(letter, cl.Int(0, 9), total=True, injective=True),
        about="The digit of each letter. Different letters have different digits.",
    )
    send = m.letting("send", [letter.S, letter.E, letter.N, letter.D], about="The words, as matrices of letters.")
    more = m.letting("more", [letter.M, letter.O, letter.R, letter.E])
    money = m.letting("money", [letter.M, letter.O, letter.N, letter.E, letter.Y])
    m.require(digit(letter.S) != 0, name="No number begins with 0.")
    m.require(digit(letter.M) != 0, name="No number begins with 0.")
    m.require(
        cl.sum(digit(send[i]) * 10 ** (4 - i) for i in cl.Int(1, 4))
        + cl.sum(digit(more[i]) * 10 ** (4 - i) for i in cl.Int(1, 4))
        == cl.sum(digit(money[i]) * 10 ** (5 - i) for i in cl.Int(1, 5)),
        name="The first two words, read as numbers, add up to the third.",
    )
    return m
