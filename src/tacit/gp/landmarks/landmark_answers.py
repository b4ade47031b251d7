"""Writes landmark_answers.csv: models with landmarks by dense formulas, as a reference for the tests.

Run it with Debian's interpreter, from any folder: /usr/bin/python3 landmark_answers.py

The code avoids features where possible. With Q = K_.Z (K_ZZ + jitter)^-1 K_Z. all rows have the covariance
C = Q + blockdiag(K_bb - Q_bb) + noise^2 I. The pooled part follows from C.

Each line is a label and numbers with 17 significant digits:
  case,name | sizes,rows,dimensions,outputs,points,landmarks | kernel,text,noise
  blocks                               rows of each block
  inputs, outputs, landmarks, points   matrices, row after row
  precision, weighted                  A and a
  likelihood                           of all rows, by output
  home_mean, home_latent               the pooled part and the residual expert of the first block
  together_mean, together_latent       the pooled part and all residual experts, fused by rbcm
  gradient                             of the summed likelihood in the logarithms, by differences: about 8 digits
"""
from pathlib import Path

import numpy as np

JITTER = 1e-10
POINTS, LANDMARKS, BLOCKS, OUTPUTS, NOISE = 4, 6, (9, 12, 5), 2, 0.3


def squares(a, b, scale):
    difference = (a[:, None, :] - b[None, :, :]) / scale
    return (difference**2).sum(-1)


def se_ard(p):
    return lambda a, b: p[2] ** 2 * np.exp(-squares(a, b, p[:2]) / 2)


def matern_and_linear(p):
    def kernel(a, b):
        r = np.sqrt(5 * squares(a, b, p[0]))
        return p[1] ** 2 * (1 + r + r**2 / 3) * np.exp(-r) + p[2] ** 2 * a @ b.T

    return kernel


def se_times_periodic(p):
    def kernel(a, b):
        sines = np.sin(np.pi * (a[:, None, :] - b[None, :, :]) / p[3]) / p[2]
        return p[1] ** 2 * np.exp(-squares(a, b, p[0]) / 2 - 2 * (sines**2).sum(-1))

    return kernel


# name, kernel as text of this project, its hyperparameters in this project's order, the same kernel here
CASES = [
    ("se ard", "se-ard(lengthscale=[{}, {}], signal={})", [0.7, 1.6, 1.2], se_ard),
    ("matern 5/2 + linear", "matern52(lengthscale={}, signal={}) + linear(signal={})", [0.9, 1.1, 0.4], matern_and_linear),
    ("se * periodic", "se(lengthscale={}, signal={}) * periodic(lengthscale={}, period={})", [1.5, 0.8, 0.9, 2.5], se_times_periodic),
]


class Model:
    def __init__(self, kernel, noise, z, x, y):
        self.kernel, self.z = kernel, z
        kzz = kernel(z, z)
        self.kzz = kzz + JITTER * np.mean(np.diag(kzz)) * np.eye(len(z))
        ends = np.cumsum(BLOCKS)
        self.blocks = [slice(end - size, end) for end, size in zip(ends, BLOCKS)]
        self.x, self.y = x, y
        self.residual = [self.left(x[b], x[b]) + noise**2 * np.eye(b.stop - b.start) for b in self.blocks]
        self.c = self.q(x, x)
        for b, r in zip(self.blocks, self.residual):
            self.c[b, b] += r

    def q(self, a, b):
        return self.kernel(a, self.z) @ np.linalg.solve(self.kzz, self.kernel(self.z, b))

    def left(self, a, b):
        return self.kernel(a, b) - self.q(a, b)

    def likelihood(self):
        sign, log = np.linalg.slogdet(self.c)
        fit = np.sum(self.y * np.linalg.solve(self.c, self.y), axis=0)
        return -(fit + log + len(self.x) * np.log(2 * np.pi)) / 2

    def pooled(self, at):
        """Mean and variance of the pooled part."""
        cross = self.q(at, self.x)
        return cross @ np.linalg.solve(self.c, self.y), np.diag(self.q(at, at) - cross @ np.linalg.solve(self.c, cross.T))

    def expert(self, block, at):
        """Mean and variance of the residual expert of a block."""
        b = self.blocks[block]
        rest = self.y[b] - self.pooled(self.x[b])[0]
        cross = self.left(at, self.x[b])
        mean = cross @ np.linalg.solve(self.residual[block], rest)
        return mean, np.diag(self.left(at, at) - cross @ np.linalg.solve(self.residual[block], cross.T))

    def together(self, at):
        prior = np.diag(self.left(at, at))
        precision, weighted = 1 / prior, 0
        for block in range(len(self.blocks)):
            mean, variance = self.expert(block, at)
            weight = np.log(prior / variance) / 2
            precision = precision + weight * (1 / variance - 1 / prior)
            weighted = weighted + (weight / variance)[:, None] * mean
        return weighted / precision[:, None], 1 / precision

    def sums(self):
        root = np.linalg.cholesky(self.kzz)
        features = np.linalg.solve(root, self.kernel(self.z, self.x))
        precision = sum(features[:, b] @ np.linalg.solve(r, features[:, b].T) for b, r in zip(self.blocks, self.residual))
        weighted = sum(features[:, b] @ np.linalg.solve(r, self.y[b]) for b, r in zip(self.blocks, self.residual))
        return precision, weighted


def gradient(make, numbers, z, x, y):
    """Gradient in the logarithms by differences of fourth order. The noise is last."""
    logs, step, slopes = np.log(np.append(numbers, NOISE)), 1e-3, []
    for k in range(len(logs)):
        values = {}
        for times in (-2, -1, 1, 2):
            moved = logs.copy()
            moved[k] += times * step
            p = np.exp(moved)
            values[times] = Model(make(p[:-1]), p[-1], z, x, y).likelihood().sum()
        slopes.append((8 * (values[1] - values[-1]) - (values[2] - values[-2])) / (12 * step))
    return slopes


def line(label, values):
    return ",".join([label] + [f"{v:.17g}" for v in np.ravel(values)])


def answers(rng, name, text, numbers, make):
    dimensions, rows = 2, sum(BLOCKS)
    x, at, z = (rng.uniform(-2, 2, (n, dimensions)) for n in (rows, POINTS, LANDMARKS))
    y = np.sin(2 * x @ rng.normal(size=(dimensions, OUTPUTS))) + NOISE * rng.normal(size=(rows, OUTPUTS))
    model = Model(make(np.array(numbers)), NOISE, z, x, y)
    pooled_mean, pooled_latent = model.pooled(at)
    home_mean, home_latent = model.expert(0, at)
    fused_mean, fused_latent = model.together(at)
    precision, weighted = model.sums()
    return [
        f"case,{name}",
        f"sizes,{rows},{dimensions},{OUTPUTS},{POINTS},{LANDMARKS}",
        f"kernel,{text.format(*numbers)},{NOISE!r}",
        line("blocks", BLOCKS),
        line("inputs", x),
        line("outputs", y),
        line("landmarks", z),
        line("points", at),
        line("precision", precision),
        line("weighted", weighted),
        line("likelihood", model.likelihood()),
        line("home_mean", pooled_mean + home_mean),
        line("home_latent", pooled_latent + home_latent),
        line("together_mean", pooled_mean + fused_mean),
        line("together_latent", pooled_latent + fused_latent),
        line("gradient", gradient(make, numbers, z, x, y)),
    ]


def main():
    rng = np.random.default_rng(2)
    lines = [text for case in CASES for text in answers(rng, *case)]
    Path(__file__).with_name("landmark_answers.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
