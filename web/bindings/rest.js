// Part of each of the page's programs, ahead of what Emscripten writes (cmake/page_split.cmake). Functions that no usual
// run calls are in a second file, which fills a table of their own. The first call of one has that file loaded; each thread
// does so for itself. What it calls of the first file it names by the places in that one's table (cmake/page_calls.mjs).
{
  const plain = getWasmImports;
  const address = import.meta.url.replace(/\.mjs$/, ".rest.wasm");
  const seal = "SEAL_OF_THE_REST"; // a checksum of the file that belongs to this one, put in by cmake/page_seal.mjs
  const tries = 20; // of a thread that others wait for, one a second
  const isOfOthers = typeof ENVIRONMENT_IS_PTHREAD !== "undefined" && ENVIRONMENT_IS_PTHREAD;

  /** What the page waits for in vain, and asks for again when it is needed again: what it runs goes on. */
  const missing = (what) => Object.assign(new Error(`${address} ${what}`), { name: "NetworkError" });

  const url = `${address}?${seal}`;
  let arrived = null;

  /** Where a call can be made again, it is ended rather than keeping all else waiting: `there` is fulfilled when it is time. */
  const onItsWay = () =>
    Object.assign(missing("is on its way"), {
      there: fetch(url).then(async (response) => {
        if (response.ok) arrived = new Uint8Array(await response.arrayBuffer());
      }),
    });

  /** What is there, or null where a network may yet bring it. */
  const fetched = () => {
    const request = new XMLHttpRequest();
    request.open("GET", url, false); // whoever calls waits for what the function returns
    request.responseType = "arraybuffer";
    try {
      request.send();
    } catch {
      return null;
    }
    if (request.status === 0 || request.status >= 500) return null;
    if (request.status !== 200) throw missing(request.status);
    return new Uint8Array(request.response);
  };

  const checked = (bytes) => {
    let checksum = 0x811c9dc5;
    for (const byte of bytes) checksum = Math.imul(checksum ^ byte, 0x01000193) >>> 0;
    if (checksum.toString(16) !== seal) throw missing("is of another day than the page: load the page anew");
    return bytes;
  };

  const load = () => {
    if (!arrived && Module.canCallAgain) throw onItsWay();
    let bytes = arrived ?? fetched();
    arrived = null; // what is not of use is asked for anew
    for (let again = 1; !bytes && isOfOthers && again < tries; ++again) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      bytes = fetched();
    }
    if (!bytes) throw missing("does not arrive");
    const primary = new Proxy(wasmExports, { get: (named, name) => named[name] ?? wasmTable.get(Number(name)) });
    new WebAssembly.Instance(new WebAssembly.Module(checked(bytes)), { primary });
  };

  getWasmImports = () => ({ ...plain(), rest: { load } });
}
