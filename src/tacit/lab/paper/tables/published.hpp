// The rows of the paper's tab:computation_time as published.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace tacit {

/// A row as printed. [11] is secret sharing between two servers, [12] multi-key homomorphic encryption.
struct PublishedRow {
  std::string_view data;
  std::size_t agents, degree;
  std::array<std::string_view, 3> rmse_mean, rmse_variance;  ///< [11], [12], Ours
  std::string_view plain;                                    ///< seconds of distributed GPR
  std::array<std::string_view, 3> total;                     ///< seconds: [11], [12], Ours
};

inline constexpr std::array<PublishedRow, 6> published_table{{
    {"SARCOS",
     20,
     4,
     {"*", "<1e-4", "0.0192"},
     {"*", "<1e-4", "0.0003"},
     "0.4797 ± 0.1084",
     {">300", "7.2512 ± 0.8093", "0.5884 ± 0.1112"}},
    {"SARCOS",
     20,
     19,
     {"*", "<1e-4", "0.0004"},
     {"*", "<1e-4", "<1e-4"},
     "0.4631 ± 0.1048",
     {">300", "7.2512 ± 0.8093", "0.9377 ± 0.1073"}},
    {"SARCOS",
     40,
     4,
     {"*", "<1e-4", "0.6767"},
     {"*", "<1e-4", "0.0113"},
     "0.8686 ± 0.1950",
     {">300", "13.6856 ± 0.6155", "0.9899 ± 0.2016"}},
    {"Diabetes",
     10,
     4,
     {"0.0003", "<1e-4", "0.0128"},
     {"<1e-4", "<1e-4", "0.0003"},
     "0.0294 ± 0.0091",
     {"8.4878 ± 0.4520", "3.6482 ± 0.6539", "0.1348 ± 0.0103"}},
    {"Diabetes",
     20,
     4,
     {"0.0002", "<1e-4", "0.0271"},
     {"<1e-4", "<1e-4", "0.0001"},
     "0.0596 ± 0.0167",
     {"8.2794 ± 0.4755", "6.6910 ± 0.7717", "0.1676 ± 0.0207"}},
    {"Diabetes",
     20,
     19,
     {"0.0002", "<1e-4", "0.0041"},
     {"<1e-4", "<1e-4", "<1e-4"},
     "0.0620 ± 0.0259",
     {"8.2794 ± 0.4755", "6.6910 ± 0.7717", "0.1713 ± 0.0333"}},
}};

}  // namespace tacit
