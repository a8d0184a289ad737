// For Emscripten's linker: the script's half of values.hpp, which says what is whose.
addToLibrary({
  $values: "[null]", // by their places; none has the first
  $free: "[]",
  $keep__deps: ["$values", "$free"],
  $keep: (value) => {
    const place = free.pop() ?? values.length;
    values[place] = value;
    return place;
  },
  $end__deps: ["$values", "$free"],
  $end: (place) => {
    const value = values[place];
    values[place] = null;
    free.push(place);
    return value;
  },
  $textAt: (at, size) => new TextDecoder().decode(HEAPU8.slice(at, at + size)),

  octet_value_of_kind__deps: ["$keep"],
  octet_value_of_kind: (kind) => keep([undefined, null, false, true, {}, []][kind]),
  octet_value_of_number__deps: ["$keep"],
  octet_value_of_number: (number) => keep(number),
  octet_value_of_text__deps: ["$keep", "$textAt"],
  octet_value_of_text: (at, size) => keep(textAt(at, size)),
  octet_value_of_int32s__deps: ["$keep"],
  octet_value_of_int32s: (first, count) => keep(HEAP32.slice(first >> 2, (first >> 2) + count)),
  octet_value_copy__deps: ["$keep", "$values"],
  octet_value_copy: (place) => keep(values[place]),
  octet_value_get__deps: ["$keep", "$end", "$values"],
  octet_value_get: (place, key) => keep(values[place][end(key)]),
  octet_value_set__deps: ["$end", "$values"],
  octet_value_set: (place, key, element) => {
    values[place][end(key)] = end(element);
  },
  octet_value_is_undefined__deps: ["$values"],
  octet_value_is_undefined: (place) => values[place] === undefined,
  octet_value_number__deps: ["$values"],
  octet_value_number: (place) => Number(values[place]),
  octet_value_to_bytes__deps: ["$values"],
  octet_value_to_bytes: (place) => {
    if (typeof values[place] === "string") values[place] = new TextEncoder().encode(values[place]);
    return values[place].length;
  },
  octet_value_copy_bytes__deps: ["$values"],
  octet_value_copy_bytes: (place, first, count, to) => {
    first >>>= 0; // sizes come signed
    HEAPU8.set(values[place].subarray(first, first + count), to);
  },
  octet_value_end__deps: ["$end"],
  octet_value_end: (place) => {
    end(place);
  },
  octet_value_throw__deps: ["$end"],
  octet_value_throw: (place) => {
    throw end(place);
  },
  octet_value_function__deps: ["$end", "$keep", "$textAt", "$wasmTable"],
  octet_value_function: (name, size, call, func) => {
    Module[textAt(name, size)] = (request) => end(wasmTable.get(call)(func, keep(request)));
  },
});
