// The notices' words in English. The other languages' files have the same names.

export const en = {
  notUsed: (name: string) => `Not used: “${name}”.`,
  optionsNotUsed: "These options were not used.",
  linkNotUsed: (options: string) => `Not used from the link: ${options}.`,
  ownText: "It was made with a file of one's own, which no link carries: choose it again.",
  earlierRun: "The run before it is still here.",
  unreadable: "It could not be read. It may be a folder, or have been moved or changed since it was chosen.",
  notLoaded:
    "It could not be loaded. The network may be gone; or this page is of an earlier day than its server: then load it again.",
  oneFile: "One file at a time is trained on.",
  dismiss: "Close",
};
