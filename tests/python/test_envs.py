"""The environments of Gymnasium and PettingZoo, by their own checkers and by the boards behind them."""

from __future__ import annotations

import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from common import EVERY_GAME
from gymnasium.utils import env_checker
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from pettingzoo.test import api_test, seed_test

import damier
from damier.envs import GameAECEnv, GameVectorEnv, aec_env


@pytest.mark.parametrize("game", EVERY_GAME)
def test_pettingzoo_finds_no_fault(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")  # a dictionary with a mask
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")  # when the game is over
        api_test(aec_env(game), num_cycles=60)


def test_pettingzoo_finds_the_same_game_by_the_same_seed() -> None:
    seed_test(lambda: aec_env("loa5"), num_cycles=40)


def test_an_agent_that_plays_an_illegal_action_loses() -> None:
    env = aec_env("loa")
    env.reset()
    env.step(0)
    assert env.terminations == {"white_0": True, "black_0": True}
    assert env.rewards == {"white_0": 0, "black_0": -1}
    bare = GameAECEnv("loa")
    bare.reset()
    with pytest.raises(damier.MoveError, match="board 0: action 0 is illegal in "):
        bare.step(0)
    with pytest.raises(damier.DamierError, match="black_0 gave no action, expected a legal one"):
        bare.step(None)


@pytest.mark.parametrize("game", ["chess", "loa", "english"])
def test_agents_are_rewarded_as_the_board_says(game: str) -> None:
    env = GameAECEnv(game, render_mode="ansi")
    won = 0
    for seed in range(6):
        env.reset(seed=seed, options={"opening_plies": 3})
        assert env.batch.board(0).ply == 3
        for agent in env.agent_iter():
            observation, _, over, _, _ = env.last()
            assert observation in env.observation_space(agent)
            if over:
                break
            env.step(int(env.batch.random_actions()[0]))
        board = env.batch.board(0)
        outcome = board.outcome()
        assert outcome
        assert env.render() == str(board)
        expected = {"1-0": (1, -1), "0-1": (-1, 1), "1/2-1/2": (0, 0)}[outcome.result]
        assert (env.rewards["white_0"], env.rewards["black_0"]) == expected
        won += outcome.winner is not None
    assert won > 0 or game == "chess"


@pytest.mark.parametrize("game", EVERY_GAME)
def test_gymnasium_finds_no_fault(game: str) -> None:
    """Of its checker, what holds for any environment: it plays sampled actions, which are illegal in most games."""
    env = GameVectorEnv(game, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env_checker.check_reset_seed_determinism(env)
        env_checker.check_reset_options(env)
        env_checker.check_reset_return_type(env)
        env_checker.check_reset_return_info_deprecation(env)
        env_checker.check_seed_deprecation(env)
        env_checker.check_space_limit(env.single_observation_space, "observation")
    observations, infos = env.reset(seed=1)
    for _ in range(60):
        assert observations in env.observation_space
        actions = np.array([env.single_action_space.sample(mask.astype(np.int8)) for mask in infos["action_mask"]])
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert rewards.shape == terminations.shape == truncations.shape == (3,)
        assert not truncations.any()


@pytest.mark.parametrize("game", ["loa5", "rennes"])
def test_the_side_that_moved_is_rewarded_and_games_begin_anew(game: str) -> None:
    env = RecordEpisodeStatistics(GameVectorEnv(game, 4))
    _, infos = env.reset(seed=2)
    batch = env.unwrapped.batch
    finished = 0
    over = np.zeros(4, dtype=bool)
    for _ in range(300):
        movers = infos["turns"]
        before = over
        _, rewards, over, _, infos = env.step(batch.random_actions())
        assert not (before & over).any()
        assert (batch.plies()[before] == 0).all()
        for i in range(4):
            outcome = batch.outcome(i)
            won = outcome is not None and outcome.winner is not None
            assert rewards[i] == ((1 if outcome.winner.value == movers[i] else -1) if won else 0)  # type: ignore[union-attr]
            finished += outcome is not None
    assert finished > 4
    assert env.episode_count == finished


def test_games_are_registered_with_gymnasium() -> None:
    env = gymnasium.make_vec("damier/loa6-v0", num_envs=5, render_mode="ansi")
    observations, _ = env.reset(seed=0)
    assert observations.shape == (5, 5, 6, 6)
    shown = env.render()
    assert shown
    assert shown[0] == str(damier.board("loa6"))


def test_arrays_are_copied_unless_asked_otherwise() -> None:
    kept = GameVectorEnv("loa", 2)
    first, _ = kept.reset(seed=1)
    before = first.copy()
    kept.step(kept.batch.random_actions())
    assert (first == before).all()
    shared = GameVectorEnv("loa", 2, copy=False)
    first, _ = shared.reset(seed=1)
    second, *_ = shared.step(shared.batch.random_actions())
    assert np.shares_memory(first, second)


def test_bad_arguments_are_refused() -> None:
    for make in (GameVectorEnv, GameAECEnv):
        with pytest.raises(damier.DamierError, match="render_mode is 'human', expected ansi or None"):
            make("loa", render_mode="human")


@pytest.mark.parametrize(
    ("missing", "name", "message"),
    [
        ("gymnasium", "GameVectorEnv", "a vector environment needs Gymnasium: pip install 'damier[gym]'"),
        ("pettingzoo", "GameAECEnv", "an AEC environment needs PettingZoo: pip install 'damier[gym]'"),
    ],
)
def test_without_the_extra_one_line_says_what_to_install(missing: str, name: str, message: str) -> None:
    program = f"""
import sys
sys.modules[{missing!r}] = None
import damier.envs
try:
    damier.envs.{name}
except damier.DamierError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == message
