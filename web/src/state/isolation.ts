// Whether the page may use threads, and a way to get them where the server does not send the headers for it.

/** Whether the service worker could be added: it may be used here, and is not yet at work. */
export function canTurnOnThreads(): boolean {
  return !crossOriginIsolated && isSecureContext && "serviceWorker" in navigator && !navigator.serviceWorker.controller;
}

/** Adds the service worker that sets the headers, and loads the page again under it. Throws where the browser refuses. */
export async function turnOnThreads(): Promise<void> {
  const { active } = await navigator.serviceWorker.register(new URL("./isolation.js", document.baseURI));
  // One that is at work already has no part in a page that was loaded past it, and has in the next.
  if (!active && !navigator.serviceWorker.controller) {
    await new Promise<void>((resolve, reject) => {
      navigator.serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true });
      setTimeout(() => reject(new Error("The service worker did not start.")), 5000);
    });
  }
  location.reload();
}
