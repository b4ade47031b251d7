"""Base class of the estimators."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from tacit._arrays import Numbers, array_of
from tacit._errors import InputError
from tacit._inputs import Inputs, is_table
from tacit._renamed import renamed


class Estimator(MultiOutputMixin, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A scikit-learn regressor with named columns."""

    _inputs: Inputs

    def set_params(self, **params: Any) -> Estimator:
        """Set parameters of this estimator.

        Parameters
        ----------
        **params
            The parameters and their values.

        Returns
        -------
        Estimator
            The estimator.
        """
        super().set_params(**renamed(params, self._get_param_names()))
        return self

    def _note_columns(self, X: Any, fitting: bool) -> None:
        """Store the column names in a fit. Otherwise compare the names with those of the fit."""
        try:
            if hasattr(self, "_check_feature_names"):
                self._check_feature_names(X, reset=fitting)
            else:  # scikit-learn 1.6 and later
                from sklearn.utils.validation import _check_feature_names

                _check_feature_names(self, X, reset=fitting)
        except (TypeError, ValueError) as error:
            raise InputError(str(error)) from None

    def _points(self, X: Any) -> Numbers:
        """Return the rows to predict as a matrix."""
        check_is_fitted(self)
        self._note_columns(X, fitting=False)
        rows = X if is_table(X) else array_of(X, "X")
        wanted = self._inputs.names
        if rows.shape[1] != len(wanted):
            raise InputError(
                f"X has {rows.shape[1]} features, but {type(self).__name__} is expecting {len(wanted)} features as "
                "input; pass the columns of the fit, in the same order"
            )
        if is_table(X) and self._inputs.named and [str(name).strip() for name in X.columns] != list(wanted):
            raise InputError(f"X has different columns than the fit; pass these, in this order: {', '.join(wanted)}")
        return self._inputs.matrix(rows)

    def _shaped(self, values: Numbers) -> Numbers:
        """Return one dimension if the y of the fit had one dimension."""
        return values[:, 0] if self._single else values

    _single: bool

    @staticmethod
    def _words(numbers: list[tuple[str, str, Any, float]]) -> dict[str, float]:
        return {words: value for words, _, _, value in numbers}
