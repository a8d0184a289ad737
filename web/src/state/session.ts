// One visit: the settings, the run, and the worker that trains. Views call its verbs and draw its state.
import type { Options, Refusal } from "../engine/engine";
import type { News, Order, Source } from "../engine/messages";
import type { Begun } from "../engine/wasm";
import { type Language, languageNames, textTitles } from "../language/language";
import { loadWords } from "../language/load_words";
import { after, type Run, type Tried, unopened } from "./run";
import { completed, hasMask, type Settings, toLink, withMask } from "./settings";

/** What is being opened, or open: a text of the page's own, or a file. */
type Choice = { text: Language } | { text: "own"; file: File };

/** The sentence that the blank box starts with, for each text. */
export const sampleSentences: Record<Language, string> = {
  en: "In ___ the sea is warm.",
  ko: "___ 아이들은 따뜻한 우유를 마신다.",
  ja: "___、海はあたたかいです。",
};

/** Marks the places of the browser's history that the page made itself, since it was loaded: those before are other pages'. */
const ours = { page: Math.random() };
/** Whether the present place is one of them. */
export const isOurs = () => history.state?.page === ours.page;

/** Makes a place of the history the page's own. Some browsers take few in a time, and some pages' frames none: without, all goes on. */
export function markPlace(how: "pushState" | "replaceState", link?: string): void {
  try {
    history[how](ours, "", link);
  } catch {}
}

const isTable = ({ name }: File) => /\.(.sv|jsonl|ndjson)$/i.test(name);
/** A program in StableHLO. */
export const isProgram = ({ name }: File) => /\.mlir$/i.test(name);
export const namesOf = (files: File[]) => files.map(({ name }) => name).join(", ");

export class Session {
  run: Run = unopened;
  /** Whether the page may share memory between threads. */
  readonly threaded: boolean;
  private choice: Choice;
  /** By the name under which the worker opens them. */
  private readonly opening = new Map<string, { choice: Choice; options: Options; tried: Tried }>();
  private opened = 0;
  /** What the engine is to fill, or has filled. */
  private asked = "";
  /** A program that was given where a text is, and what was given with it: the checklist takes it. */
  programs: File[] = [];
  /** Whether what is needed first is there: what hardly a visitor waits for may be loaded. */
  underWay = false;
  /** The language whose words are on their way. */
  chosen: Language | null = null;
  private readonly worker: Worker;
  private readonly listeners = new Set<() => void>();
  private drawing = false;
  /** Whether a single step was ordered and is not done: an order for each click would hold up all that follow. */
  private stepping = false;
  /** Asks once more for what could not be loaded. */
  private retry = () => {};
  private written: { settings?: Settings; link: string } = { link: "" };
  private linking: ReturnType<typeof setTimeout> | undefined;

  constructor(
    public settings: Settings,
    begun: Begun,
  ) {
    this.choice = { text: settings.text === "own" ? settings.language : settings.text };
    this.worker = begun.worker;
    this.worker.onmessage = ({ data }: MessageEvent<News>) => this.take(data);
    // What broke before, or with the program; what breaks from now on.
    begun.broken.catch((error) => this.take({ type: "broken", reason: String(error) }));
    this.worker.onerror = (event) =>
      this.take({ type: "broken", reason: event.message || "The engine's worker stopped." });
    this.threaded = begun.threads;
    this.open(this.choice, settings.options, "link");
    this.ask(this.sentence);
  }

  /** Calls `listener` after each change, at most once a frame; returns the way to stop that. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The file's name where the text is the visitor's own, else null. */
  get fileName(): string | null {
    return this.choice.text === "own" ? this.choice.file.name : null;
  }

  /** The visitor's own text, where that is what is trained on. */
  get file(): File | null {
    return this.choice.text === "own" ? this.choice.file : null;
  }

  /** The sentence in the blank box; what was emptied stays empty. */
  get sentence(): string {
    const { sentence, text, language } = this.settings;
    return sentence ?? sampleSentences[text === "own" ? language : text];
  }

  start(): void {
    if (this.run.finished) this.order({ type: "reset" });
    this.order({ type: "run" });
  }

  pause(): void {
    this.underWay = true;
    this.order({ type: "pause" });
  }

  step(): void {
    if (this.stepping) return;
    this.stepping = true;
    this.order({ type: "step" });
  }

