"""Prints the tables of docs/models.md about kernels and fusion rules, as Markdown.

    python3 bench/models.py [SEEDS]      after scripts/build; the heart and SARCOS data are in ../shared/data

Each cell is a mean over seeds (default 5) of tacit simulate on random splits, with a fifth of the rows for testing:
RMSE / coverage of 95 % intervals / log density.
"""
import json
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
SEEDS = int(sys.argv[1]) if len(sys.argv) > 1 else 5
KERNELS = ["se", "se-ard", "matern32", "matern52-ard", "rq", "se-ard + linear + constant"]
HEARTS = [f"--data={DATA}/heart/{name}.csv" for name in ("cleveland", "hungarian", "switzerland", "va")]
SETS = {
    "Diabetes, ten agents of 35 patients": (
        [f"--data={ROOT}/data/diabetes.csv", "--target=y", "--agents=10", "--split=shuffled"], SEEDS),
    "Heart disease, four hospitals": (
        HEARTS + ["--target=num", "--inputs=age,sex,cp,trestbps,thalach,exang,oldpeak", "--categorical=cp",
                  "--missing=drop"], SEEDS),
    "SARCOS, twenty agents of 178 rows, seven outputs sharing a prior": (
        [f"--data={DATA}/sarcos.csv", "--target=tau1,tau2,tau3,tau4,tau5,tau6,tau7", "--agents=20",
         "--split=shuffled", "--tune-shared"], min(SEEDS, 2)),
}
COLUMNS = ["alone", "poe", "gpoe", "bcm", "rbcm", "pooled"]


def run(arguments, kernel, seed):
    command = [ROOT / "build" / "tacit", "simulate", "--landmarks=0", f"--kernel={kernel}",
               f"--seed={seed}", "--json", *arguments]
    report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    found = report["accuracy"]["calibration"]
    return {"alone": found["local"], "pooled": found["pooled"], **found["rules"]}


def cell(runs, column):
    parts = [statistics.mean(r[column][what] for r in runs) for what in ("rmse", "coverage", "log_density")]
    return f"{parts[0]:.4g} / {100 * parts[1]:.0f} % / {parts[2]:.2f}"


for name, (arguments, seeds) in SETS.items():
    files = [Path(a.split("=", 1)[1]) for a in arguments if a.startswith("--data=")]
    if not all(f.exists() for f in files):
        print(f"{name}: skipped, because a data file does not exist\n")
        continue
    print(f"**{name}** ({seeds} splits)\n\n| kernel | {' | '.join(COLUMNS)} |\n|{'---|' * (len(COLUMNS) + 1)}")
    for kernel in KERNELS:
        runs = [run(arguments, kernel, seed) for seed in range(1, seeds + 1)]
        print(f"| `{kernel}` | {' | '.join(cell(runs, c) for c in COLUMNS)} |", flush=True)
    print()
