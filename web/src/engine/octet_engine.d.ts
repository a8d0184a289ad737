// What vite.config.ts joins with the worker: the script of an engine's program.
declare module "octet-engine" {
  const make: import("./program").Make<import("./wasm").BoundModule>;
  export default make;
}
