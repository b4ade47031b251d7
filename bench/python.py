#!/usr/bin/python3
"""Compares tacit.GaussianProcess with scikit-learn and GPyTorch: seconds to fit and predict, and likelihood.

    PYTHONPATH=build/python bench/python.py [--rows 200,1000,3000] [--most-seconds 600] [--json]

All libraries learn the same rows with the same kernel (squared exponential, a length-scale for each of 21 inputs,
noise). They start from the same point and run one search, without restarts and priors. The rows are torque 1 of SARCOS
(../shared/data/sarcos.csv), sampled with a fixed seed and standardised. If this file does not exist, the rows are
synthetic. If GPyTorch is not installed, a Gaussian process in plain PyTorch (Cholesky, autograd, L-BFGS) replaces it.
One function here recomputes all likelihoods.
"""
from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

import numpy as np
from scipy.linalg import cho_solve, cholesky
from scipy.optimize import minimize
from scipy.spatial.distance import cdist

import tacit

SARCOS = Path(__file__).resolve().parents[2] / "shared" / "data" / "sarcos.csv"
INPUTS = 21
POINTS = 5000
REACH = 1e3  # hyperparameters stay within this factor of their start, as in tacit
START = {"lengthscale": INPUTS**0.5, "signal": 1.0, "noise": 0.5}


class Ended(Exception):
    """The time limit of an optimisation is reached."""


@dataclass
class Task:
    """Rows to learn, and points to predict."""

    X: Any
    y: Any
    points: Any  # POINTS points; with fewer rows, some of them are repeated
    test: Any
    most_seconds: float

    def log_likelihood(self, numbers: tuple[Any, float, float]) -> float:
        """Return the log likelihood of the rows for length-scales, signal and noise (standard deviations)."""
        lengthscale, signal, noise = numbers
        K = signal**2 * np.exp(-0.5 * cdist(self.X / lengthscale, self.X / lengthscale, "sqeuclidean"))
        L = cholesky(K + noise**2 * np.eye(len(K)), lower=True)
        fit = self.y @ cho_solve((L, True), self.y)
        return float(-0.5 * fit - np.log(np.diag(L)).sum() - 0.5 * len(K) * np.log(2 * np.pi))


@dataclass
class Timed:
    """Likelihoods with their times, until the time limit."""

    most_seconds: float
    began: float = field(default_factory=time.perf_counter)
    trace: list[tuple[float, float]] = field(default_factory=list)
    best: tuple[float, Any] = (-np.inf, None)

    def note(self, likelihood: float, point: Any) -> None:
        now = time.perf_counter() - self.began
        self.trace.append((now, likelihood))
        if likelihood > self.best[0]:
            self.best = (likelihood, np.array(point, dtype=np.float64))
        if now > self.most_seconds:
            raise Ended


@dataclass
class Run:
    """Results of one library."""

    library: str
    fit_seconds: float
    predict_seconds: float
    trace: list[tuple[float, float]]
    numbers: tuple[Any, float, float]
    mean: Any
    deviation: Any
    ended: bool = False  # by the time limit, before convergence


def by_tacit(task: Task) -> Run:
    kernel = tacit.kernels.SE([START["lengthscale"]] * INPUTS, signal=START["signal"])
    model = tacit.GaussianProcess(kernel, noise=START["noise"], n_restarts_optimizer=0, prior_width=0, expert_rows=len(task.y),
                                  most_evaluations=15_000, centre=False, progress=False)  # fmt: skip
    began = time.perf_counter()
    model.fit(task.X, task.y)
    fitted = time.perf_counter()
    mean, deviation = model.predict(task.points, return_std=True, observed=True)
    done = time.perf_counter()
    path = model.report_["trace"]
    trace = [((place + 1) / len(path) * (fitted - began), likelihood) for place, likelihood in enumerate(path)]
    words = model.hyperparameters_
    scales = np.array([value for word, value in words.items() if word.startswith("lengthscale")])
    return Run("tacit", fitted - began, done - fitted, trace, (scales, words["signal"], words["noise"]), mean, deviation)