  reset(): void {
    this.order({ type: "reset" });
  }

  /** What was chosen last, be it open yet or not: another choice changes a part of that. */
  private get latest(): { choice: Choice; options: Options } {
    return this.opening.get(String(this.opened)) ?? { choice: this.choice, options: this.settings.options };
  }

  chooseText(text: Language): void {
    this.open({ text }, this.latest.options);
  }

  /** Trains on this file, and on none that were given with it. */
  chooseFile(file: File, others: File[] = []): void {
    if (this.takesProgram(file, others)) return;
    this.open({ text: "own", file }, this.latest.options);
    if (others.length) this.notUsed(namesOf(others));
  }

  /** Sends a program, which is no text, to the checklist; returns whether it is one. */
  takesProgram(file: File, others: File[] = []): boolean {
    if (!isProgram(file)) return false;
    this.dismissMishap(); // of what was given before
    this.programs = [file, ...others];
    this.goTo("checklist");
    return true;
  }

  chooseOptions(options: Options): void {
    this.open(this.latest.choice, options, "options");
  }

  /** Once its words are there; should they not come, the page says so and keeps its language. */
  chooseLanguage(language: Language): void {
    this.chosen = language;
    this.draw();
    const ended = (then: () => void) => {
      if (this.chosen !== language) return;
      this.chosen = null;
      then();
    };
    loadWords(language).then(
      () => ended(() => this.change({ ...this.settings, language })),
      (error) =>
        ended(() => {
          this.retry = () => this.chooseLanguage(language);
          this.notUsed(languageNames[language], String(error));
        }),
    );
  }

  /**
   * Fills `sentence` now and as training goes on; one without a blank ends that. The engine is not asked about such a one: what
   * it refuses by is in its second file, and training stands still until that is there.
   */
  ask(sentence: string): void {
    const masked = withMask(sentence);
    this.asked = hasMask(masked) ? masked : "";
    if (!this.asked) this.run = { ...this.run, answer: null };
    this.order({ type: "ask", sentence: this.asked });
  }

  /** As `ask`, and keeps the sentence in the link. */
  write(sentence: string): void {
    this.changeSoon({ ...this.settings, sentence });
    this.ask(this.sentence);
  }

  /** What a section keeps in the link under `name`, as in "rules.program"; empty where it keeps nothing. */
  kept(name: string): string {
    return this.settings.kept[name] ?? "";
  }

  keep(name: string, value: string): void {
    if (this.kept(name) === value) return;
    const { [name]: _, ...others } = this.settings.kept;
    this.changeSoon({ ...this.settings, kept: value ? { ...others, [name]: value } : others });
  }

  /** The page as it is, with this section in sight. Asked with each drawing: what sections keep is long to write. */
  linkTo(section: string): string {
    if (this.written.settings !== this.settings)
      this.written = { settings: this.settings, link: toLink({ ...this.settings, section: "" }) };
    return this.written.link + (section && `&section=${section}`);
  }

  /** Notes the section that the visitor went to; the link leads there. */
  goTo(section: string): void {
    if (section !== this.settings.section) markPlace("pushState", this.linkTo(section));
    this.change({ ...this.settings, section });
  }

  /** The section that the visitor is back at, by the browser's buttons; all else stays as it is. */
  cameBack(): string {
    const section = new URLSearchParams(location.hash.slice(1)).get("section") ?? "";
    this.change({ ...this.settings, section });
    return section;
  }

  dismissMishap(): void {
    this.run = { ...this.run, mishap: null };
    this.draw();
  }

  /** Asks once more for what the mishap says could not be loaded. */
  tryAgain(): void {
    this.dismissMishap();
    this.retry();
  }

  /** Why, where nothing could be loaded. */
  private notUsed(name: string, reason = "", what: Tried = "text"): void {
    this.run = { ...this.run, mishap: { name, what, diagnostics: [], reason, kept: false } };
    this.draw();
  }

  /** What the link asked for and did not get, and these of its options besides. */
  private unusedWith(options: Options): string {
    const refused = Object.entries(options).map((option) => option.join("="));
    return [...this.settings.unused, ...refused].join(", ");
  }

