"""Which pieces stand on a chess board that a neural network has looked at (CPMpy: chess-recognition.py)?"""

import numpy as np
from chess_data import OCCUPIED, SCORES

import conjure_like as cl

probabilities = np.exp(SCORES) / np.exp(SCORES).sum(axis=1, keepdims=True)
cost = (-np.log(probabilities) / 1e-4).astype(int)

m = cl.Builder("The pieces on a board")
piece = m.enum("piece", list("bknpqrBKNPQRE"), about="The pieces of Black, of White, and no piece.")
D = m.domain("line", cl.Int(0, 7))
board = m.find("board", cl.Matrix(D, D, of=piece), picture="grid")
number = {p: cl.freq(board, p) for p in piece.names}

for king, pawn, bishop, others, edge, home, empty in ("k", "p", "b", "brnq", 1, 0, "bknpqr"), ("K", "P", "B", "BRNQ", 6, 7, "BKNPQR"):
    foe = pawn.swapcase()
    rook, queen = ("r", "q") if pawn == "p" else ("R", "Q")
    m.require(number[king] == 1, number[pawn] <= 8)
    m.require(cl.sum(number[p] for p in empty) <= 16, name=f"At most 16 pieces: {empty}.")
    m.require((board[line, c] != pawn for c in D) for line in (0, 7))
    m.require(cl.sum(number[p] for p in others) <= 6 + 8 - number[pawn], name=f"Each promotion of {pawn} costs a pawn.")
    at_home = (number[pawn] == 8) & (number[bishop] == 2)
    stuck = (number[pawn] == 8) & (number[rook] == 2)
    for left, right, corner, side, beside in (1, 3, 2, 0, 1), (4, 6, 5, 7, 6):
        m.require(cl.implies((board[edge, left] == pawn) & (board[edge, right] == pawn) & at_home, board[home, corner] == bishop))
        wall = cl.all(board[edge, c] == pawn for c in (left if side == 0 else left, right if side == 7 else right, side))
        m.require(cl.implies(wall & (board[home, corner] == bishop) & stuck, (board[home, beside] == rook) ^ (board[home, side] == rook)))
        near = 1 if side == 0 else 6
        m.require(cl.implies(board[edge, near] == pawn, board[home, side] != bishop))
        m.require(cl.implies((board[edge, near] == pawn) & (board[home, side] == bishop), number[foe] <= 7))
    m.require(
        cl.implies(cl.all(board[edge, c] == pawn for c in range(1, 7)), (board[home, 3] == queen) & (board[home, 4] == king)),
        name=f"Without a move of the inner pawns, {king} and {queen} are at home.",
    )

squares = [(i, j) for i in range(8) for j in range(8)]
m.require(board[i, j] == "E" for i, j in squares if not OCCUPIED[i][j])
pieces = piece.between("b", "R")
occupied = [s for s in squares if OCCUPIED[s[0]][s[1]]]
m.minimise(cl.sum(cl.matrix(row, pieces)[board[s]] for row, s in zip(cost, occupied)))

result = m.solve()
for line in result.board:
    print(" ".join(line))
print("cost", result.objective)