def by_scikit_learn(task: Task) -> Run:
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    timed = Timed(task.most_seconds)
    ended = []

    def optimise(negative: Callable[..., Any], start: Any, bounds: Any) -> tuple[Any, float]:
        def evaluate(theta: Any) -> tuple[float, Any]:
            value, slope = negative(theta)
            timed.note(-value, theta)
            return value, slope

        try:
            minimize(evaluate, start, method="L-BFGS-B", jac=True, bounds=bounds)  # like scikit-learn
        except Ended:
            ended.append(True)
        return timed.best[1], -timed.best[0]

    def near(start: float) -> tuple[float, float]:
        return start / REACH, start * REACH

    def near_squared(start: float) -> tuple[float, float]:
        return start**2 / REACH**2, start**2 * REACH**2

    signal, noise, scale = START["signal"], START["noise"], START["lengthscale"]
    kernel = ConstantKernel(signal**2, near_squared(signal)) * RBF([scale] * INPUTS, near(scale)) + WhiteKernel(
        noise**2, near_squared(noise)
    )
    model = GaussianProcessRegressor(kernel, alpha=0, optimizer=optimise, n_restarts_optimizer=0, normalize_y=True)
    timed.began = began = time.perf_counter()
    model.fit(task.X, task.y)
    fitted = time.perf_counter()
    mean, deviation = model.predict(task.points, return_std=True)
    done = time.perf_counter()
    found = model.kernel_
    numbers = (found.k1.k2.length_scale, found.k1.k1.constant_value**0.5, found.k2.noise_level**0.5)
    return Run("scikit-learn", fitted - began, done - fitted, timed.trace, numbers, mean, deviation, bool(ended))


def by_torch(task: Task) -> Run:
    import torch

    X, y, points = (torch.from_numpy(np.ascontiguousarray(one)) for one in (task.X, task.y, task.points))
    logs = torch.tensor(
        np.log([START["lengthscale"]] * INPUTS + [START["signal"], START["noise"]]), dtype=torch.float64, requires_grad=True
    )
    timed = Timed(task.most_seconds)

    def covariance(one: Any, other: Any, at: Any) -> Any:
        one, other = one / at[:INPUTS].exp(), other / at[:INPUTS].exp()
        apart = (one**2).sum(1)[:, None] + (other**2).sum(1)[None] - 2 * one @ other.T
        return (2 * at[INPUTS]).exp() * torch.exp(-0.5 * apart.clamp_min(0))

    def factor(at: Any) -> Any:
        K = covariance(X, X, at)
        return torch.linalg.cholesky(K + (2 * at[-1]).exp() * torch.eye(len(y), dtype=torch.float64))

    optimiser = torch.optim.LBFGS([logs], max_iter=15_000, max_eval=15_000, tolerance_grad=1e-7, tolerance_change=1e-9,
                                  history_size=10, line_search_fn="strong_wolfe")  # fmt: skip

    def evaluate() -> Any:
        optimiser.zero_grad()
        L = factor(logs)
        whitened = torch.linalg.solve_triangular(L, y[:, None], upper=False)
        likelihood = -0.5 * (whitened**2).sum() - L.diagonal().log().sum() - 0.5 * len(y) * np.log(2 * np.pi)
        loss = -likelihood / len(y)
        loss.backward()
        timed.note(float(likelihood), logs.detach().numpy())
        return loss

    ended = False
    timed.began = began = time.perf_counter()
    try:
        optimiser.step(evaluate)
    except Ended:
        ended = True
    with torch.no_grad():
        best = torch.from_numpy(timed.best[1])
        L = factor(best)
        weights = torch.cholesky_solve(y[:, None], L)
        fitted = time.perf_counter()
        between = covariance(X, points, best)
        mean = (between.T @ weights)[:, 0]
        explained = (torch.linalg.solve_triangular(L, between, upper=False) ** 2).sum(0)
        deviation = ((2 * best[INPUTS]).exp() - explained + (2 * best[-1]).exp()).clamp_min(0).sqrt()
    done = time.perf_counter()
    numbers = np.exp(timed.best[1])
    return Run("PyTorch, by hand", fitted - began, done - fitted, timed.trace, (numbers[:INPUTS], numbers[INPUTS], numbers[-1]),
               mean.numpy(), deviation.numpy(), ended)  # fmt: skip


