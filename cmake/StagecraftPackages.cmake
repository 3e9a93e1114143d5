# What goes into each kind of package; read by cpack.
set(CPACK_INSTALL_CMAKE_PROJECTS "${CPACK_STAGECRAFT_BUILD};Stagecraft;program;/")
if(CPACK_GENERATOR STREQUAL "DEB")
    set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
else()
    list(APPEND CPACK_INSTALL_CMAKE_PROJECTS "${CPACK_STAGECRAFT_BUILD};Stagecraft;bundle;/")
endif()
