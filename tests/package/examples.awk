# Extracts the examples of docs/library.md: awk -v into=FOLDER/ -f examples.awk docs/library.md writes gp1.cpp, gp2.cpp,
# ... The first line of each example is "// component: description".
/^```/ { file = "" }
$0 == "```cpp" { getline; sub(":", "", $2); n[$2] += 1; file = into $2 n[$2] ".cpp" }
file { print > file }
