// Says that the browser cannot run the page, where index.html says that it is loading.
import type { Language } from "../language/language";
import { unableWords } from "../language/unable";

export function unable(language: Language): void {
  document.documentElement.lang = language;
  const said = document.querySelector(`.first [lang=${language}]`);
  if (said) said.textContent = unableWords[language];
}
