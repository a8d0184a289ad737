// The words of a table's columns, of which one is chosen, in English. The other languages' files have the same names.
export const en = {
  takeFrom: "Take the text from:",
  firstFields: "Only the first 100 are listed. One further on is read if it is called “text”.",
};
