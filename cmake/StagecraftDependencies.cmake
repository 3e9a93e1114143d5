# Finds what Stagecraft builds on. Torch is the wheel in the project's own virtual environment
# (packaging/setup.sh makes it); another LibTorch can be named with CMAKE_PREFIX_PATH.

file(GLOB _stagecraft_venv_torch "${CMAKE_SOURCE_DIR}/.venv/lib/python3*/site-packages/torch")
list(APPEND CMAKE_PREFIX_PATH ${_stagecraft_venv_torch})

find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(OpenSSL 3.0 REQUIRED COMPONENTS Crypto)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(simdjson REQUIRED)
find_package(CLI11 REQUIRED)
find_package(TorchCpu 2.13 REQUIRED)

if(STAGECRAFT_GUI)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Widgets Svg)

    # Debian's CMake files of these two libraries know only their Qt 5 builds.
    find_library(QCUSTOMPLOT_LIBRARY NAMES QCustomPlotQt6 REQUIRED)
    find_path(QCUSTOMPLOT_INCLUDE_DIR NAMES qcustomplot.h REQUIRED)
    add_library(QCustomPlotQt6 INTERFACE IMPORTED)
    target_link_libraries(QCustomPlotQt6 INTERFACE "${QCUSTOMPLOT_LIBRARY}" Qt6::Widgets)
    target_include_directories(QCustomPlotQt6 SYSTEM INTERFACE "${QCUSTOMPLOT_INCLUDE_DIR}")

    find_library(QSCINTILLA_LIBRARY NAMES qscintilla2_qt6 REQUIRED)
    find_path(QSCINTILLA_INCLUDE_DIR NAMES Qsci/qsciscintilla.h PATH_SUFFIXES x86_64-linux-gnu/qt6 qt6
              PATHS /usr/include REQUIRED)
    add_library(QScintillaQt6 INTERFACE IMPORTED)
    target_link_libraries(QScintillaQt6 INTERFACE "${QSCINTILLA_LIBRARY}" Qt6::Widgets)
    target_include_directories(QScintillaQt6 SYSTEM INTERFACE "${QSCINTILLA_INCLUDE_DIR}")
endif()
if(STAGECRAFT_TESTS)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
endif()
