// For Emscripten's linker (cmake/page_split.cmake): of the types that Embind makes known, those of which no value crosses here
// (octet_web.cpp). Their code, and what only they need, is left out of the script.
const unused = ["_embind_register_bigint", "_embind_register_memory_view", "_embind_register_std_wstring"];
addToLibrary(
  Object.fromEntries(
    unused.flatMap((name) => [
      [name, () => {}],
      [`${name}__deps`, []],
    ]),
  ),
);
