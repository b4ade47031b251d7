// Tables from databases, through SOCI: PostgreSQL (postgresql.cpp) and SQLite (sqlite.cpp).
//
// A connection is a text such as postgresql://user@host:5432/database?sslmode=require or sqlite://file. The
// rows of one query are read, one after another, and nothing in the database can change.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tacit/table/read_options.hpp"
#include "tacit/table/table.hpp"

namespace tacit {

/// Whether this is a connection and not the path of a file.
bool is_database(const std::filesystem::path& source);

/// Whether a file that begins with these bytes is a SQLite database.
bool is_sqlite(std::string_view first_bytes);

/// A connection for messages and logs: without anything that may be a password.
std::string database_name(const std::string& connection);

/// The rows of the query how.sql, or those of the only table that there is. Throws InputError: when the
/// connection holds a password, which belongs into a file or into the environment; when the database cannot
/// be opened, or refuses the query, with its own words; when a column that is read has a type that is neither
/// number, text nor date; and, as reading CSV does, for cells that cannot be what they should be. Throws
/// Error when a server does not answer or a file is locked, as that may pass.
Table read_sql(const std::string& connection, const TableOptions& columns, const ReadOptions& how);

}  // namespace tacit
