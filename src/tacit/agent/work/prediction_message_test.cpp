#include "tacit/agent/work/prediction_message.hpp"

#include <gtest/gtest.h>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

Prediction some_prediction() {
  return {Matrix{{1, 2}, {3, 4}, {5, 6}}, Matrix{{0.1, 0.2}, {0.3, 0.7}, {1.1, 1.3}},
          Matrix{{0.2, 0.4}, {0.6, 0.8}, {1.2, 1.7}}};
}

requests::Predicted some_message() {
  return message_of(some_prediction(), {{"a", 0, 1, {}}, {"b", 0, 1, {}}});
}

// A root and a square would change the last bits of 0.3 and 0.7.
TEST(Predicted, VariancesArriveToTheBit) {
  const Prediction found = some_prediction(), back = prediction_of(some_message());
  EXPECT_EQ(back.mean, found.mean);
  EXPECT_EQ(back.latent_variance, found.latent_variance);
  EXPECT_EQ(back.observed_variance, found.observed_variance);
}

TEST(Predicted, AMessageWithoutVariancesIsIncomplete) {
  requests::Predicted message = some_message();
  message.clear_observed_variance();
  EXPECT_THROW(prediction_of(message), Error);
}

}  // namespace
}  // namespace tacit
