# The three kinds of target that Stagecraft is made of: rooms of the engine, tests, and programs.

add_library(stagecraft_warnings INTERFACE)
target_compile_options(stagecraft_warnings INTERFACE
    -Wall -Wextra -Wconversion -Wshadow
    -Wno-missing-field-initializers # designated initializers leave out what has a default
    -Wno-restrict                   # GCC 12 sees overlaps in std::string that are not there
    $<$<BOOL:${CMAKE_UNITY_BUILD}>:-Wno-subobject-linkage> # a .cpp's own types, now in an included file
    $<$<BOOL:${STAGECRAFT_WERROR}>:-Werror>)

# Qt 6.4's moc cannot parse some C++20 library headers; without the compiler's own macros it skips their bodies.
set(CMAKE_AUTOMOC_COMPILER_PREDEFINES OFF)

# stagecraft_room(NAME [DEPENDS room...] [LINK library...] SOURCES file... [TORCH_SOURCES file...])
#
# One static library a room of core/, so that a room can only use the rooms it names. Files that include
# Torch are listed apart: they share one precompiled header, and Torch never reaches a room's users.
function(stagecraft_room name)
    cmake_parse_arguments(ARG "" "" "DEPENDS;LINK;SOURCES;TORCH_SOURCES" ${ARGN})
    set(objects "")
    if(ARG_TORCH_SOURCES)
        add_library(core_${name}_torch OBJECT ${ARG_TORCH_SOURCES})
        target_include_directories(core_${name}_torch PRIVATE "${CMAKE_SOURCE_DIR}")
        target_link_libraries(core_${name}_torch PRIVATE stagecraft_warnings Torch::cpu nlohmann_json::nlohmann_json)
        target_precompile_headers(core_${name}_torch REUSE_FROM core_torch_pch)
        set(objects $<TARGET_OBJECTS:core_${name}_torch>)
    endif()
    if(NOT ARG_SOURCES)
        set(ARG_SOURCES "${CMAKE_SOURCE_DIR}/cmake/empty.cpp")
    endif()
    add_library(core_${name} STATIC ${ARG_SOURCES} ${objects})
    target_include_directories(core_${name} PUBLIC "${CMAKE_SOURCE_DIR}")
    target_link_libraries(core_${name} PRIVATE stagecraft_warnings)
    foreach(room ${ARG_DEPENDS})
        target_link_libraries(core_${name} PUBLIC core_${room})
    endforeach()
    target_link_libraries(core_${name} PRIVATE ${ARG_LINK})
    if(ARG_TORCH_SOURCES)
        target_link_libraries(core_${name} PRIVATE Torch::cpu)
    endif()
endfunction()

# stagecraft_torch_cases(NAME LINK library... SOURCES file...)
#
# What a Qt Test program cannot hold itself, because Torch and Qt never meet in one file. The program includes its
# headers from the folder it stands in.
function(stagecraft_torch_cases name)
    cmake_parse_arguments(ARG "" "" "LINK;SOURCES" ${ARGN})
    add_library(${name} STATIC ${ARG_SOURCES})
    target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
    target_link_libraries(${name} PRIVATE stagecraft_warnings ${ARG_LINK} Torch::cpu nlohmann_json::nlohmann_json)
    target_precompile_headers(${name} REUSE_FROM core_torch_pch)
endfunction()

# What ctest gives a test, in seconds: so long takes only one that hangs, however busy the machine is.
set(STAGECRAFT_HANG_GUARD 1200)

# stagecraft_test(FILE [EACH] [LINK library...])
#
# A Qt Test program tst_<name>.cpp, run offscreen, a minute long at most on a quiet machine. Optimised only a
# little: what is slow in it is the engine. Models may be written in it as text (tests/core/graph_text). EACH:
# its test functions are tests of their own, which ctest runs side by side. Qt's own guard (300 s) would end one
# that waits in vain (tests/patience.h) before it says for what; Qt 6.4 may count all rows of a function as one.
function(stagecraft_test file)
    cmake_parse_arguments(ARG "EACH" "" "LINK" ${ARGN})
    get_filename_component(name "${file}" NAME_WE)
    add_executable(${name} ${file})
    set_target_properties(${name} PROPERTIES AUTOMOC ON UNITY_BUILD OFF)
    target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}" "${CMAKE_SOURCE_DIR}/tests")
    target_compile_definitions(${name} PRIVATE
        STAGECRAFT_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data"
        STAGECRAFT_RESOURCES="${CMAKE_SOURCE_DIR}/resources"
        STAGECRAFT_PYTHON="${CMAKE_SOURCE_DIR}/.venv/bin/python")
    target_link_libraries(${name} PRIVATE Qt6::Test stagecraft_warnings ${ARG_LINK} graph_text_parser)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    if(ARG_EACH)
        stagecraft_test_functions(functions "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
        foreach(function ${functions})
            add_test(NAME ${name}_${function} COMMAND ${name} ${function})
            list(APPEND tests ${name}_${function})
        endforeach()
    else()
        add_test(NAME ${name} COMMAND ${name})
        set(tests ${name})
    endif()
    set_tests_properties(${tests} PROPERTIES TIMEOUT ${STAGECRAFT_HANG_GUARD}
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;XDG_RUNTIME_DIR=${CMAKE_BINARY_DIR}/runtime;QTEST_FUNCTION_TIMEOUT=${STAGECRAFT_HANG_GUARD}000")
endfunction()

# The names of a Qt Test program's functions: its private slots, but for those that make data or a fixture.
function(stagecraft_test_functions result file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(STRINGS "${file}" lines REGEX "^(private slots:|private:|public:|    void [A-Za-z0-9]+\\(\\))")
    set(inSlots FALSE)
    foreach(line ${lines})
        if(line MATCHES "^p")
            string(COMPARE EQUAL "${line}" "private slots:" inSlots)
        elseif(inSlots AND line MATCHES "^    void ([A-Za-z0-9]+)")
            set(function ${CMAKE_MATCH_1})
            if(NOT function MATCHES "^(init|cleanup)(TestCase)?$")
                list(APPEND functions ${function})
            endif()
        endif()
    endforeach()
    if(NOT functions)
        message(FATAL_ERROR "no test function in ${file}")
    endif()
    set(${result} ${functions} PARENT_SCOPE)
endfunction()
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/runtime")
file(CHMOD "${CMAKE_BINARY_DIR}/runtime" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

# stagecraft_bench(FILE [LINK library...])
#
# A program that prints times as ratios against a peer. Built with everything else so that it cannot rot; never
# run by ctest.
function(stagecraft_bench file)
    cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
    get_filename_component(name "${file}" NAME_WE)
    add_executable(${name} ${file})
    target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
    target_compile_definitions(${name} PRIVATE
        STAGECRAFT_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data"
        STAGECRAFT_RESOURCES="${CMAKE_SOURCE_DIR}/resources"
        STAGECRAFT_BENCH="${CMAKE_SOURCE_DIR}/tests/bench"
        STAGECRAFT_PYTHON="${CMAKE_SOURCE_DIR}/.venv/bin/python")
    target_link_libraries(${name} PRIVATE stagecraft_warnings ${ARG_LINK})
endfunction()
