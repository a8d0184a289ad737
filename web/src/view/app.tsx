// The whole page.
import { useEffect, useLayoutEffect, useReducer } from "preact/hooks";
import { wordsOf } from "../language/load_words";
import { LanguageContext } from "../language/words";
import type { Session } from "../state/session";
import { Controls } from "./controls";
import { FillBlank } from "./fill_blank";
import { LossChart } from "./loss_chart";
import { Notices } from "./notices";
import { Numbers } from "./numbers";
import { OptionsForm } from "./options_form";
import { PageHeader } from "./page_header";
import { Replicas } from "./replicas";
import { Navigation, Sections } from "./sections";
import { TextChoice } from "./text_choice";

export function App({ session }: { session: Session }) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  // Before there is anything to press: what changes sooner would not be seen.
  useLayoutEffect(() => session.subscribe(() => redraw(undefined)), [session]);

  const { language } = session.settings;
  const spoken = wordsOf(language);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = spoken.title;
    document.querySelector('meta[name="description"]')?.setAttribute("content", spoken.description);
  }, [language]);

  return (
    <LanguageContext.Provider value={language}>
      <PageHeader session={session} />
      <Navigation session={session} />
      <main>
        <div class="lead">
          <h1 id="page-title" tabIndex={-1}>
            {spoken.heading}
          </h1>
          <p>{spoken.lead}</p>
        </div>
        <Notices session={session} />
        <div class="desk">
          <TextChoice session={session} />
          <Controls session={session} />
        </div>
        <div class="board">
          <Replicas session={session} />
          <FillBlank session={session} />
          <LossChart session={session} />
          <OptionsForm session={session} />
        </div>
        <Numbers session={session} />
        <Sections session={session} />
      </main>
      <footer>
        <p>{spoken.footer}</p>
      </footer>
    </LanguageContext.Provider>
  );
}
