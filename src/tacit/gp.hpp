// The component gp: Gaussian-process regression, independent of parties. A user of it includes only this
// header.
//
//   const tacit::Model model = tacit::fit(inputs, outputs, tacit::se(tacit::ard) + tacit::constant());
//   const tacit::Prediction p = model.predict(points);
//
// Threads: any number of threads may call functions and const member functions at the same time.
// Errors: InputError for arguments that the caller must correct, Error for other failures (base/error.hpp).
// Stopping: with StoppableWork (base/stop.hpp) long work throws Stopped.
#pragma once

#include "tacit/base/error.hpp"
#include "tacit/base/progress.hpp"
#include "tacit/base/settings.hpp"
#include "tacit/base/stop.hpp"
#include "tacit/gp/committee/committee.hpp"
#include "tacit/gp/committee/crew.hpp"
#include "tacit/gp/committee/fusion.hpp"
#include "tacit/gp/committee/row_reader.hpp"
#include "tacit/gp/committee/row_split.hpp"
#include "tacit/gp/defaults.hpp"
#include "tacit/gp/expert/cholesky.hpp"
#include "tacit/gp/expert/expert.hpp"
#include "tacit/gp/expert/likelihood.hpp"
#include "tacit/gp/expert/prior.hpp"
#include "tacit/gp/fit/fit.hpp"
#include "tacit/gp/fit/initial_prior.hpp"
#include "tacit/gp/fit/optimise.hpp"
#include "tacit/gp/kernel/kernel.hpp"
#include "tacit/gp/landmarks/landmark_likelihood.hpp"
#include "tacit/gp/landmarks/landmark_sums.hpp"
#include "tacit/gp/landmarks/landmarks.hpp"
#include "tacit/gp/matrix.hpp"
#include "tacit/gp/prediction.hpp"
