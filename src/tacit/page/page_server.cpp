#include "tacit/page/page_server.hpp"

#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "tacit/agent/control/control.hpp"
#include "tacit/answers/answers.hpp"
#include "tacit/answers/ledger_contents.hpp"
#include "tacit/base/error.hpp"
#include "tacit/page/page_files.hpp"
#include "tacit/page/page_guard.hpp"
#include "tacit/page/page_json.hpp"
#include "tacit/page/page_proof.hpp"
#include "tacit/page/page_token.hpp"
#include "tacit/page/request_stream.hpp"
#include "tacit/page/status_stream.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;
using WebRequest = httplib::Request;  // distinct from the requests of runs
using WebResponse = httplib::Response;
using Handled = httplib::Server::HandlerResponse;

constexpr std::size_t most_body_bytes = 16 << 20;
constexpr int most_watching = 8, most_asking = 8;  // simultaneous streams; each occupies a connection
constexpr std::size_t connections = most_watching + most_asking + 16;
constexpr auto warn_at_most_every = 60s;
constexpr const char* hello_path = "/api/hello";  // needs no token

void answer(WebResponse& response, const Json& json) {
  response.set_content(text_of(in_page_words(json)), "application/json");
}

void refuse(WebResponse& response, int status, const std::string& sentence) {
  response.status = status;
  answer(response, {{"error", sentence}});
}

void send_file(const std::string& path, WebResponse& response) {
  const PageFile file = page_file(path);
  if (!file.bytes.empty()) return response.set_content(file.bytes.data(), file.bytes.size(), file.type);
  if (page_file("/").bytes.empty())
    return refuse(
        response, 503,
        "this program was built without the page; build web/ (npm ci, npm run build), then build the "
        "program again");
  refuse(response, 404, "this path does not exist");
}

}  // namespace

// Shared with handlers, which may outlive the agent's other parts.
struct PageServer::State : std::enable_shared_from_this<PageServer::State> {
  State(const AgentConfig& of, ServedCharter its, LogSink sink)
      : config(of), served(std::move(its)), token(of.state), log(std::move(sink)) {}

  const AgentConfig config;
  const ServedCharter served;
  const PageToken token;
  const LogSink log;
  const std::string nonce = page_nonce();
  std::string address;        // set before `port`
  std::atomic<int> port = 0;  // 0 until the server is ready
  Places watching{most_watching}, asking{most_asking};
  std::mutex guard;
  std::optional<std::chrono::steady_clock::time_point> warned;

  // Checks every request before its body is read.
  Handled check_request(const WebRequest& request, WebResponse& response) {
    if (port == 0) {
      refuse(response, 503, "the page is being opened; try again");
      return Handled::Handled;
    }
    if (const auto refusal = refused_by_form(request, port)) {
      refuse(response, refusal->status, refusal->sentence);
      return Handled::Handled;
    }
    if (!needs_token(request.path)) {
      if (request.method == "GET")
        send_file(request.path, response);
      else
        refuse(response, 405, "this path does not accept POST");
      return Handled::Handled;
    }
    if (request.path == hello_path && request.method == "GET") return Handled::Unhandled;
    try {
      if (accepts(token_of(request))) return Handled::Unhandled;
      warn("refused a request without the token or with a wrong token");
      response.set_header("WWW-Authenticate", "Bearer");
      refuse(response, 401,
             "this link is not valid or has been replaced; tacit page prints the current link");
    } catch (const Error& e) {
      no_token(e, response);
    }
    return Handled::Handled;
  }

  // The token, for programs, or the pass of a page that has checked this server. Throws Error without a
  // token.
  bool accepts(const std::string& pass) const {
    const std::string secret = token.read();
    return same_secret(pass, secret) || same_secret(pass, page_pass(secret, address, nonce));
  }

  // Proves to a page that this server knows the token.
  void hello(const WebRequest& request, WebResponse& response) {
    const std::string challenge = request.get_param_value("challenge");
    if (!is_page_nonce(challenge)) return refuse(response, 400, "challenge must be 64 hexadecimal digits");
    try {
      answer(response, {{"nonce", nonce}, {"proof", server_proof(token.read(), address, challenge, nonce)}});
    } catch (const Error& e) {
      no_token(e, response);
    }
  }

  // The error is not in the answer, because the client is not authenticated.
  void no_token(const Error& error, WebResponse& response) {
    warn(error.what());
    refuse(response, 503, "the agent has no valid token; create a new link with `new_page`");
  }

  // About requests of clients that are not authenticated.
  void warn(const std::string& what) {
    const std::lock_guard lock(guard);
    const auto now = std::chrono::steady_clock::now();
    if (warned && now - *warned < warn_at_most_every) return;
    warned = now;
    log(LogLevel::warning, "page: " + what);
  }

  using Answers = std::function<Json(ControlClient&)>;
  httplib::Server::Handler answering(Answers answers) {
    return
        [self = shared_from_this(), answers = std::move(answers)](const WebRequest&, WebResponse& response) {
          try {
            ControlClient client(self->config.control);
            answer(response, answers(client));
          } catch (const InputError& e) {
            refuse(response, 409, e.what());
          } catch (const std::exception& e) {
            refuse(response, 502, e.what());
          }
        };
  }

