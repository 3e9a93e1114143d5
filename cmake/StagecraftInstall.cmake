# What is installed, and what is packed of it.
#
#   cmake --install build/release --prefix DIR     the programs, what they read, LibTorch's libraries beside them
#   cpack --config build/release/CPackConfig.cmake -G DEB     the same; the rest comes from Debian's packages
#   cpack --config build/release/CPackConfig.cmake -G TGZ     with all libraries, Qt's plugins, Graphviz, a font:
#                                                             an archive that runs from any folder
#
# bin/ finds lib/stagecraft and share/stagecraft by where it is itself, so what is installed can be moved.

set(STAGECRAFT_LIBRARY_FOLDER lib/stagecraft)
set(STAGECRAFT_DATA_FOLDER share/stagecraft) # core/base/resources.cpp knows both
set(STAGECRAFT_PROGRAMS stagecraft-cli)
if(STAGECRAFT_GUI)
    list(APPEND STAGECRAFT_PROGRAMS stagecraft)
endif()

# An RPATH, not a RUNPATH: it holds for what the libraries need of each other as well, and for Qt's plugins.
set_target_properties(${STAGECRAFT_PROGRAMS} PROPERTIES INSTALL_RPATH "$ORIGIN/../${STAGECRAFT_LIBRARY_FOLDER}")
foreach(_program ${STAGECRAFT_PROGRAMS})
    target_link_options(${_program} PRIVATE LINKER:--disable-new-dtags)
endforeach()
install(TARGETS ${STAGECRAFT_PROGRAMS} RUNTIME DESTINATION bin COMPONENT program)
install(DIRECTORY resources/devices resources/examples resources/python
    DESTINATION ${STAGECRAFT_DATA_FOLDER} COMPONENT program PATTERN __pycache__ EXCLUDE)
# The manual and the shells' completions are written by the program itself.
set(_written "${CMAKE_BINARY_DIR}/written")
file(MAKE_DIRECTORY "${_written}")
foreach(_page "manual:stagecraft-cli.1:share/man/man1"
              "completion bash:stagecraft-cli:share/bash-completion/completions"
              "completion zsh:_stagecraft-cli:share/zsh/site-functions"
              "completion fish:stagecraft-cli.fish:share/fish/vendor_completions.d")
    string(REPLACE ":" ";" _page "${_page}")
    list(GET _page 0 _command)
    list(GET _page 1 _name)
    list(GET _page 2 _folder)
    string(REPLACE " " "\" \"" _command "${_command}")
    install(CODE "execute_process(COMMAND \"$<TARGET_FILE:stagecraft-cli>\" \"${_command}\"
        OUTPUT_FILE \"${_written}/${_name}\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)
    install(FILES "${_written}/${_name}" DESTINATION ${_folder} COMPONENT program)
endforeach()
install(FILES LICENSE DESTINATION share/doc/stagecraft RENAME copyright COMPONENT program)
if(STAGECRAFT_GUI)
    install(FILES packaging/stagecraft.1 DESTINATION share/man/man1 COMPONENT program)
    install(FILES packaging/stagecraft.desktop DESTINATION share/applications COMPONENT program)
    install(FILES packaging/stagecraft-mime.xml RENAME stagecraft.xml
        DESTINATION share/mime/packages COMPONENT program)
    install(FILES packaging/io.github.stagecraft.metainfo.xml DESTINATION share/metainfo COMPONENT program)
    install(FILES resources/icons/stagecraft.svg DESTINATION share/icons/hicolor/scalable/apps COMPONENT program)
endif()

# Which libraries there are is asked of the linked programs when they are installed.
set(_settings "set(PROGRAMS $<TARGET_FILE:stagecraft-cli>)\n")
if(STAGECRAFT_GUI)
    string(APPEND _settings "list(APPEND PROGRAMS $<TARGET_FILE:stagecraft>)\n")
    get_target_property(_qmake Qt6::qmake IMPORTED_LOCATION)
    string(APPEND _settings "set(QMAKE \"${_qmake}\")\n")
endif()
get_target_property(_torch_cpu Torch::cpu IMPORTED_LOCATION)
cmake_path(GET _torch_cpu PARENT_PATH _torch_folder)
string(APPEND _settings
    "set(TORCH_FOLDER \"${_torch_folder}\")\n"
    "set(LIBRARY_FOLDER \"${STAGECRAFT_LIBRARY_FOLDER}\")\n"
    "set(PACKAGING \"${CMAKE_SOURCE_DIR}/packaging\")\n"
    "set(STRIP \"${CMAKE_STRIP}\")\n")
install(CODE "${_settings}" COMPONENT program)
install(SCRIPT cmake/InstallTorch.cmake COMPONENT program)
install(CODE "${_settings}" COMPONENT bundle EXCLUDE_FROM_ALL)
install(SCRIPT cmake/InstallBundle.cmake COMPONENT bundle EXCLUDE_FROM_ALL)

set(CPACK_PACKAGE_NAME stagecraft)
set(CPACK_PACKAGE_VENDOR Stagecraft)
set(CPACK_PACKAGE_CONTACT "Stagecraft <stagecraft@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Split PyTorch models into pipeline stages")
set(CPACK_PACKAGE_DESCRIPTION "Opens a PyTorch model, shows where its memory and time go, finds the stage boundaries \
with a proven bound, lets you drag them, and exports stages that run under torch.distributed.pipelining. \
stagecraft-cli does the same without a display.")
set(CPACK_PACKAGE_FILE_NAME "stagecraft-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/packages")
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_STAGECRAFT_BUILD "${CMAKE_BINARY_DIR}")
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_SOURCE_DIR}/cmake/StagecraftPackages.cmake")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${_torch_folder}")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "graphviz, fonts-dejavu-core")
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
include(CPack)
