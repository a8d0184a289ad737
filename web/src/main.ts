// Where the page's own scripts start: reads the link, makes the session, and while the engine is loading, draws.
import { preferredLanguage } from "./language/language";
import type { Begun } from "./engine/wasm";
import { loadWords } from "./language/load_words";
import { fromLink } from "./state/settings";
import { Session } from "./state/session";
import { draw } from "./view/draw";
import "./style/tokens.css";
import "./style/base.css";
import "./style/page.css";
import "./style/panels.css";
import "./style/replicas.css";
import "./style/sections.css";

declare global {
  /** What index.html began. */
  var octetEngine: Begun;
}

const language = preferredLanguage(navigator.languages);
const settings = fromLink(location.hash, {
  language,
  text: language,
  options: {},
  sentence: "",
  start: true,
  section: "",
  kept: {},
});
const session = new Session(settings, octetEngine);

// A link typed or pasted over this one asks for another page state.
addEventListener("hashchange", () => location.reload());

const place = document.getElementById("page");
if (place) {
  await loadWords(settings.language);
  draw(session, place);
}
