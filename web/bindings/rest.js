// Part of each of the page's programs, ahead of what Emscripten writes (cmake/page_split.cmake). Functions that no usual
// run calls are in a second file: in their place the first has imports "0", "1", ..., by their places in a table of their own.
// The first call of one loads that file, which puts the functions there; each thread does so for itself.
{
  const plain = getWasmImports;
  const address = import.meta.url.replace(/\.mjs$/, ".rest.wasm");
  let table = null;

  const fetched = () => {
    const request = new XMLHttpRequest();
    request.open("GET", address, false); // whoever calls waits for what the function returns
    request.responseType = "arraybuffer";
    request.send();
    if (request.status !== 200) throw new Error(String(request.status));
    return request.response;
  };

  const load = () => {
    while (!table) {
      try {
        new WebAssembly.Instance(new WebAssembly.Module(fetched()), { primary: wasmExports });
        const tables = Object.values(wasmExports).filter((each) => each instanceof WebAssembly.Table);
        table = tables.find((each) => each !== wasmTable) ?? wasmTable;
      } catch (error) {
        if (!ENVIRONMENT_IS_PTHREAD) throw new Error(`${address}: ${error.message}`);
        // Others wait for this thread's share of the work, so it waits for the network.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      }
    }
  };

  getWasmImports = () => ({
    ...plain(),
    placeholder: new Proxy(
      {},
      {
        get:
          (_, place) =>
          (...given) => {
            load();
            return table.get(Number(place))(...given);
          },
      },
    ),
  });
}
