"""What the estimators have in common."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from tacit._arrays import Numbers, array_of
from tacit._errors import InputError
from tacit._inputs import Inputs, is_table


class Estimator(MultiOutputMixin, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A regressor of scikit-learn with named columns."""

    _inputs: Inputs

    def _note_columns(self, X: Any, fitting: bool) -> None:
        """Keeps the names of columns, or compares with those of the fit."""
        try:
            if hasattr(self, "_check_feature_names"):
                self._check_feature_names(X, reset=fitting)
            else:  # scikit-learn 1.6
                from sklearn.utils.validation import _check_feature_names

                _check_feature_names(self, X, reset=fitting)
        except (TypeError, ValueError) as error:
            raise InputError(str(error)) from None

    def _points(self, X: Any) -> Numbers:
        """Rows to predict at."""
        check_is_fitted(self)
        self._note_columns(X, fitting=False)
        rows = X if is_table(X) else array_of(X, "X")
        wanted = self._inputs.names
        if rows.shape[1] != len(wanted):
            raise InputError(
                f"X has {rows.shape[1]} features, but {type(self).__name__} is expecting {len(wanted)} features as "
                "input; give the columns of the fit, in the same order"
            )
        if is_table(X) and self._inputs.named and [str(name).strip() for name in X.columns] != list(wanted):
            raise InputError(f"X has other columns than the fit, which had {', '.join(wanted)}; give these in this order")
        return self._inputs.matrix(rows)

    def _shaped(self, values: Numbers) -> Numbers:
        """One number for each row where y had that."""
        return values[:, 0] if self._single else values

    _single: bool

    @staticmethod
    def _words(numbers: list[tuple[str, str, Any, float]]) -> dict[str, float]:
        return {words: value for words, _, _, value in numbers}


def deviations(variance: Numbers, targets: int) -> Numbers:
    """Standard deviations, a column for each target."""
    deviation = np.sqrt(variance)
    return deviation if deviation.ndim == 2 else np.repeat(deviation[:, np.newaxis], targets, axis=1)
