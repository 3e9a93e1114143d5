# LibTorch's CPU libraries, as the target Torch::cpu.
#
# The wheel's own TorchConfig.cmake asks for a CUDA toolkit wherever torch was built with CUDA, which is what most
# package indexes offer. Stagecraft needs torch_cpu and c10 only, and those are the same in every build: so they are
# looked for by name, and no toolkit is asked for.
#
#   Torch_ROOT or CMAKE_PREFIX_PATH   where to look first: an unpacked LibTorch, or site-packages/torch
#
# Sets TorchCpu_FOUND and TorchCpu_VERSION.

find_path(TorchCpu_INCLUDE_DIR NAMES torch/headeronly/version.h)
find_library(TorchCpu_LIBRARY NAMES torch_cpu)
find_library(TorchCpu_C10_LIBRARY NAMES c10)

if(TorchCpu_INCLUDE_DIR)
    file(STRINGS "${TorchCpu_INCLUDE_DIR}/torch/headeronly/version.h" _version_lines
         REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
    list(TRANSFORM _version_lines REPLACE ".* ([0-9]+)$" "\\1")
    list(JOIN _version_lines "." TorchCpu_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(TorchCpu
    REQUIRED_VARS TorchCpu_LIBRARY TorchCpu_C10_LIBRARY TorchCpu_INCLUDE_DIR
    VERSION_VAR TorchCpu_VERSION)

if(TorchCpu_FOUND AND NOT TARGET Torch::cpu)
    add_library(Torch::c10 SHARED IMPORTED)
    set_target_properties(Torch::c10 PROPERTIES IMPORTED_LOCATION "${TorchCpu_C10_LIBRARY}")
    target_include_directories(Torch::c10 SYSTEM INTERFACE "${TorchCpu_INCLUDE_DIR}")
    add_library(Torch::cpu SHARED IMPORTED)
    set_target_properties(Torch::cpu PROPERTIES IMPORTED_LOCATION "${TorchCpu_LIBRARY}")
    target_include_directories(Torch::cpu SYSTEM INTERFACE
        "${TorchCpu_INCLUDE_DIR}" "${TorchCpu_INCLUDE_DIR}/torch/csrc/api/include")
    target_link_libraries(Torch::cpu INTERFACE Torch::c10)
endif()
