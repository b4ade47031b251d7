// Functions that the readers of both kinds of databases share. For sql.cpp, postgresql.cpp and sqlite.cpp
// only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/table/table_builder.hpp"

namespace tacit {

/// `connection` starts with sqlite://.
Table read_sqlite(const std::string& connection, const TableOptions& columns, const ReadOptions& how);
/// `connection` starts with postgresql:// or postgres://.
Table read_postgresql(const std::string& connection, const TableOptions& columns, const ReadOptions& how);

/// Return the names of the user's settings for the query and for the password.
std::string query_setting(const ReadOptions& how);
std::string password_setting(const ReadOptions& how);

/// Returns a query for all rows of the only table. Throws InputError if there is no table, or if there are
/// several, which it lists.
std::string query_of_only_table(const std::string& name, const std::vector<std::string>& tables,
                                const ReadOptions& how);

/// Passes the names of a result's columns to the builder. Throws InputError if two are equal.
void set_names(TableBuilder& builder, const std::vector<std::string>& names);

/// Takes a cell that is a number in the database.
void take_number(TableBuilder& builder, std::size_t place, std::string_view number);

/// Takes a cell without a value.
void take_null(TableBuilder& builder, std::size_t place);

/// Returns the finished table. Throws InputError if the number of rows given is 0.
Table finished(TableBuilder& builder, std::size_t given);

/// Returns a database's message as part of a sentence: on one line, without remarks and full stops.
std::string one_line(std::string_view message);

/// The error for a query that cannot be run.
InputError bad_query(const std::string& name, const ReadOptions& how, std::string_view problem);

/// The error for a column whose type a table cannot contain.
InputError bad_type(const TableBuilder& builder, std::size_t place, std::string_view type,
                    std::string_view cure);

}  // namespace tacit
