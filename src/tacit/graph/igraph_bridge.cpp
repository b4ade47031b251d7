#include "tacit/graph/igraph_bridge.hpp"

#include <fmt/format.h>
#include <igraph/igraph.h>

#include <algorithm>
#include <mutex>

#include "tacit/base/error.hpp"

namespace tacit::igraph_bridge {
namespace {

// While a session exists, only this thread uses igraph, and igraph returns error codes instead of ending the
// program.
class Session {
 public:
  Session()
      : lock_(turn()),
        error_handler_(igraph_set_error_handler(igraph_error_handler_ignore)),
        warning_handler_(igraph_set_warning_handler(igraph_warning_handler_ignore)) {}
  ~Session() {
    igraph_set_warning_handler(warning_handler_);
    igraph_set_error_handler(error_handler_);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  static std::mutex& turn() {
    static std::mutex mutex;
    return mutex;
  }
  std::lock_guard<std::mutex> lock_;
  igraph_error_handler_t* error_handler_;
  igraph_warning_handler_t* warning_handler_;
};

void check(igraph_error_t code, const char* task) {
  if (code != IGRAPH_SUCCESS) {
    throw Error(fmt::format("igraph could not {}: {}.", task, igraph_strerror(code)));
  }
}

// Owns an igraph object. After the call of `made()`, the destructor frees it by `destroy`.
template <typename T, void (*destroy)(T*)>
class Owned {
 public:
  Owned() = default;
  ~Owned() {
    if (made_) destroy(&object_);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  T* get() { return &object_; }
  const T* get() const { return &object_; }
  void made() { made_ = true; }

 private:
  T object_{};
  bool made_ = false;
};
using OwnedGraph = Owned<igraph_t, igraph_destroy>;
using OwnedInts = Owned<igraph_vector_int_t, igraph_vector_int_destroy>;

std::vector<Edge> edges_of(const OwnedGraph& graph) {
  const igraph_integer_t count = igraph_ecount(graph.get());
  std::vector<Edge> edges;
  edges.reserve(static_cast<std::size_t>(count));
  for (igraph_integer_t e = 0; e < count; ++e) {
    edges.emplace_back(static_cast<AgentId>(IGRAPH_FROM(graph.get(), e)),
                       static_cast<AgentId>(IGRAPH_TO(graph.get(), e)));
  }
  return edges;
}

void seed_generator(std::uint64_t seed) {
  check(igraph_rng_seed(igraph_rng_default(), seed), "seed its generator");
}

}  // namespace

std::vector<Edge> regular(std::size_t agents, std::size_t degree, std::uint64_t seed) {
  const Session session;
  seed_generator(seed);
  OwnedGraph graph;
  check(igraph_k_regular_game(graph.get(), static_cast<igraph_integer_t>(agents),
                              static_cast<igraph_integer_t>(degree),
                              /*directed=*/false, /*multiple=*/false),
        "draw a random regular graph");
  graph.made();
  return edges_of(graph);
}

std::vector<Edge> geometric(std::size_t agents, double radius, std::uint64_t seed) {
  const Session session;
  seed_generator(seed);
  OwnedGraph graph;
  check(igraph_grg_game(graph.get(), static_cast<igraph_integer_t>(agents), radius, /*torus=*/false, nullptr,
                        nullptr),
        "draw a random geometric graph");
  graph.made();
  return edges_of(graph);
}

namespace {

void store(OwnedGraph& graph, std::size_t agents, const std::vector<Edge>& edges) {
  OwnedInts ends;
  check(igraph_vector_int_init(ends.get(), static_cast<igraph_integer_t>(2 * edges.size())), "store a graph");
  ends.made();
  igraph_integer_t* next = VECTOR(*ends.get());
  for (const auto& [a, b] : edges) {
    *next++ = a;
    *next++ = b;
  }
  check(igraph_create(graph.get(), ends.get(), static_cast<igraph_integer_t>(agents), /*directed=*/false),
        "store a graph");
  graph.made();
}

}  // namespace

std::vector<AgentId> cut_agents(std::size_t agents, const std::vector<Edge>& edges) {
  const Session session;
  OwnedGraph graph;
  store(graph, agents, edges);
  OwnedInts found;
  check(igraph_vector_int_init(found.get(), 0), "find cut vertices");
  found.made();
  check(igraph_articulation_points(graph.get(), found.get()), "find cut vertices");
  std::vector<AgentId> list;
  for (igraph_integer_t k = 0; k < igraph_vector_int_size(found.get()); ++k)
    list.push_back(static_cast<AgentId>(VECTOR(*found.get())[k]));
  std::sort(list.begin(), list.end());
  return list;
}

struct Paths::State {
  OwnedGraph graph;
};

Paths::Paths(std::size_t agents, const std::vector<Edge>& edges) : state_(std::make_unique<State>()) {
  const Session session;
  store(state_->graph, agents, edges);
}

Paths::~Paths() {
  const Session session;
  state_.reset();
}

std::size_t Paths::disjoint(AgentId a, AgentId b) const {
  const Session session;
  igraph_integer_t paths = 0;
  check(igraph_st_vertex_connectivity(state_->graph.get(), &paths, a, b, IGRAPH_VCONN_NEI_ERROR),
        "count disjoint paths");
  return static_cast<std::size_t>(paths);
}

}  // namespace tacit::igraph_bridge
