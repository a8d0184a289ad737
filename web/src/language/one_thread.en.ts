// The words of the notice about one thread, in English. The other languages' files have the same names.
export const en = {
  oneThread:
    "This page runs on one thread, because its server did not send the headers that let a page share memory between threads (cross-origin isolation). The results are the same to the bit; it only takes longer.",
  turnOnThreads: "Turn on threads",
  turnOnThreadsHint: "A service worker will add the headers, and the page will load again.",
  threadsFailed: "Threads could not be turned on in this browser.",
};