def by_gpytorch(task: Task) -> Run:
    import gpytorch
    import torch

    X, y, points = (torch.from_numpy(np.ascontiguousarray(one)) for one in (task.X, task.y, task.points))

    class Exact(gpytorch.models.ExactGP):
        def __init__(self, likelihood: Any) -> None:
            super().__init__(X, y, likelihood)
            self.mean_module = gpytorch.means.ZeroMean()
            self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel(ard_num_dims=INPUTS))

        def forward(self, x: Any) -> Any:
            return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))

    likelihood = gpytorch.likelihoods.GaussianLikelihood().double()
    model = Exact(likelihood).double()
    model.covar_module.base_kernel.lengthscale = START["lengthscale"]
    model.covar_module.outputscale = START["signal"] ** 2
    likelihood.noise = START["noise"] ** 2
    objective = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)
    optimiser = torch.optim.LBFGS(model.parameters(), max_iter=15_000, max_eval=15_000, tolerance_grad=1e-7,
                                  tolerance_change=1e-9, history_size=10, line_search_fn="strong_wolfe")  # fmt: skip
    timed = Timed(task.most_seconds)

    def numbers() -> Any:
        scales = model.covar_module.base_kernel.lengthscale.detach().numpy()[0]
        return np.array([*scales, float(model.covar_module.outputscale) ** 0.5, float(likelihood.noise) ** 0.5])

    def evaluate() -> Any:
        optimiser.zero_grad()
        loss = -objective(model(X), y)  # for each row
        loss.backward()
        timed.note(-float(loss) * len(y), numbers())
        return loss

    ended = False
    with gpytorch.settings.fast_computations(False, False, False), gpytorch.settings.max_cholesky_size(10**6):
        model.train()
        likelihood.train()
        timed.began = began = time.perf_counter()
        try:
            optimiser.step(evaluate)
        except Ended:
            ended = True
        best = timed.best[1]
        model.covar_module.base_kernel.lengthscale = torch.from_numpy(best[:INPUTS])
        model.covar_module.outputscale, likelihood.noise = best[INPUTS] ** 2, best[-1] ** 2
        model.eval()
        likelihood.eval()
        fitted = time.perf_counter()
        with torch.no_grad():
            said = likelihood(model(points))
            mean, deviation = said.mean.numpy(), said.stddev.numpy()
    done = time.perf_counter()
    return Run("GPyTorch", fitted - began, done - fitted, timed.trace, (best[:INPUTS], best[INPUTS], best[-1]), mean,
               deviation, ended)  # fmt: skip


def libraries(say: Callable[[str], None]) -> list[Callable[[Task], Run]]:
    found: list[Callable[[Task], Run]] = [by_tacit]
    try:
        import sklearn  # noqa: F401

        found.append(by_scikit_learn)
    except ImportError:
        say("scikit-learn is not installed and is skipped.")
    try:
        import gpytorch  # noqa: F401

        return [*found, by_gpytorch]
    except ImportError:
        say("GPyTorch is not installed and is skipped.")
    try:
        import torch  # noqa: F401

        return [*found, by_torch]
    except ImportError:
        say("PyTorch is not installed and is skipped.")
    return found


def all_rows(say: Callable[[str], None]) -> tuple[Any, Any]:
    if SARCOS.exists():
        with SARCOS.open(newline="") as file:
            words = csv.reader(file)
            names = next(words)
            table = np.array([list(map(float, row)) for row in words])
        return table[:, :INPUTS], table[:, names.index("tau1")]
    say(f"{SARCOS} does not exist; the rows are synthetic.")
    random = np.random.default_rng(1)
    X = random.normal(size=(9000, INPUTS))
    return X, np.sin(X[:, 0]) + 0.5 * X[:, 1] * X[:, 2] + 0.3 * X[:, 3] + random.normal(0, 0.2, 9000)


def task_of(rows: int, X: Any, y: Any, most_seconds: float) -> Task:
    order = np.random.default_rng(20).permutation(len(y))
    train, test = order[:rows], order[rows:]
    if len(test) == 0:
        sys.exit(f"The data have {len(y)} rows; --rows {rows} leaves none to predict. Use a smaller number.")
    mean, scale = X[train].mean(axis=0), X[train].std(axis=0)
    X = (X - mean) / np.where(scale > 0, scale, 1)
    y = (y - y[train].mean()) / y[train].std()
    test = np.resize(test, POINTS)
    return Task(X[train], y[train], X[test], y[test], most_seconds)


