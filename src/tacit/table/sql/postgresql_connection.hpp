// Builds the connection string for PostgreSQL from the user's settings. For postgresql.cpp only.
#pragma once

#include <string>

#include "tacit/table/read_options.hpp"

namespace tacit {

/// Returns the connection string for SOCI: the options of the connection, the time limits, and the password
/// from the place that `how` names. The result is as secret as the password. Throws InputError, with `name`
/// for the connection, if libpq does not accept the connection or if it contains a password.
std::string postgresql_parameters(const std::string& connection, const std::string& name,
                                  const ReadOptions& how);

}  // namespace tacit
