// Measures how the time of Protocol 1 grows with the number of agents, the degree, the number of values and
// the number of iterations, compared with the growth that the message count of (commComplex) predicts. Prints
// exponents fitted on log-log axes and writes every point to a CSV file, which scaling.py plots.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "ratio.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/consensus/consensus.hpp"

using namespace tacit;

namespace {

struct Shape {
  std::size_t agents = 20, degree = 4, values = 1000, iterations = 20;
};

struct Point {
  double x = 0, seconds = 0, predicted = 0;  // predicted: messages times values
};

Point measure(const Shape& shape, double x) {
  const Graph graph = ring_lattice(shape.agents, shape.degree);
  PlanRequest request;
  request.dimension = shape.values;
  request.iterations = shape.iterations;
  request.modulus_bits = 56;
  const ConsensusPlan plan = make_plan(graph, request);
  Simulator simulator(graph, {.threads = 0, .seed = 1, .network = {}, .coalition = {}, .progress = nullptr});
  const auto run = [&] {
    simulator.run<Values>(
        [&](Run& net) { return secure_average(net, plan, Values(shape.values, 0.0005 * net.self())); });
  };
  run();
  std::vector<double> seconds;
  for (int repeat = 0; repeat < 7; ++repeat) seconds.push_back(bench::seconds_of(run));
  const double traffic = static_cast<double>(planned_traffic(graph, plan).messages);
  return {x, bench::median(seconds), traffic * static_cast<double>(shape.values)};
}

// Returns the slope of the least-squares line through (log x, log y).
double exponent(const std::vector<Point>& points, double Point::*y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const Point& p : points) {
    const double a = std::log(p.x), b = std::log(p.*y);
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  const double n = static_cast<double>(points.size());
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace

int main(int argc, char** argv) {
  const struct {
    const char* name;
    const char* what;
    std::size_t Shape::*part;
    Shape base;
    std::vector<std::size_t> values;
  } series[] = {
      {"M",
       "agents M (degree 4, p = 200, T = 20)",
       &Shape::agents,
       {20, 4, 200, 20},
       {10, 20, 50, 100, 200, 500, 1000}},
      {"degree",
       "degree (M = 60, p = 200, T = 5)",
       &Shape::degree,
       {60, 4, 200, 5},
       {4, 8, 12, 16, 24, 32, 40}},
      {"p",
       "values p (M = 20, degree 4, T = 20)",
       &Shape::values,
       {20, 4, 100, 20},
       {100, 300, 1000, 3000, 10000, 30000}},
      {"T",
       "iterations T (M = 20, degree 4, p = 1000)",
       &Shape::iterations,
       {20, 4, 1000, 10},
       {10, 20, 50, 100, 200, 500}},
  };
  std::ofstream csv;
  if (argc > 1) csv.open(argv[1]);
  csv << "series,x,seconds,predicted\n";
  std::printf("Growth of Protocol 1 on all cores: exponents fitted on log-log axes\n");
  std::printf("%-46s %9s %20s   %s\n", "", "measured", "messages predict", "seconds from, to");
  for (const auto& s : series) {
    std::vector<Point> points;
    for (const std::size_t value : s.values) {
      Shape shape = s.base;
      shape.*s.part = value;
      points.push_back(measure(shape, static_cast<double>(value)));
      csv << s.name << ',' << value << ',' << points.back().seconds << ',' << points.back().predicted << '\n';
    }
    std::printf("%-46s %9.2f %20.2f   %.2e, %.2e\n", s.what, exponent(points, &Point::seconds),
                exponent(points, &Point::predicted), points.front().seconds, points.back().seconds);
  }
  return argc > 1 && !csv ? 1 : 0;
}
