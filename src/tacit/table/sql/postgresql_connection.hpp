// How a connection to PostgreSQL is made of what users say. For postgresql.cpp only.
#pragma once

#include <string>

#include "tacit/table/read_options.hpp"

namespace tacit {

/// What SOCI connects with: the connection's options, how long to wait, and the password from where `how`
/// says it is. It is as secret as the password. Throws InputError, with `name` for the connection, for one
/// that libpq does not understand or that holds a password.
std::string postgresql_parameters(const std::string& connection, const std::string& name,
                                  const ReadOptions& how);

}  // namespace tacit
