// English counts one thing otherwise than all others.

/** The ending of what is counted: "1" line, "2" lines. */
export const s = (count: string) => (count === "1" ? "" : "s");
