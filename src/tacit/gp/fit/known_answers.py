"""Writes known_answers.csv: results of scikit-learn's exact Gaussian process, as a reference for the tests.

Run it with Debian's interpreter, from any folder: /usr/bin/python3 known_answers.py

Each line is a label and numbers with 17 significant digits:
  case,name | sizes,rows,dimensions,outputs,points | parameters,lengthscale,signal,noise
  inputs, outputs, points, mean        matrices, row after row
  latent                               latent variance at each point
  likelihood                           log marginal likelihood of each output
  gradient                             of their sum, in lengthscale, signal and noise
Cases of other kernels have, instead of parameters,
  kernel,text,noise                    the kernel as text of this project
Their gradient is in the logarithms, in the order of Prior::logarithms().
"""
from pathlib import Path

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import (
    RBF,
    ConstantKernel,
    DotProduct,
    ExpSineSquared,
    Matern,
    RationalQuadratic,
    WhiteKernel,
)

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
    # On a grid of 2^-12 with a lengthscale of 2^-2, the reference's scaling of the inputs is exact.
    ("far from the origin", 40, 3, 1, 0.25, 1.0, 0.1, 1048576.0),
]
POINTS = 6


class Known:
    """A kernel of this project and the same kernel of scikit-learn. For each hyperparameter in this project's order,
    `order` has its place in scikit-learn's theta and its factor: 2 for a signal, which is the root of a constant."""

    def __init__(self, text, kernel, order):
        self.text, self.kernel, self.order = text, kernel, order

    def __add__(self, other):
        shift = len(self.kernel.theta)
        order = self.order + [(i + shift, w) for i, w in other.order]
        return Known(f"{self.text} + {other.text}", self.kernel + other.kernel, order)

    def times(self, bare):
        """Return the product with a kernel without signal."""
        shift = len(self.kernel.theta)
        order = self.order + [(i + shift, w) for i, w in bare.order]
        return Known(f"{self.text} * {bare.text}", self.kernel * bare.kernel, order)


def leaf(name, kernel, numbers, order, signal=None):
    """Return a kernel. `order` has the places in the theta of the kernel without signal."""
    written = ", ".join(f"{k}={v}" for k, v in numbers)
    if signal is None:
        return Known(f"{name}({written})" if written else name, kernel, [(i, 1) for i in order])
    written += f"{', ' if written else ''}signal={signal!r}"
    places = [(i + 1, 1) for i in order] + [(0, 2)]
    return Known(f"{name}({written})", ConstantKernel(signal**2) * kernel if kernel else ConstantKernel(signal**2), places)


def scales(l):
    return ("-ard", "[" + ", ".join(map(repr, l)) + "]") if isinstance(l, list) else ("", repr(l))


def se(l, signal=None):
    ard, text = scales(l)
    return leaf(f"se{ard}", RBF(l), [("lengthscale", text)], range(np.size(l)), signal)


def matern(nu, l, signal=None):
    ard, text = scales(l)
    return leaf(f"matern{round(2 * nu)}2{ard}", Matern(l, nu=nu), [("lengthscale", text)], range(np.size(l)), signal)


def rq(l, alpha, signal=None):  # the order of theta is alpha, length-scale
    return leaf("rq", RationalQuadratic(l, alpha), [("lengthscale", repr(l)), ("alpha", repr(alpha))], [1, 0], signal)


def periodic(period, l, signal=None):
    return leaf("periodic", ExpSineSquared(l, period), [("lengthscale", repr(l)), ("period", repr(period))], [0, 1], signal)


def linear(signal):
    return leaf("linear", DotProduct(0, sigma_0_bounds="fixed"), [], [], signal)


def constant(signal):
    return leaf("constant", None, [], [], signal)


# name, kernel, dimensions: each leaf, with one length-scale and with several, then compositions. scikit-learn's
# rational quadratic kernel has no ARD, and its periodic kernel is a valid kernel only in one dimension.
KERNELS = [
    ("se ard", se([0.4, 1.5, 7.0], 1.2), 3),
    ("matern 1/2", matern(0.5, 0.8, 1.1), 2),
    ("matern 3/2", matern(1.5, 0.8, 1.1), 2),
    ("matern 5/2", matern(2.5, 0.8, 1.1), 2),
    ("matern 1/2 ard", matern(0.5, [0.3, 2.0], 0.7), 2),
    ("matern 3/2 ard", matern(1.5, [0.3, 2.0], 0.7), 2),
    ("matern 5/2 ard", matern(2.5, [0.3, 2.0], 0.7), 2),
    ("rational quadratic", rq(0.6, 0.4, 1.3), 3),
    ("rational quadratic, nearly se", rq(0.6, 300.0, 1.3), 3),
    ("periodic", periodic(0.7, 0.9, 1.4), 1),
    ("linear", linear(0.8), 3),
    ("constant", constant(1.7), 2),
    ("se ard + linear", se([0.5, 2.0, 1.0], 1.1) + linear(0.6), 3),
    ("se ard + linear + constant", se([0.5, 2.0], 1.1) + linear(0.6) + constant(2.0), 2),
    ("se * periodic", se(1.5, 1.2).times(periodic(0.6, 1.1)), 1),
    ("matern * rq + linear", matern(1.5, 1.3, 0.9).times(rq(0.8, 1.5)) + linear(0.4), 2),
    ("matern ard * se + periodic", matern(2.5, [0.9], 0.9).times(se(2.0)) + periodic(0.5, 0.7, 0.8), 1),
    ("long length-scale", se(1000.0, 2.0) + linear(1.0), 2),
    ("short length-scale", matern(1.5, 0.001, 2.0), 2),
]


def kernel_answers(rng, name, known, dimensions, rows=18, outputs=2, noise=0.2):
    x, points = rng.uniform(-1, 1, (rows, dimensions)), rng.uniform(-1, 1, (POINTS, dimensions))
    y = np.sin(3 * x @ rng.normal(size=(dimensions, outputs))) + noise * rng.normal(size=(rows, outputs))
    model = GaussianProcessRegressor(known.kernel, alpha=noise**2, optimizer=None).fit(x, y)
    mean, deviation = model.predict(points, return_std=True)
    noisy = GaussianProcessRegressor(known.kernel + WhiteKernel(noise**2), alpha=0.0, optimizer=None).fit(x, y)
    value, logs = noisy.log_marginal_likelihood(noisy.kernel.theta, eval_gradient=True)
    single = [
        GaussianProcessRegressor(known.kernel, alpha=noise**2, optimizer=None).fit(x, y[:, o]).log_marginal_likelihood()
        for o in range(outputs)
    ]
    return [
        f"case,{name}",
        f"sizes,{rows},{dimensions},{outputs},{POINTS}",
        f"kernel,{known.text},{noise!r}",
        line("inputs", x),
        line("outputs", y),
        line("points", points),
        line("mean", mean),
        line("latent", deviation.reshape(POINTS, -1)[:, 0] ** 2),
        line("likelihood", single),
        line("gradient", [w * logs[i] for i, w in known.order] + [2 * logs[-1]]),
    ]


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

    # The chain rule converts derivatives in the logarithms of signal^2, lengthscale and noise^2.
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
    lines += [text for case in KERNELS for text in kernel_answers(rng, *case)]
    Path(__file__).with_name("known_answers.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
