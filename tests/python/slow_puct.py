"""PUCT as its definition says, on boards of Python: slow, for comparing."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from damier import Board, BoardBatch

F = np.float32
Judge = Callable[[Any], tuple[Any, Any]]


@dataclass
class Node:
    """Numbers are for the side that moved here."""

    prior: Any = 0.0
    action: int = 0
    visits: int = 0
    total: float = 0.0
    proof: int | None = None
    children: dict[Any, Node] | None = None
    waiting: int = field(default=0)

    def mean(self) -> Any:
        return F(self.proof if self.proof is not None else self.total / self.visits)


class SlowPuct:
    """One tree; `wins_on_board` says whether a move can end the game by what stands on the board."""

    def __init__(self, board: Board, judge: Judge, *, wins_on_board: bool) -> None:
        self.board, self.judge, self.wins_on_board = board.copy(), judge, wins_on_board
        self.batch = BoardBatch(board.variant, 1)
        self.root = Node()
        self.evaluations = 0

    def run(self, simulations: int) -> None:
        while self.root.visits < simulations and self.root.proof is None:
            self.simulate(self.root, is_root=True)

    def simulate(self, node: Node, *, is_root: bool = False) -> float:
        """A value for the side that moved to the node."""
        value: float
        if node.proof is not None:
            value = node.proof
        elif node.children is None:
            value = self.arrive(node, is_root)
        else:
            move, child = self.promising(node)
            self.board.push(move)
            value = -self.simulate(child)
            self.board.pop()
            if child.proof is not None:
                self.prove(node)
            if node.proof is not None:
                value = node.proof
        node.visits += 1
        node.total += value
        return value

    def arrive(self, node: Node, is_root: bool) -> float:
        us = self.board.turn
        outcome = None if is_root else self.board.outcome(claim_draw=True)
        if outcome:
            node.proof = 0 if outcome.winner is None else -1 if outcome.winner == us else 1
            return node.proof
        self.batch.put(0, self.board)
        actions = {move: self.batch.action(0, move) for move in self.board.legal_moves}
        node.children = {move: Node(action=action, prior=F(1 / len(actions))) for move, action in actions.items()}
        for move, child in node.children.items():
            self.board.push(move)
            end = self.board.outcome() if self.wins_on_board else None
            self.board.pop()
            if end and end.winner == us:
                child.proof, node.proof = 1, -1
        if node.proof is not None:
            return node.proof
        logits, values = self.judge(self.batch.planes())
        self.evaluations += 1
        chosen = {move: F(logits[0][action]) for move, action in actions.items()}
        top = max(chosen.values())
        raised = {move: np.exp(logit - top) for move, logit in chosen.items()}
        for move, child in node.children.items():
            child.prior = raised[move] / sum(raised.values())
        return -float(values[0])

    def promising(self, node: Node) -> tuple[Any, Node]:
        eagerness = F(1.5) * F(math.sqrt(node.visits))
        untried = max(F(-1), -node.mean() - F(0.25))

        def promise(child: Node) -> Any:
            value = F(child.total) / F(child.visits) if child.visits else untried
            return value + eagerness * child.prior / F(1 + child.visits)

        assert node.children is not None
        open_ones = [(move, child) for move, child in node.children.items() if child.proof != -1]
        return max(open_ones, key=lambda pair: promise(pair[1]))

    def prove(self, node: Node) -> None:
        assert node.children is not None
        proofs = [child.proof for child in node.children.values()]
        known = [proof for proof in proofs if proof is not None]
        if 1 in known or len(known) == len(proofs):
            node.proof = -max(known)
