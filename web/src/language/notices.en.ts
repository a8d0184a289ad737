// The notices' words in English. The other languages' files have the same names.
export const en = {
  oneThread:
    "This page runs on one thread, because its server did not send the headers that let a page share memory between threads (cross-origin isolation). The results are the same to the bit; it only takes longer.",
  turnOnThreads: "Turn on threads",
  turnOnThreadsHint: "A service worker will add the headers, and the page will load again.",
  threadsFailed: "Threads could not be turned on in this browser.",
  notUsed: (name: string) => `“${name}” was not used.`,
  optionsNotUsed: "These options were not used.",
  linkNotUsed: "The options of the link were not used.",
  earlierRun: "The run before it is still here.",
  unreadable: "The file could not be read. It may have been moved or changed since it was chosen.",
  notLoaded:
    "It could not be loaded. The network may be gone; or this page is of an earlier day than its server: then load it again.",
  oneFile: "One file at a time is trained on.",
  dismiss: "Close",
};
