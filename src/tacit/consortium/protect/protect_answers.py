"""Writes protect_answers.csv: parts of the protected fit by dense formulas, as a reference for the tests.

Run it with Debian's interpreter, from any folder: /usr/bin/python3 protect_answers.py

Each line is a label and numbers with 17 significant digits. Cases:
  marginal      noisy counts of a histogram; centre, spread, shares below the edges
  correlations  noisy products of scores; the factor of the correlations
  regression    rounds, weights, eigenvalues; prediction, variance, weights of rounds, likely mismatch
  evidence      rows, a known matrix, parameters; value, slopes (by differences), leave-one-out residuals
"""
from pathlib import Path

import numpy as np

MISMATCHES = (0.003, 0.01, 0.02, 0.04, 0.08, 0.16, 0.3)


def line(label, values):
    return ",".join([label] + [f"{v:.17g}" for v in np.ravel(values)])


def marginal(rng):
    low, high, noise = -2.0, 3.0, 4.0
    noisy = rng.normal([3, 30, 80, 60, 10, 2, 0, 1], noise)
    counts = np.where(noisy < noise, 0, noisy)
    edges = np.linspace(low, high, len(counts) + 1)
    middle = (edges[1:] + edges[:-1]) / 2
    share = counts / counts.sum()
    centre = share @ middle
    below = np.concatenate([[0], np.cumsum(counts) / counts.sum()])
    points = rng.uniform(low, high, 5)
    return [
        "case,marginal",
        line("range", [low, high, noise]),
        line("noisy", noisy),
        line("centre", centre),
        line("spread", np.sqrt(share @ (middle - centre) ** 2)),
        line("below", below),
        line("points", points),
        line("shares", np.interp(points, edges, below)),
    ]


def correlations(rng):
    d, noise = 3, 0.05
    c = np.array([[1.1, 0.5, -0.2], [0.5, 0.9, 0.3], [-0.2, 0.3, 0.2]])
    given = [c[i, j] * (1 if i == j else np.sqrt(2)) for j in range(d) for i in range(j, d)]
    q = np.sqrt(np.maximum(np.diag(c), 0.3))
    c = c / np.outer(q, q)
    np.fill_diagonal(c, 1)
    by_noise = noise**2 / 2 * d * (d - 1)
    shrink = 1 / (1 + by_noise / max(((c - np.eye(d)) ** 2).sum() - by_noise, 1e-3))
    c = np.eye(d) + shrink * (c - np.eye(d))
    values, vectors = np.linalg.eigh(c)
    values = np.maximum(values, max(0.3 * noise * np.sqrt(2 * d) * shrink, 0.003))
    c = (vectors * values) @ vectors.T
    q = np.sqrt(np.diag(c))
    root = np.linalg.cholesky(c / np.outer(q, q) + 1e-6 * np.eye(d))
    return ["case,correlations", line("products", given), line("noise", noise), line("root", root)]


def regression(rng, old, offset):
    rounds, all_directions, k = 6, 5, 4
    eigenvalues = np.array([40.0, 12.0, 5.0, 2.0, 0.4])
    lam = eigenvalues[:k]
    weights = np.array([1.0, 0.7, 0.3, 0.1])
    noise = rng.uniform(0.5, 2, rounds) * 4
    w = rng.normal(size=(rounds, all_directions)) * 0.5
    y = rng.normal(size=(rounds, k)) * 3 + lam
    at = rng.normal(size=all_directions) * 0.5
    scale = np.sqrt(1 + eigenvalues)
    x, xw = w * scale, at * scale

    def covariance(j, e):
        r = (1 + lam[j]) * e**2 * x @ x.T + np.diag(noise / weights[j])
        r[:old, :old] += offset * lam[j]
        return r

    best = (-np.inf, None)
    for e in MISMATCHES:
        value = -0.5 * np.log(e / 0.05) ** 2
        for j in range(k):
            inverse = np.linalg.inv(covariance(j, e))
            ones = inverse.sum()
            u = inverse.sum(0) @ y[:, j]
            value -= 0.5 * (np.linalg.slogdet(covariance(j, e))[1] + np.log(ones) + y[:, j] @ inverse @ y[:, j] - u * u / ones)
        best = max(best, (value, e))
    e, means, variances, shares = 0.05, [], [], []
    for j in range(k):
        inverse = np.linalg.inv(covariance(j, e))
        c = (1 + lam[j]) * e**2 * (x @ xw)
        q = inverse @ c
        u = inverse.sum(0)
        weight = q + u * (1 - q.sum()) / u.sum()
        shares.append(weight)
        means.append(weight @ y[:, j])
        variances.append((1 + lam[j]) * e**2 * xw @ xw - c @ q + (1 - q.sum()) ** 2 / u.sum())
    return [
        f"case,regression {old}",
        line("sizes", [rounds, all_directions, k, old, offset]),
        line("observed", y),
        line("iterates", w),
        line("noise", noise),
        line("weights", weights),
        line("eigenvalues", eigenvalues),
        line("at", at),
        line("mean", means),
        line("variance", variances),
        line("shares", np.array(shares).T),
        line("mismatch", best[1]),
    ]


def evidence(rng):
    n, d = 7, 2
    x, y = rng.uniform(-1, 1, (n, d)), rng.normal(size=n)
    root = rng.normal(size=(n, 3))
    part = root @ root.T
    p = np.log([0.8, 1.5, 1.2, 0.7, 0.3])

    def matrix(p):
        difference = (x[:, None] - x[None]) / np.exp(p[:2])
        k = np.exp(2 * p[2]) * np.exp(-0.5 * (difference**2).sum(-1))
        return k + np.exp(2 * p[3]) * part + (np.exp(2 * p[4]) + 1e-8) * np.eye(n)

    def value(p):
        c = matrix(p)
        return -0.5 * (y @ np.linalg.solve(c, y) + np.linalg.slogdet(c)[1])

    slopes = []
    for k in range(len(p)):
        at = lambda times: value(p + times * 1e-3 * np.eye(len(p))[k])
        slopes.append((8 * (at(1) - at(-1)) - (at(2) - at(-2))) / 12e-3)
    left_out = []
    c = matrix(p)
    for i in range(n):
        others = np.arange(n) != i
        left_out.append(y[i] - c[i, others] @ np.linalg.solve(c[np.ix_(others, others)], y[others]))
    return [
        "case,evidence",
        line("inputs", x),
        line("targets", y),
        line("part", part),
        line("at", p),
        line("value", value(p)),
        line("slopes", slopes),
        line("left_out", left_out),
    ]


def main():
    rng = np.random.default_rng(5)
    lines = marginal(rng) + correlations(rng) + regression(rng, 0, 0.0) + regression(rng, 3, 0.4) + evidence(rng)
    Path(__file__).with_name("protect_answers.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
