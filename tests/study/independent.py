#!/usr/bin/python3
"""Writes independent.json: complete runs of Protocol 2, computed with only NumPy from the paper's equations.

    /usr/bin/python3 tests/study/independent.py > tests/study/independent.json      (needs Debian's python3-numpy)
"""
import json

import numpy as np


def kernel(a, b, length, signal):
    d = ((a[:, None, :] - b[None, :, :]) ** 2).sum(-1)
    return signal**2 * np.exp(-0.5 * d / length**2)


def posterior(x, y, points, h):
    k = kernel(x, x, h["lengthscale"], h["signal"]) + h["noise"] ** 2 * np.eye(len(x))
    ks = kernel(points, x, h["lengthscale"], h["signal"])
    solved = np.linalg.solve(k, np.hstack([y, ks.T]))
    mean = ks @ solved[:, : y.shape[1]]
    variance = h["signal"] ** 2 - np.einsum("ij,ji->i", ks, solved[:, y.shape[1] :])
    return mean, np.repeat(variance[:, None], y.shape[1], axis=1)


def entries(mean, variance):
    return [{"mean": m.tolist(), "variance": v.tolist()} for m, v in zip(mean, variance)]


def csv(names, table):
    return "\n".join([",".join(names)] + [",".join(repr(float(v)) for v in row) for row in table]) + "\n"


def case(seed, agents, edges, rows, inputs, outputs, iterations, lz, h):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, inputs))
    truth = lambda p: np.stack([np.sin((k + 1) * p[:, 0]) + 0.5 * p.sum(1) for k in range(outputs)], 1)
    y = truth(x) + 0.1 * rng.normal(size=(rows, outputs))
    points = rng.normal(size=(6, inputs))
    yp = truth(points)

    near = [sorted({b for a, b in edges if a == i} | {a for a, b in edges if b == i}) for i in range(agents)]
    w = np.zeros((agents, agents))
    denominators = []
    for i in range(agents):
        for j in near[i]:
            d = 2 * (1 + max(len(near[i]), len(near[j])))
            denominators.append(d)
            w[i, j] = 1 / d
    np.fill_diagonal(w, 1 - w.sum(1))
    eigenvalues = np.linalg.eigvalsh(w - np.ones((agents, agents)) / agents)

    blocks = np.array_split(np.arange(rows), agents)
    local = [posterior(x[b], y[b], points, h) for b in blocks]
    precision = sum(1 / v for _, v in local)
    reference = sum(m / v for m, v in local) / precision, 1 / precision

    # (metroQuant) for all agents at once. The state is real, as in the paper.
    z = agents * np.stack([np.concatenate([(m / v).ravel(), (1 / v).ravel()]) for m, v in local])
    off = w - np.diag(np.diag(w))
    for _ in range(iterations):
        q = np.floor(z / lz + 0.5)
        z = z + lz * (off @ q - off.sum(1)[:, None] * q)
    half = z.shape[1] // 2
    final = [((zi[:half] / zi[half:]).reshape(reference[0].shape), (1 / zi[half:]).reshape(reference[0].shape)) for zi in z]

    closed = [set(n) | {i} for i, n in enumerate(near)]
    ordered = [(i, j) for i in range(agents) for j in near[i]]
    pooled = posterior(x, y, points, h)[0]
    rms = lambda d: float(np.sqrt((d**2).mean()))
    names = [f"x{k}" for k in range(inputs)]
    targets = [f"y{k}" for k in range(outputs)]
    return {
        "train": csv(names + targets, np.hstack([x, y])),
        "test": csv(names + targets, np.hstack([points, yp])),
        "edges": "".join(f"{a} {b}\n" for a, b in edges),
        "arguments": ["--target", ",".join(targets), "--agents", str(agents), "--iterations", str(iterations), "--lz", repr(lz)]
        + [f"--{k}={v}" for k, v in h.items()],
        "lz": lz,
        "lw": 1 / float(np.lcm.reduce(denominators)),
        "lambda": float(np.abs(eigenvalues).max()),
        "collusion_paper": min(len(closed[i] & closed[j]) for i, j in ordered) - 2,
        "messages": iterations * (2 * len(ordered) + sum(len(closed[i] & set(near[j])) for i, j in ordered)),
        "reference": entries(*reference),
        "agents": [entries(m, v) for m, v in final],
        "rmse": {"mean": float(np.mean([np.sqrt(((m - reference[0]) ** 2).sum(1).mean()) for m, _ in final]))},
        "accuracy": {"local": float(np.mean([rms(m - yp) for m, _ in local])), "pooled": rms(pooled - yp)},
    }


def ring(agents, reach):
    return sorted({tuple(sorted((i, (i + d) % agents))) for i in range(agents) for d in range(1, reach + 1)})


strip = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4)]
bow_tie = [(0, 1), (0, 2), (1, 2), (0, 3), (0, 4), (3, 4)]
print(
    json.dumps(
        [
            case(1, 6, ring(6, 2), 40, 2, 1, 3, 1e-3, {"lengthscale": 1.5, "signal": 2.0, "noise": 0.2}),
            case(2, 5, strip, 33, 3, 2, 25, 1e-5, {"lengthscale": 2.0, "signal": 1.0, "noise": 0.1}),
            case(3, 5, bow_tie, 21, 1, 1, 40, 1e-2, {"lengthscale": 0.7, "signal": 3.0, "noise": 0.5}),
            case(4, 9, ring(9, 3), 90, 4, 3, 10, 1e-6, {"lengthscale": 3.0, "signal": 1.5, "noise": 0.3}),
        ],
        indent=1,
    )
)
