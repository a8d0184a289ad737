// Where the page's own scripts start: reads the link, makes the session, and while the engine is loading, draws.
import { preferredLanguage } from "./language/language";
import type { Begun } from "./engine/wasm";
import { loadWords } from "./language/load_words";
import { fromLink } from "./state/settings";
import { isOurs, markPlace, Session } from "./state/session";
import { draw } from "./view/draw";
import { OneThread } from "./view/notices";
import "./style/tokens.css";
import "./style/base.css";
import "./style/page.css";
import "./style/panels.css";
import "./style/replicas.css";
import "./style/sections.css";

declare global {
  /** What index.html began; not there where the browser cannot run it. */
  var octetEngine: Begun;
}

const language = preferredLanguage(navigator.languages);
const settings = fromLink(location.hash, {
  language,
  text: language,
  options: {},
  sentence: null,
  start: true,
  section: "",
  kept: {},
  unused: [],
});
const place = document.getElementById("page");

if (!globalThis.octetEngine) {
  const { unable } = await import("./view/unable");
  unable(settings.language);
} else if (place) {
  const session = new Session(settings, octetEngine);

  // A link typed or pasted over this one asks for another page state, and so does going back to one from before that; going
  // back and forth among the page's own does not.
  markPlace("replaceState");
  history.scrollRestoration = "manual"; // sections come later: a section is gone to, not a height
  addEventListener("hashchange", () => isOurs() || location.reload());

  // Without its words there is no page: index.html says so, and they are asked for again.
  const words = (): Promise<unknown> =>
    loadWords(settings.language).catch(() => {
      dispatchEvent(new Event("error"));
      return new Promise((resolve) => setTimeout(resolve, 5000)).then(words);
    });
  // What is said above all else where there are no threads comes with the words: later it would push the page down. It is not
  // awaited here, as it takes parts of this module, and so waits for its end; nor for ever, as it is not the page.
  const late = new Promise((resolve) => setTimeout(resolve, 2000));
  const notice = octetEngine.threads || Promise.race([OneThread.come().catch(() => {}), late]);
  void Promise.all([words(), notice]).then(() => {
    place.replaceChildren();
    draw(session, place);
  });
}
