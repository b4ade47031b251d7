// What every fit reports about its search, as a Python dictionary.
#pragma once

#include <pybind11/stl.h>

namespace tacit::python {

template <class Report>
pybind11::dict search_report(const Report& r) {
  pybind11::dict all;
  all["log_marginal_likelihood"] = r.log_marginal_likelihood;
  all["evaluations"] = r.evaluations;
  all["converged"] = r.converged;
  all["reason"] = r.reason;
  all["at_bound"] = r.at_bound;
  all["trace"] = r.trace;
  all["experts"] = r.experts;
  return all;
}

}  // namespace tacit::python
