# Installs what else the programs need to run where nothing of it is: Qt and the other libraries, Qt's plugins,
# Graphviz's dot, a font, the keyboard tables. The C and C++ libraries and graphics drivers are the system's.
# Given: PROGRAMS, QMAKE (with the window only), LIBRARY_FOLDER, TORCH_FOLDER, PACKAGING.

set(root "${CMAKE_INSTALL_PREFIX}") # file(INSTALL) puts $DESTDIR before it by itself
set(folder "${root}/${LIBRARY_FOLDER}")
set(modules "")

if(QMAKE)
    execute_process(COMMAND "${QMAKE}" -query QT_INSTALL_PLUGINS OUTPUT_VARIABLE qt_plugins
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    foreach(plugin platforms/libqxcb platforms/libqoffscreen xcbglintegrations/libqxcb-glx-integration
                   xcbglintegrations/libqxcb-egl-integration imageformats/libqsvg iconengines/libqsvgicon)
        list(APPEND modules "${qt_plugins}/${plugin}.so")
        cmake_path(GET plugin PARENT_PATH kind)
        file(INSTALL "${qt_plugins}/${plugin}.so" DESTINATION "${folder}/qt/${kind}")
    endforeach()
    file(WRITE "$ENV{DESTDIR}${root}/bin/qt.conf" "[Paths]\nPrefix = ../${LIBRARY_FOLDER}\nPlugins = qt\n")
    file(INSTALL /usr/share/fonts/truetype/dejavu/ DESTINATION "${folder}/fonts" FILES_MATCHING PATTERN "*.ttf")
    file(INSTALL "${PACKAGING}/fonts.conf" DESTINATION "${folder}/fonts")
    file(INSTALL /usr/share/X11/xkb/ DESTINATION "${folder}/xkb")
endif()

# dot says in its own words where its plugins are.
find_program(DOT dot REQUIRED)
execute_process(COMMAND "${DOT}" -v -Tplain -o /dev/null /dev/null ERROR_VARIABLE told)
if(NOT told MATCHES "libdir = \"([^\"]+)\"")
    message(FATAL_ERROR "dot -v does not tell its libdir: ${told}")
endif()
set(dot_plugins "${CMAKE_MATCH_1}")
file(REAL_PATH "${DOT}" dot_program)
foreach(plugin core dot_layout)
    file(GLOB library "${dot_plugins}/libgvplugin_${plugin}.so.?")
    list(APPEND modules "${library}")
    file(INSTALL "${library}" DESTINATION "${folder}/graphviz" FOLLOW_SYMLINK_CHAIN)
endforeach()
file(INSTALL "${dot_program}" DESTINATION "${folder}/graphviz" RENAME dot USE_SOURCE_PERMISSIONS)
file(INSTALL "${PACKAGING}/bundled_dot.sh" DESTINATION "${folder}/bin" RENAME dot
    PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${PROGRAMS} "${dot_program}" MODULES ${modules}
    RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing
    PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|util|resolv|mvec|nsl|stdc\\+\\+|gcc_s)\\.so"
    POST_EXCLUDE_REGEXES "^${TORCH_FOLDER}/")
if(missing)
    message(FATAL_ERROR "libraries that are not found: ${missing}")
endif()
foreach(library ${libraries})
    file(INSTALL "${library}" DESTINATION "${folder}" TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN)
    execute_process(COMMAND dpkg-query --search "${library}" OUTPUT_VARIABLE owner ERROR_QUIET)
    if(owner MATCHES "^([^:]+):" AND EXISTS "/usr/share/doc/${CMAKE_MATCH_1}/copyright")
        file(INSTALL "/usr/share/doc/${CMAKE_MATCH_1}/copyright"
            DESTINATION "${root}/share/doc/stagecraft/bundled" RENAME "${CMAKE_MATCH_1}")
    endif()
endforeach()
execute_process(COMMAND "$ENV{DESTDIR}${folder}/bin/dot" -c COMMAND_ERROR_IS_FATAL ANY) # writes the list of its plugins
