# Installs those of LibTorch's libraries that the programs need, without their symbols for debuggers.
# Given: PROGRAMS, TORCH_FOLDER, LIBRARY_FOLDER, STRIP.

# A CUDA build of PyTorch brings more libraries; what torch_cpu needs of them comes along.
cmake_path(GET TORCH_FOLDER PARENT_PATH torch_package)
cmake_path(GET torch_package PARENT_PATH site_packages)
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${PROGRAMS}
    RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing
    POST_INCLUDE_REGEXES "^${site_packages}/" POST_EXCLUDE_REGEXES ".*")
if(missing)
    message(FATAL_ERROR "libraries that are not found: ${missing}")
endif()
set(folder "${CMAKE_INSTALL_PREFIX}/${LIBRARY_FOLDER}") # file(INSTALL) puts $DESTDIR before it by itself
foreach(library ${libraries})
    file(INSTALL "${library}" DESTINATION "${folder}" TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN)
    cmake_path(GET library FILENAME name)
    if(STRIP)
        file(REAL_PATH "$ENV{DESTDIR}${folder}/${name}" installed)
        execute_process(COMMAND "${STRIP}" --strip-unneeded "${installed}" COMMAND_ERROR_IS_FATAL ANY)
    endif()
endforeach()
file(GLOB licenses "${site_packages}/torch-*.dist-info/licenses/LICENSE"
    "${site_packages}/torch-*.dist-info/licenses/NOTICE")
file(INSTALL ${licenses} DESTINATION "${CMAKE_INSTALL_PREFIX}/share/doc/stagecraft/pytorch")
