// What reading from the two kinds of databases shares. For sql.cpp, postgresql.cpp and sqlite.cpp only.
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

/// What users call the query, and the file with the password.
std::string query_setting(const ReadOptions& how);
std::string password_setting(const ReadOptions& how);

/// A query for all of the only table. Throws InputError when there is none, or several, which it lists.
std::string query_of_only_table(const std::string& name, const std::vector<std::string>& tables,
                                const ReadOptions& how);

/// The names of a result's columns. Throws InputError when two have the same.
void set_names(TableBuilder& builder, const std::vector<std::string>& names);

/// A cell that the database has as a number.
void take_number(TableBuilder& builder, std::size_t place, std::string_view number);

/// A cell without a value.
void take_null(TableBuilder& builder, std::size_t place);

/// The table of as many rows as were given. Throws InputError when there are none.
Table finished(TableBuilder& builder, std::size_t given);

/// What a database says, as part of a sentence: on one line, without remarks and full stops.
std::string one_line(std::string_view message);

/// A query that cannot be run.
InputError bad_query(const std::string& name, const ReadOptions& how, std::string_view problem);

/// A column of a type that no cell of a table can have.
InputError bad_type(const TableBuilder& builder, std::size_t place, std::string_view type,
                    std::string_view cure);

}  // namespace tacit