def reached(trace: list[tuple[float, float]], likelihood: float) -> Optional[float]:
    return next((seconds for seconds, value in trace if value >= likelihood), None)


def compared(task: Task, runs: list[Run]) -> list[dict[str, Any]]:
    """Return the reported results of each library. Ratios are relative to the first library."""
    final = [task.log_likelihood(run.numbers) for run in runs]
    lines = []
    for run, likelihood in zip(runs, final):
        goal = min(final[0], likelihood) - 1
        own, first = reached(run.trace, goal), reached(runs[0].trace, goal)
        lines.append({
            "library": run.library,
            "rows": len(task.y),
            "fit_seconds": run.fit_seconds,
            "ended_early": run.ended,
            "evaluations": len(run.trace),
            "log_likelihood": likelihood,
            "goal": goal,
            "seconds_to_goal": own,
            "seconds_to_goal_of_tacit": first,
            "predict_seconds": run.predict_seconds,
            "rmse": float(np.sqrt(np.mean((run.mean - task.test) ** 2))),
            "mean_deviation": float(np.mean(run.deviation)),
            "fit_ratio": run.fit_seconds / runs[0].fit_seconds,
            "goal_ratio": own / first if own is not None and first else None,
            "predict_ratio": run.predict_seconds / runs[0].predict_seconds,
        })  # fmt: skip
    return lines


def cells(line: dict[str, Any]) -> list[str]:
    def times(ratio: Optional[float], at_least: bool = False) -> str:
        return "" if ratio is None else f" ({'at least ' if at_least else ''}{ratio:.3g}x)"

    early = line["ended_early"]
    to_goal = "not reached" if line["seconds_to_goal"] is None else f"{line['seconds_to_goal']:.3g} s"
    return [
        f"{line['rows']:,}",
        line["library"],
        f"{'more than ' if early else ''}{line['fit_seconds']:.3g} s{times(line['fit_ratio'], early)}",
        f"{line['evaluations']:,}",
        f"{line['log_likelihood']:.2f}",
        f"{to_goal}{times(line['goal_ratio'])}",
        f"{line['predict_seconds']:.3g} s{times(line['predict_ratio'])}",
        f"{line['rmse']:.4f}",
    ]


HEAD = ["rows", "library", "fit", "evaluations", "log likelihood", "to the same likelihood", f"predict {POINTS:,}", "RMSE"]
NOTE = """
Numbers in brackets are ratios to tacit's time. "To the same likelihood" is the time to reach the lower of the two final
likelihoods, less 1. It assumes that tacit's evaluations are evenly spaced over its fit. An optimisation that reached the
limit --most-seconds would have taken longer. RMSE is for the standardised target, on rows that were not learnt.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="200,1000,3000", help="numbers of rows, separated by commas")
    parser.add_argument("--most-seconds", type=float, default=np.inf, help="time limit for the optimisations of the other libraries")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    options = parser.parse_args()
    warnings.simplefilter("ignore")

    def say(words: str) -> None:
        print(words, file=sys.stderr, flush=True)

    X, y = all_rows(say)
    chosen = libraries(say)
    for library in chosen:  # warm-up: imports and thread pools
        library(task_of(30, X, y, 1.0))
    lines = []
    if not options.json:
        print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
    for rows in map(int, options.rows.split(",")):
        task = task_of(rows, X, y, options.most_seconds)
        found = compared(task, [library(task) for library in chosen])
        lines += found
        if not options.json:
            print("\n".join(f"| {' | '.join(cells(line))} |" for line in found), flush=True)
    if options.json:
        machine = {"processor": platform.machine(), "cores": os.cpu_count(), "data": "SARCOS" if SARCOS.exists() else "made up"}
        print(json.dumps({"machine": machine, "tacit": tacit.__version__, "runs": lines}, indent=1))
    else:
        print(NOTE)


if __name__ == "__main__":
    main()
