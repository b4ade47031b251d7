"""Prints the table of docs/models.md about landmarks, as Markdown.

    python3 bench/landmarks.py [SEEDS]     after scripts/build; the heart and SARCOS data are in ../shared/data

Each cell is a mean over seeds (default 5) of tacit simulate with default options on random splits:
RMSE / coverage of 95 % intervals / log density. "rbcm" is the committee without landmarks.
"""
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
SEEDS = int(sys.argv[1]) if len(sys.argv) > 1 else 5
ARM = ",".join(f"{part}{k}" for part in ("q", "dq", "ddq") for k in range(1, 8))


def made_up(file, rows=20000):
    """Write rows of a smooth function of eight inputs with little noise. One party's rows determine it poorly."""
    draw = random.Random(1)
    with open(file, "w") as out:
        out.write(",".join(f"x{k}" for k in range(8)) + ",y\n")
        for _ in range(rows):
            x = [draw.uniform(-1.5, 1.5) for _ in range(8)]
            y = (math.sin(x[0] + x[1]) + math.cos(x[1] * x[2]) + 0.5 * math.sin(2 * x[3]) * x[4]
                 + 0.3 * x[5] * x[6] + 0.2 * x[7] + draw.gauss(0, 0.05))
            out.write(",".join(f"{v:.6f}" for v in x) + f",{y:.6f}\n")
    return file


def sets(folder):
    hearts = [f"--data={DATA}/heart/{name}.csv" for name in ("cleveland", "hungarian", "switzerland", "va")]
    diabetes = [f"--data={ROOT}/data/diabetes.csv", "--target=y", "--agents=10"]
    sarcos = [f"--data={DATA}/sarcos.csv", f"--inputs={ARM}", "--agents=20", "--test-fraction=0.1011",
              "--landmarks=200"]
    smooth = [f"--data={made_up(folder / 'smooth.csv')}", "--target=y", "--agents=20"]
    yield "Diabetes, 10 agents", diabetes + ["--split=shuffled"]
    yield "Diabetes, by region", diabetes + ["--split=regions"]
    yield "Heart disease, 4 hospitals", hearts + [
        "--target=num", "--inputs=age,sex,cp,trestbps,thalach,exang,oldpeak", "--categorical=cp", "--missing=drop"]
    for kernel in ("se", "se-ard"):
        for torque in ("tau1", "tau7"):
            yield (f"SARCOS {torque}, 20 agents, `{kernel}`",
                   sarcos + [f"--target={torque}", "--split=shuffled", f"--kernel={kernel}"])
    yield "SARCOS tau1, by region", sarcos + ["--target=tau1", "--split=regions"]
    yield "smooth function, 16,000 rows, 20 agents", smooth + ["--split=shuffled"]
    yield "smooth function, by region", smooth + ["--split=regions"]


def run(arguments, seed):
    command = [ROOT / "build" / "tacit", "simulate", f"--seed={seed}", "--json", *arguments]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def cell(runs):
    if runs[0] is None:
        return "-"
    parts = [statistics.mean(r[what] for r in runs) for what in ("rmse", "coverage", "log_density")]
    return f"{parts[0]:.4g} / {100 * parts[1]:.0f} % / {parts[2]:.2f}"


with tempfile.TemporaryDirectory() as folder:
    print("| data | m | alone | rbcm | at home | together | pooled | together against rbcm | at home against alone |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, arguments in sets(Path(folder)):
        files = [Path(a.split("=", 1)[1]) for a in arguments if a.startswith("--data=")]
        if not all(f.exists() for f in files):
            print(f"{name}: skipped, because a data file does not exist", file=sys.stderr)
            continue
        seeds = range(1, (2 if "smooth" in name else SEEDS) + 1)
        plain = [run([a for a in arguments if not a.startswith("--landmarks")] + ["--landmarks=0"], s) for s in seeds]
        pooled = [run(arguments, s) for s in seeds]
        old = [r["accuracy"]["calibration"] for r in plain]
        new = [r["accuracy"]["calibration"] for r in pooled]
        gain = [100 * (statistics.mean(n[a]["rmse"] / o[b]["rmse"] for n, o in zip(new, old)) - 1)
                for a, b in (("private", "private"), ("at_home", "local"))]
        print(f"| {name} | {pooled[0]['landmarks']['count']} | {cell([o['local'] for o in old])} "
              f"| {cell([o['private'] for o in old])} | {cell([n['at_home'] for n in new])} "
              f"| {cell([n['private'] for n in new])} | {cell([n['pooled'] for n in new])} "
              f"| {gain[0]:+.1f} % | {gain[1]:+.1f} % |", flush=True)
