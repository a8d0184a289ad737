// A service worker, added only when the visitor asks for threads on a server that does not isolate its pages.
// It passes every answer of this server on as it is, with the headers for cross-origin isolation added.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function isolated(request) {
  const answer = await fetch(request);
  if (answer.type === "opaque" || answer.type === "error" || answer.type === "opaqueredirect") return answer;
  const headers = new Headers(answer.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  const empty = [101, 103, 204, 205, 304].includes(answer.status);
  return new Response(empty ? null : answer.body, { status: answer.status, statusText: answer.statusText, headers });
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (new URL(request.url).origin !== location.origin) return;
  if (request.cache === "only-if-cached" && request.mode !== "same-origin") return;
  event.respondWith(isolated(request));
});
