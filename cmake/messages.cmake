# Generates code for protobuf messages by protoc. Warnings are disabled for the generated code.
#
#   tacit_messages(sources ROOM link/transport NAMES wire)                          messages only
#   tacit_messages(sources ROOM agent/control SERVICES control IMPORTS a.proto)     with a gRPC service
#
# The code is written to TACIT_GENERATED; ${sources} receives the names of the source files.
find_program(protoc protoc REQUIRED)
set(TACIT_GENERATED ${PROJECT_BINARY_DIR}/generated)
function(tacit_messages into)
  cmake_parse_arguments(made "" "ROOM" "NAMES;SERVICES;IMPORTS" ${ARGN})
  set(folder ${PROJECT_SOURCE_DIR}/src/tacit/${made_ROOM})
  set(code ${TACIT_GENERATED}/tacit/${made_ROOM})
  set(call ${protoc} --cpp_out=${TACIT_GENERATED} -I ${PROJECT_SOURCE_DIR}/src)
  file(MAKE_DIRECTORY ${code})
  set(all)
  foreach(name IN LISTS made_NAMES)
    add_custom_command(OUTPUT ${code}/${name}.pb.cc ${code}/${name}.pb.h
      COMMAND ${call} ${folder}/${name}.proto DEPENDS ${folder}/${name}.proto ${made_IMPORTS})
    list(APPEND all ${code}/${name}.pb.cc)
  endforeach()
  foreach(name IN LISTS made_SERVICES)
    find_program(grpc_cpp_plugin grpc_cpp_plugin REQUIRED)
    add_custom_command(
      OUTPUT ${code}/${name}.pb.cc ${code}/${name}.pb.h ${code}/${name}.grpc.pb.cc ${code}/${name}.grpc.pb.h
      COMMAND ${call} --grpc_out=${TACIT_GENERATED} --plugin=protoc-gen-grpc=${grpc_cpp_plugin} ${folder}/${name}.proto
      DEPENDS ${folder}/${name}.proto ${made_IMPORTS})
    list(APPEND all ${code}/${name}.pb.cc ${code}/${name}.grpc.pb.cc)
  endforeach()
  set_source_files_properties(${all} PROPERTIES COMPILE_OPTIONS -w SKIP_PRECOMPILE_HEADERS ON)
  set(${into} ${all} PARENT_SCOPE)
endfunction()
