// Reads tables from databases through SOCI: PostgreSQL (postgresql.cpp) and SQLite (sqlite.cpp).
//
// A connection is a text such as postgresql://user@host:5432/database?sslmode=require or sqlite://file. The
// rows of one query are read one after another. Nothing in the database can change.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tacit/table/read_options.hpp"
#include "tacit/table/table.hpp"

namespace tacit {

/// Returns whether this is a connection and not the path of a file.
bool is_database(const std::filesystem::path& source);

/// Returns whether a file that begins with these bytes is a SQLite database.
bool is_sqlite(std::string_view first_bytes);

/// Returns a connection for messages and logs, without any part that may be a password.
std::string database_name(const std::string& connection);

/// Reads the rows of the query how.sql, or of the only table. Throws InputError if
/// - the connection contains a password, which belongs in a file or in the environment,
/// - the database cannot be opened or refuses the query, with the database's own message,
/// - a column that is read is neither a number nor a text nor a date,
/// - cells are invalid, as for CSV.
/// Throws Error if a server does not answer or a file is locked, because these faults may be temporary.
Table read_sql(const std::string& connection, const TableOptions& columns, const ReadOptions& how);

}  // namespace tacit
