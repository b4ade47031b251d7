#include "tacit/data/sql.hpp"

#include <gtest/gtest.h>
