// The words around a run's command in English. The other languages' files have the same names.
export const en = {
  heading: "In a terminal, this command ends with the same hash",
  hint: "Run it where the text lies. octet is the program that ./run train builds: build/native/octet.",
  copy: "Copy",
  copied: "Copied.",
  selected: "The browser lets no page copy here. The command is selected: copy it with the keyboard.",
  save: (name: string) => `Save the text, ${name}`,
};