  private async open(choice: Choice, options: Options, tried: Tried = "text"): Promise<void> {
    this.dismissMishap();
    const unused = tried === "link" && this.unusedWith({});
    if (unused) this.notUsed(unused, "", "link");
    const name = String(++this.opened);
    this.opening.set(name, { choice, options, tried });
    let source: Source =
      choice.text === "own"
        ? { file: choice.file }
        : { url: new URL(`./texts/${choice.text}.txt`, document.baseURI).href };
    // What may be a table; its name tells the library which it is.
    if (choice.text === "own" && isTable(choice.file)) {
      let news: News | undefined;
      // The worker says so once it has the text, and the library that reads the table may be long on its way.
      if (this.run.stage === "open") this.take({ type: "opening", name });
      try {
        const { readTable } = await import("../workshop/table");
        source = { file: await readTable(choice.file) };
      } catch (error) {
        const { diagnostics } = error as Refusal;
        news = { type: diagnostics ? "refused" : "unreadable", name, diagnostics, reason: String(error) } as News;
      }
      if (name !== `${this.opened}`) return; // another text was chosen meanwhile
      if (news) return this.take(news);
    }
    const threads = this.threaded ? Math.min(options.threads ?? 8, navigator.hardwareConcurrency, 8) : 1;
    this.order({
      type: "open",
      source,
      name,
      options: { ...completed(options, choice.text), threads },
      run: this.settings.start,
    });
  }

  private take(news: News): void {
    // An answer that comes after the sentence was changed is of no use.
    if ((news.type === "filled" || news.type === "unfilled") && news.sentence !== this.asked) return;
    let tried: Tried = "text";
    let table: File | undefined;
    if ("name" in news) {
      const named = this.opening.get(news.name);
      let name = ""; // of a run that begins anew
      if (named) {
        const { choice, options } = named;
        const chosen = Object.keys(options).length > 0;
        // A link without options can only be refused for its text.
        if (chosen) tried = named.tried;
        if (news.type === "opened") this.accept(choice, options);
        if (news.type !== "opening") this.opening.delete(news.name);
        if (news.type === "unreadable") this.retry = () => this.open(choice, options, named.tried);
        name = choice.text === "own" ? choice.file.name : textTitles[choice.text];
        if (news.type === "refused") {
          // A link's options that cannot be had leave the visitor with the usual ones, not with nothing.
          if (chosen && !this.run.summary) this.open(choice, {});
          if (choice.text === "own" && isTable(choice.file)) table = choice.file;
          if (tried === "link") name = this.unusedWith(options);
        }
      }
      news = { ...news, name };
    }
    // What breaks the program would do so again: the page loads again without the options that it broke with.
    if (news.type === "broken" && this.run.stage !== "loading") this.change({ ...this.settings, options: {} });
    // A step ends with what is measured after it.
    if (news.type === "evaluated" || news.type === "finished" || news.type === "opened") this.stepping = false;
    this.run = after(this.run, news, tried);
    if (table && this.run.mishap) this.run.mishap.table = table;
    if (!this.underWay && news.type === (this.settings.start ? "stepped" : "opened")) {
      performance.mark("under way");
      this.underWay = true;
    }
    this.draw();
  }

  private accept(choice: Choice, options: Options): void {
    const sampleChanges = choice.text !== this.settings.text;
    this.choice = choice;
    // A sentence of the visitor's own stays. The browser tells all of itself of a link, which takes time from the first step.
    this.changeSoon({ ...this.settings, text: choice.text, options });
    if (sampleChanges) this.ask(this.sentence);
  }

  private order(order: Order): void {
    this.worker.postMessage(order);
  }

  private change(settings: Settings): void {
    this.settings = settings;
    this.link();
    this.draw();
  }

  /** As `change`, with the link once nothing changes for a moment: typing and sliders are faster than browsers let it change. */
  private changeSoon(settings: Settings): void {
    this.settings = settings;
    this.draw();
    clearTimeout(this.linking);
    this.linking = setTimeout(() => this.link(), 250);
  }

  private link(): void {
    clearTimeout(this.linking);
    markPlace("replaceState", toLink(this.settings));
  }

  /** News comes faster than frames: draws once a frame, and more slowly where no frame comes because the page is hidden. */
  private draw(): void {
    if (this.drawing) return;
    this.drawing = true;
    const now = () => {
      this.drawing = false;
      for (const listener of this.listeners) listener();
    };
    if (document.hidden) setTimeout(now, 250);
    else requestAnimationFrame(now);
  }
}
