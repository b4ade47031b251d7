#!/usr/bin/env python3
"""Measures the time of all agents' local models in another library, for `tacit reproduce table`.

libraries.py LIBRARY JOB RESULT reads rows and hyperparameters from the JSON file JOB and writes JSON to RESULT. Each
agent and output has a separate model. The models are fitted one after the other, on one thread, with the given
hyperparameters.
"""
import json
import os
import sys
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before the import of libraries that read these variables

import numpy as np


def scikit_learn():
    import sklearn
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel

    def predict(x, y, test, theta):
        kernel = ConstantKernel(theta["signal"] ** 2) * RBF(theta["lengthscale"])
        model = GaussianProcessRegressor(kernel, alpha=theta["noise"] ** 2, optimizer=None).fit(x, y)
        mean, deviation = model.predict(test, return_std=True)
        return mean, deviation**2

    return sklearn.__version__, predict


def gpytorch():
    import gpytorch as library
    import torch

    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)

    class Model(library.models.ExactGP):
        def __init__(self, x, y, likelihood):
            super().__init__(x, y, likelihood)
            self.mean_module = library.means.ZeroMean()
            self.covar_module = library.kernels.ScaleKernel(library.kernels.RBFKernel())

        def forward(self, x):
            return library.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))

    def predict(x, y, test, theta):
        likelihood = library.likelihoods.GaussianLikelihood(noise_constraint=library.constraints.Positive())
        model = Model(torch.from_numpy(x), torch.from_numpy(y), likelihood)
        likelihood.noise = theta["noise"] ** 2
        model.covar_module.outputscale = theta["signal"] ** 2
        model.covar_module.base_kernel.lengthscale = theta["lengthscale"]
        model.eval()
        # Exact factorisation at any size, as in Tacit.
        with torch.no_grad(), library.settings.max_cholesky_size(1_000_000):
            posterior = model(torch.from_numpy(test))
            return posterior.mean.numpy(), posterior.variance.numpy()

    return library.__version__, predict


def main(library, job_file, result_file):
    with open(job_file) as file:
        job = json.load(file)
    version, predict = {"scikit-learn": scikit_learn, "GPyTorch": gpytorch}[library]()
    agents = [(np.array(agent["inputs"]), np.array(agent["outputs"])) for agent in job["agents"]]
    test = np.array(job["test"])
    precision, weighted = 0, 0
    start = time.perf_counter()
    for x, y in agents:
        columns = [predict(x, np.ascontiguousarray(y[:, k]), test, theta) for k, theta in enumerate(job["theta"])]
        mean, variance = (np.column_stack(part) for part in zip(*columns))
        precision, weighted = precision + 1 / variance, weighted + mean / variance
    seconds = time.perf_counter() - start
    with open(result_file, "w") as file:
        json.dump({"version": version, "seconds": seconds, "mean": (weighted / precision).tolist()}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
