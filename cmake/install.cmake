# cmake --install puts the rooms under a prefix, where find_package(octet) finds them: libraries, the sources of their
# interfaces (each project that imports them compiles those for itself, and nothing else), and what tells CMake of both.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

function(octet_install)
  get_property(libraries GLOBAL PROPERTY OCTET_LIBRARIES)
  foreach(target ${libraries})  # octet_base is octet::base to others too
    string(REGEX REPLACE "^octet_" "" name ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  endforeach()
  set(package "${CMAKE_INSTALL_LIBDIR}/cmake/octet")
  install(TARGETS ${libraries} EXPORT octet
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    FILE_SET CXX_MODULES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/octet")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/modules/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/octet"
    FILES_MATCHING PATTERN "*.hpp")  # which some interfaces include
  # What rooms are made of, and whoever links them links too.
  install(TARGETS octet_options octet_simdjson octet_xtensor_headers octet_xtl EXPORT octet
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(EXPORT octet NAMESPACE octet:: FILE octet-targets.cmake DESTINATION "${package}"
    CXX_MODULES_DIRECTORY modules)
  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/octet-config.cmake.in"
    "${PROJECT_BINARY_DIR}/octet-config.cmake" INSTALL_DESTINATION "${package}")
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/octet-config-version.cmake" COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/octet-config.cmake" "${PROJECT_BINARY_DIR}/octet-config-version.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/compiler.cmake" DESTINATION "${package}")
endfunction()
