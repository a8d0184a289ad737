// The worker: starts the engine and lets a Trainer drive it, so that the page itself never waits. It is part of each of the
// engine's scripts (vite.config.ts): a worker has one file to wait for, and not another one after it.
/// <reference lib="webworker" />
import make from "octet-engine";
import type { News, Order, Source } from "./messages";
import { Trainer } from "./trainer";
import { loadEngine } from "./wasm";

function tell(news: News): void {
  self.postMessage(news);
}

function broken(error: unknown): void {
  tell({ type: "broken", reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
}

// A message posted to oneself comes back after those that wait already, and without setTimeout's four milliseconds.
const echo = new MessageChannel();
const resting: (() => void)[] = [];
echo.port1.onmessage = () => resting.shift()?.();

function rest(): Promise<void> {
  return new Promise((resolve) => {
    resting.push(resolve);
    echo.port2.postMessage(null);
  });
}

async function served(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

function read(source: Source) {
  return "file" in source
    ? { size: source.file.size, bytes: async () => new Uint8Array(await source.file.arrayBuffer()) }
    : { size: null, bytes: () => served(source.url) };
}

let programIsThere: (program: WebAssembly.Module) => void;
const program = new Promise<WebAssembly.Module>((resolve) => (programIsThere = resolve));
const maker = loadEngine(make, program);
maker.catch(() => {}); // whoever gives an order is told
const trainer = new Trainer(maker, { tell, rest, read, now: () => performance.now() });

self.onmessage = async ({ data: order }: MessageEvent<Order>) => {
  try {
    if (order.type === "program") programIsThere(order.program);
    else await trainer.take(order);
  } catch (error) {
    broken(error);
  }
};
