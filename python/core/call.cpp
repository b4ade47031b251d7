// Calls the program's commands in this process.
#include <pybind11/stl.h>

#include <mutex>

#include "frames.hpp"
#include "json.hpp"
#include "long_work.hpp"
#include "module.hpp"
#include "setting_words.hpp"
#include "study_settings.hpp"
#include "tacit/cli/lab/simulate.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/options/console.hpp"

namespace py = pybind11;

namespace tacit::python {
namespace {

// Receives a command's answer and supplies its rows.
class Caller : public cli::Console {
 public:
  explicit Caller(const Frames& frames) : frames_(frames) {}

  std::string worded(std::string_view text) const override { return in_keywords(text); }
  void answer(const cli::Json& json) override { answered = worded_answer(json); }
  void note(const std::string& words) override { notes.push_back(worded(words)); }
  cli::Held watch(const Progress& progress) override { return held(watched_, &progress); }
  ControlClient::Words words() override {
    asking_.begin("asking the agents", 0);
    return [this](const std::string& text) { asking_.note(in_keywords(text)); };
  }
  cli::Held stopping(ControlClient& client) override { return held(client_, &client); }
  Table read(const std::filesystem::path& source, const TableOptions& columns,
             const ReadOptions& how) override {
    return frames_.has(source) ? frames_.read(source, columns, how) : Console::read(source, columns, how);
  }

  // look() and stop() are called from Python's thread.
  Snapshot look() {
    const std::lock_guard lock(guard_);
    return snapshot(watched_ ? *watched_ : asking_);
  }
  void stop() {
    const std::lock_guard lock(guard_);
    try {
      if (client_) client_->stop();
    } catch (const Error&) {
      // If the agent does not answer, the request ends with an error anyway.
    }
  }

  cli::Json answered;
  std::vector<std::string> notes;

 private:
  template <class T>
  cli::Held held(T*& place, T* what) {
    const std::lock_guard lock(guard_);
    place = what;
    return {static_cast<void*>(this), [this, &place](void*) {
              const std::lock_guard done(guard_);
              place = nullptr;
            }};
  }

  const Frames& frames_;
  Progress asking_;
  std::mutex guard_;
  const Progress* watched_ = nullptr;
  ControlClient* client_ = nullptr;
};

// Runs a command that answers to this caller, and returns its answer.
py::object answer_of(Caller& caller, const py::object& progress, const std::function<void()>& command) {
  try {
    run_long(progress, command, {[&] { return caller.look(); }, [&] { caller.stop(); }});
  } catch (const InputError&) {
    throw;
  } catch (const Error& e) {
    if (caller.answered.is_null()) throw;
    throw_with_result(e.what(), to_python(caller.answered));  // such as an unmet requirement of an audit
  }
  if (!caller.notes.empty() && !caller.answered.contains("notes")) caller.answered["notes"] = caller.notes;
  return to_python(caller.answered);
}

py::object call(const std::vector<std::string>& arguments, const py::dict& frames,
                const py::object& progress) {
  const Frames read(frames);
  Caller caller(read);
  return answer_of(caller, progress, [&] { cli::call(arguments, caller); });
}

py::object simulate(const py::dict& settings, const py::dict& frames, const py::object& progress) {
  const Frames read(frames);
  Caller caller(read);
  cli::SimulateOptions options;
  options.result.json = true;
  const cli::Given given = set_fields(options, simulate_fields(), settings);
  return answer_of(caller, progress, [&] { cli::run_simulate(options, given, caller); });
}

py::object plan(const py::dict& settings) {
  const Frames none{py::dict()};
  Caller caller(none);
  cli::PlanCommand options;
  options.json = true;
  options.plan.given = set_fields(options, plan_fields(), settings);
  return answer_of(caller, py::none(), [&] { cli::run_plan(options, caller); });
}

template <class Options>
std::vector<std::string> names_of(const Fields<Options>& fields) {
  std::vector<std::string> names;
  for (const auto& [name, field] : fields) names.emplace_back(name);
  return names;
}

std::vector<std::string> settings_of(const std::string& function) {
  return function == "plan" ? names_of(plan_fields()) : names_of(simulate_fields());
}

}  // namespace

void add_call(py::module_& module) {
  module.def("call", &call, py::arg("arguments"), py::arg("frames") = py::dict(),
             py::arg("progress") = py::none(),
             "Run a command of the program in this process and return its --json output.\n\n"
             "An option that takes a file name also accepts the name of a frame.");
  module.def("simulate", &simulate, py::arg("settings"), py::arg("frames") = py::dict(),
             py::arg("progress") = py::none(),
             "Simulate all parties with these settings, and return the report.\n\n"
             "A file name in the settings may be the name of a frame.");
  module.def("plan", &plan, py::arg("settings"), "Choose the parameters of a protocol with these settings.");
  module.def("settings_of", &settings_of, py::arg("function"), "Names of the settings of simulate or plan.");
}

}  // namespace tacit::python
