#include "tacit/link/transport/stream.hpp"

#include <grpcpp/client_context.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/client_callback.h>
#include <grpcpp/support/server_callback.h>

#include <mutex>

namespace tacit {
namespace {

using grpc::ByteBuffer;

// What both ends of a stream have in common: how they read, write and end.
template <class Reactor>
class ReactingStream : public Stream, public Reactor {
 public:
  explicit ReactingStream(Owner& owner) : owner_(owner) {}

  void write(const ByteBuffer& bytes) override {
    const std::lock_guard lock(guard_);
    if (closing_) return;
    writing_ = true;
    out_ = bytes;  // shares the slices
    this->StartWrite(&out_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) return close(Closing::orderly);
    owner_.on_frame(*this, in_);
    this->StartRead(&in_);
  }
  void OnWriteDone(bool ok) override {
    {
      const std::lock_guard lock(guard_);
      writing_ = false;
      if (closing_) return finish_when_written();
    }
    if (ok) owner_.on_written(*this);
  }

 protected:
  // Ends the writes of this side. Called once, with guard_ held, when no write is in progress.
  virtual void finish() = 0;

  void finish_when_written() {
    if (writing_ || finished_) return;
    finished_ = true;
    finish();
  }

  Owner& owner_;
  std::mutex guard_;
  bool writing_ = false, closing_ = false, finished_ = false;
  ByteBuffer in_, out_;
};

class Dialled final : public ReactingStream<grpc::ClientBidiReactor<ByteBuffer, ByteBuffer>> {
 public:
  using ReactingStream::ReactingStream;

  void start(const std::shared_ptr<grpc::Channel>& channel, std::shared_ptr<Dialled> self) {
    self_ = std::move(self);
    grpc::GenericStub(channel).PrepareBidiStreamingCall(context_.get(), talk_method, {}, this);
    AddHold();  // other threads start writes
    StartRead(&in_);
    StartCall();
  }

  void close(Closing how) override {
    std::shared_ptr<grpc::ClientContext> context;
    {
      const std::lock_guard lock(guard_);
      context = context_;
      closing_ = true;
      finish_when_written();
    }
    if (how == Closing::now && context) context->TryCancel();
  }

  void OnDone(const grpc::Status& status) override {
    {
      // The context holds a reference to the channel. It is released before on_closed, so that the owner
      // releases the last one. Released on a thread of gRPC's, the last reference would make gRPC 1.51 wait
      // for itself and then free its queue twice (grpc/grpc pull request 32584).
      const std::lock_guard lock(guard_);
      context_.reset();
    }
    owner_.on_closed(*this, status.ok() ? "closed by the other side" : status.error_message());
    self_.reset();
  }

 private:
  void finish() override {
    StartWritesDone();
    RemoveHold();
  }

  std::shared_ptr<Dialled> self_;
  std::shared_ptr<grpc::ClientContext> context_ = std::make_shared<grpc::ClientContext>();
};

class Answered final : public ReactingStream<grpc::ServerGenericBidiReactor> {
 public:
  Answered(grpc::CallbackServerContext& context, Owner& owner) : ReactingStream(owner), context_(context) {}

  void start(std::shared_ptr<Answered> self) {
    self_ = std::move(self);
    StartSendInitialMetadata();
    StartRead(&in_);
  }

  void close(Closing how) override {
    const std::lock_guard lock(guard_);
    closing_ = true;
    if (finished_) return;  // the context may not exist any more
    if (how == Closing::now) context_.TryCancel();
    finish_when_written();
  }

  void OnCancel() override { close(Closing::orderly); }
  void OnDone() override {
    owner_.on_closed(*this, "closed");
    self_.reset();
  }

 private:
  void finish() override { Finish(grpc::Status::OK); }

  grpc::CallbackServerContext& context_;
  std::shared_ptr<Answered> self_;
};

}  // namespace

std::shared_ptr<Stream> dial(const std::shared_ptr<grpc::Channel>& channel, Stream::Owner& owner) {
  auto stream = std::make_shared<Dialled>(owner);
  stream->start(channel, stream);
  return stream;
}

Accepted accept(grpc::CallbackServerContext& context, Stream::Owner& owner) {
  auto stream = std::make_shared<Answered>(context, owner);
  Answered* reactor = stream.get();
  stream->start(stream);
  return {std::move(stream), reactor};
}

grpc::ServerGenericBidiReactor* refuse(grpc::StatusCode code, const std::string& why) {
  struct Refused final : grpc::ServerGenericBidiReactor {
    void OnDone() override { delete this; }
  };
  auto* reactor = new Refused;
  reactor->Finish({code, why});
  return reactor;
}

}  // namespace tacit
