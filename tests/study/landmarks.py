"""Reference predictions with landmarks for tests/simulate_test.cpp, computed with only NumPy.

    /usr/bin/python3 tests/study/landmarks.py > tests/study/landmarks.json

The code follows docs/models.md: features, blocks, the sums that agents round to a unit, the pooled part, the residual
experts, the robust committee.
"""
import json

import numpy as np

JITTER = 1e-10  # relative to the mean of k(z,z)


def se(a, b, length, signal):
    d = a[:, None, :] - b[None, :, :]
    return signal**2 * np.exp(-0.5 * (d**2).sum(2) / length**2)


def case(seed, agents, rows, m, inputs, length, signal, noise, points=5):
    unit = 2.0 ** np.floor(np.log2(0.01 / (4 * np.sqrt(agents / 12 * (1 + m)))))
    rng = np.random.default_rng(seed)
    x = [rng.uniform(-2, 2, (rows + i, inputs)) for i in range(agents)]
    y = [np.sin(a[:, 0]) + 0.5 * a[:, -1] + 0.1 * rng.standard_normal(len(a)) for a in x]
    z, at = rng.uniform(-2, 2, (m, inputs)), rng.uniform(-2, 2, (points, inputs))
    x, y, z, at = [np.round(v, 6) for v in x], [np.round(v, 6) for v in y], np.round(z, 6), np.round(at, 6)

    def k(a, b):
        return se(a, b, length, signal)

    kzz = k(z, z)
    low = np.linalg.cholesky(kzz + JITTER * np.trace(kzz) / m * np.eye(m))

    def phi(a):
        return np.linalg.solve(low, k(z, a))

    total_a, total_v = np.zeros((m, m)), np.zeros(m)
    blocks = []
    for a, t in zip(x, y):
        f = phi(a)
        lam = k(a, a) - f.T @ f + noise**2 * np.eye(len(a))
        blocks.append((a, t, f, lam))
        total_a += unit * np.round(f @ np.linalg.solve(lam, f.T) / unit)
        total_v += unit * np.round(f @ np.linalg.solve(lam, t) / unit)
    s = np.linalg.inv(np.eye(m) + total_a)
    mu = s @ total_v
    f_at = phi(at)
    left = signal**2 - (f_at**2).sum(0)
    pooled_mean, pooled_variance = f_at.T @ mu, np.einsum("ij,ik,kj->j", f_at, s, f_at)
    home, weight, precision = [], np.zeros(points), np.zeros(points)
    for a, t, f, lam in blocks:
        cross = k(a, at) - f.T @ f_at
        mean = cross.T @ np.linalg.solve(lam, t - f.T @ mu)
        variance = left - np.einsum("ij,ij->j", cross, np.linalg.solve(lam, cross))
        home.append({"mean": (pooled_mean + mean).tolist(), "variance": (pooled_variance + variance).tolist()})
        beta = 0.5 * np.log(left / variance)
        precision += beta * (1 / variance - 1 / left)
        weight += beta * mean / variance
    variance = 1 / (1 / left + precision)
    names = [f"x{d}" for d in range(inputs)]

    def csv(header, *columns):
        return "\n".join([",".join(header)] + [",".join(repr(float(v)) for v in row) for row in np.column_stack(columns)]) + "\n"

    return {"files": [csv(names + ["y"], a, t) for a, t in zip(x, y)], "landmarks": csv(names, z), "test": csv(names, at),
            "arguments": ["--lengthscale", repr(length), "--signal", repr(signal), "--noise", repr(noise)], "unit": unit,
            "home": home, "together": {"mean": (pooled_mean + variance * weight).tolist(),
                                       "variance": (pooled_variance + variance).tolist()}}


print(json.dumps([case(1, 4, 12, 6, 2, 1.5, 1.2, 0.3), case(2, 5, 20, 15, 1, 0.7, 2.0, 0.2),
                  case(3, 6, 25, 30, 3, 2.5, 1.0, 0.1)], indent=1))
