"""Writes known_answers.csv: what scikit-learn's exact Gaussian process says, as a reference for the tests.

Run it from anywhere with Debian's interpreter: /usr/bin/python3 known_answers.py

Each line is a label and numbers with 17 significant digits:
  case,name | sizes,rows,dimensions,outputs,points | parameters,lengthscale,signal,noise
  inputs, outputs, points, mean        matrices, row after row
  latent                               latent variance at each point
  likelihood                           log marginal likelihood of each output
  gradient                             of their sum, in lengthscale, signal and noise
"""
from pathlib import Path

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

# name, rows, dimensions, outputs, lengthscale, signal, noise, offset of the inputs
CASES = [
    ("one row", 1, 1, 1, 0.7, 1.3, 0.2, 0.0),
    ("one row of many columns", 1, 10, 3, 2.0, 0.5, 0.05, 0.0),
    ("few rows", 5, 1, 1, 0.5, 1.0, 0.1, 0.0),
    ("two outputs", 5, 3, 2, 1.5, 2.0, 0.3, 0.0),
    ("twenty rows", 20, 3, 1, 1.0, 1.0, 0.1, 0.0),
    ("seven outputs", 20, 10, 7, 3.0, 1.7, 0.5, 0.0),
    ("forty rows", 40, 10, 2, 2.5, 1.0, 0.1, 0.0),
    ("small noise", 40, 3, 1, 1.0, 1.0, 1e-3, 0.0),
    ("short lengthscale", 20, 3, 1, 0.15, 1.0, 0.1, 0.0),
    ("large signal", 20, 1, 1, 2.0, 300.0, 10.0, 0.0),
    # On a grid of 2^-12 and with a lengthscale of 2^-2 the reference's own scaling of the inputs is exact.
    ("far from the origin", 40, 3, 1, 0.25, 1.0, 0.1, 1048576.0),
]
POINTS = 6


def line(label, values):
    return ",".join([label] + [f"{v:.17g}" for v in np.ravel(values)])


def answers(rng, name, rows, dimensions, outputs, lengthscale, signal, noise, offset):
    def draw(n):
        return np.round(rng.uniform(-1, 1, (n, dimensions)) * 4096) / 4096 + offset

    x, points = draw(rows), draw(POINTS)
    w = rng.normal(size=(dimensions, outputs))
    y = signal * np.sin((x - offset) @ w + np.arange(outputs)) + noise * rng.normal(size=(rows, outputs))

    smooth = ConstantKernel(signal**2) * RBF(lengthscale)
    model = GaussianProcessRegressor(smooth, alpha=noise**2, optimizer=None).fit(x, y)
    mean, deviation = model.predict(points, return_std=True)
    latent = deviation.reshape(POINTS, -1)[:, 0] ** 2

    # Derivatives in the logarithms of signal^2, lengthscale and noise^2, made natural by the chain rule.
    noisy = GaussianProcessRegressor(smooth + WhiteKernel(noise**2), alpha=0.0, optimizer=None)
    value, logs = noisy.fit(x, y).log_marginal_likelihood(noisy.kernel.theta, eval_gradient=True)
    gradient = [logs[1] / lengthscale, 2 * logs[0] / signal, 2 * logs[2] / noise]
    single = [
        GaussianProcessRegressor(smooth, alpha=noise**2, optimizer=None).fit(x, y[:, o]).log_marginal_likelihood()
        for o in range(outputs)
    ]
    assert np.isclose(sum(single), value, rtol=1e-10)
    return [
        f"case,{name}",
        f"sizes,{rows},{dimensions},{outputs},{POINTS}",
        line("parameters", [lengthscale, signal, noise]),
        line("inputs", x),
        line("outputs", y),
        line("points", points),
        line("mean", mean),
        line("latent", latent),
        line("likelihood", single),
        line("gradient", gradient),
    ]


def main():
    rng = np.random.default_rng(1)
    lines = [text for case in CASES for text in answers(rng, *case)]
    Path(__file__).with_name("known_answers.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