  // Starts a request to the agent and streams its events.
  using MakesRequest = std::function<PageRequest(const Json& body)>;
  httplib::Server::Handler streaming(MakesRequest make) {
    return [self = shared_from_this(), make = std::move(make)](const WebRequest& request,
                                                               WebResponse& response) {
      self->with_body(request, response, [&](const Json& body) {
        PageRequest page_request = make(body);
        const std::shared_ptr<void> place = self->asking.take();
        if (!place)
          return refuse(response, 503, "too many requests from this page are in progress; try again later");
        stream_events(response, [place, next = request_stream(self->config.control, std::move(page_request))](
                                    bool& last) { return next(last); });
      });
    };
  }

  template <class Do>
  void with_body(const WebRequest& request, WebResponse& response, Do&& work) const {
    const Json body = Json::parse(request.body, nullptr, false);
    if (!body.is_object()) return refuse(response, 400, "the body is not a JSON object");
    try {
      work(body);
    } catch (const InputError& e) {
      refuse(response, 400, e.what());
    } catch (const std::exception& e) {
      refuse(response, 502, e.what());
    }
  }

  void watch(const WebRequest& request, WebResponse& response) {
    const std::shared_ptr<void> place = watching.take();
    if (!place) return refuse(response, 503, "too many open pages of this agent; close some of them");
    try {
      // The stream ends when its token is replaced.
      const auto welcome = [self = shared_from_this(), pass = token_of(request)] {
        return self->accepts(pass);
      };
      stream_events(response, [place, next = status_stream(config.control, welcome)](bool& last) {
        return next(last);
      });
    } catch (const std::exception& e) {
      refuse(response, 502, e.what());
    }
  }

  Json ledger() const {
    const LedgerContents contents = read_contents(config.state / "ledger.jsonl", config.policy.most_opened);
    Json json = ledger_json(contents);
    json["summary"] = summary_json(contents).at("summary");
    return json;
  }

  void add_routes(httplib::Server& server) {
    const auto self = shared_from_this();
    server.set_default_headers(page_headers());
    server.set_pre_routing_handler([self](const WebRequest& request, WebResponse& response) {
      return self->check_request(request, response);
    });
    server.set_post_routing_handler([](const WebRequest& request, WebResponse& response) {
      response.set_header("Cache-Control", needs_token(request.path) ? "no-store" : "no-cache");
    });
    server.set_error_handler(
        [](const WebRequest&, WebResponse& response) {  // for requests that reached no handler
          if (response.body.empty())
            refuse(response, response.status,
                   response.status == 413   ? "the body is too large"
                   : response.status == 404 ? "this path does not exist"
                                            : "the request is not supported");
        });
    const auto history = [self] { return read_history(History::file_in(self->config.state)); };
    const auto get = [&](const char* path, Answers answers) {
      server.Get(path, answering(std::move(answers)));
    };
    server.Get(hello_path,
               [self](const WebRequest& request, WebResponse& response) { self->hello(request, response); });
    get("/api/status", [](ControlClient& client) { return status_json(client.status()); });
    get("/api/charter", [self](ControlClient&) {
      const auto& [charter, agent, before] = self->served;
      return charter_json(charter, before, charter.name_of(agent));
    });
    get("/api/policy",
        [self](ControlClient& client) { return policy_json(self->config.policy, client.status()); });
    get("/api/ledger", [self](ControlClient&) { return self->ledger(); });
    get("/api/runs", [history](ControlClient&) { return runs_json(history()); });
    get("/api/quality", [history](ControlClient&) { return quality_json(history()); });
    server.Get("/api/events",
               [self](const WebRequest& request, WebResponse& response) { self->watch(request, response); });
    server.Post("/api/fit", streaming(fit_request));
    server.Post("/api/evaluate", streaming([](const Json&) { return evaluate_request(); }));
    server.Post("/api/predict", streaming([self](const Json& body) {
                  return predict_request(body, self->served.charter.inputs, self->config.data.how);
                }));
    server.Post("/api/stop", [self](const WebRequest& request, WebResponse& response) {
      self->with_body(request, response, [&](const Json& body) {
        if (!body.contains("ask") || !body.at("ask").is_string())
          throw InputError("ask must be the name of a request in progress");
        ControlClient(self->config.control).stop(body.at("ask").get<std::string>());
        answer(response, Json::object());
      });
    });
  }
};

PageServer::PageServer(const AgentConfig& config, ServedCharter served, const LogSink& log, bool new_token)
    : state_(std::make_shared<State>(config, std::move(served), log)) {
  http_ = std::make_unique<LocalHttp>(LocalHttpOptions{.field = "page.listen",
                                                       .listen = config.page.value(),
                                                       .connections = connections,
                                                       .most_bytes = most_body_bytes,
                                                       .log = log},
                                      [this](httplib::Server& server) { state_->add_routes(server); });
  if (new_token || !state_->token.exists()) state_->token.renew();
  state_->address = http_->address();
  state_->port = http_->port();
  log(LogLevel::info, fmt::format("page at {}; tacit page prints the link", page_address(address())));
}

PageServer::~PageServer() = default;

int PageServer::port() const { return http_->port(); }

std::string PageServer::address() const { return http_->address(); }

std::function<std::shared_ptr<LocalServer>(const AgentConfig&, const ServedCharter&, const LogSink&)>
page_opener() {
  return
      [new_token = true](const AgentConfig& config, const ServedCharter& served, const LogSink& log) mutable {
        const bool now = std::exchange(new_token, true);
        auto page = std::make_shared<PageServer>(config, served, log, now);
        new_token = false;
        return page;
      };
}

std::string page_address(const std::string& bound) { return "http://" + bound + "/"; }

}  // namespace tacit
