// The sections below the training part, and the way to them. workshop/workshop.ts says how to add one. Each is a chunk of its
// own, loaded when a visitor comes near it or asks for it.
import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useWords, type Words } from "../language/words";
import { isOurs, type Session } from "../state/session";
import { Awaited } from "./awaited";
import { comeTo } from "./come_to";

type View = ComponentType<{ session: Session }>;

interface Section {
  /** In the link, and the element's id. */
  name: string;
  title: (words: Words) => string;
  load: () => Promise<{ default: View }>;
}

export const sections: readonly Section[] = [
  { name: "rules", title: (words) => words.rules, load: () => import("./rules/rules") },
  { name: "text", title: (words) => words.textSection, load: () => import("./text/text") },
  { name: "machine", title: (words) => words.machine, load: () => import("./machine/machine") },
  { name: "checklist", title: (words) => words.checklist, load: () => import("./checklist/checklist") },
];

const near = "0px 0px 300px 0px"; // so near below the window's edge, a section is loaded

/** Links to the training part and to each section, above all of them. */
export function Navigation({ session }: { session: Session }) {
  const words = useWords();
  const here = useSectionInSight();
  const bar = useRef<HTMLElement>(null);

  useEffect(() => {
    // A link pasted over this one is none of the page's own: main.ts loads it.
    const back = () => {
      if (isOurs()) comeTo(session.cameBack(), false);
    };
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, [session]);

  // Where the links have no room beside each other, that of the section in sight is brought into sight.
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>("[aria-current]");
    if (current)
      bar.current?.scrollTo({ left: current.offsetLeft - (bar.current.clientWidth - current.offsetWidth) / 2 });
  }, [here]);

  const link = (name: string, title: string) => (
    <a
      href={session.linkTo(name)}
      aria-current={here === name ? "location" : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault(); // the link's fragment holds the page's settings
        session.goTo(name);
        comeTo(name, true);
      }}
    >
      {title}
    </a>
  );
  return (
    <nav ref={bar} class="sections" aria-label={words.sections}>
      {link("", words.trainingPart)}
      {sections.map(({ name, title }) => link(name, title(words)))}
    </nav>
  );
}

export function Sections({ session }: { session: Session }) {
  return (
    <>
      {sections.map((section) => (
        <LazySection key={section.name} section={section} session={session} />
      ))}
    </>
  );
}

function LazySection({ section, session }: { section: Section; session: Session }) {
  const words = useWords();
  const place = useRef<HTMLElement>(null);
  const [view, setView] = useState<{ drawn: View } | "failed" | null>(null);
  const [wanted, setWanted] = useState(false);
  const [first] = useState(() => session.settings.section === section.name);
  const asked = session.settings.section === section.name;
  const loading = wanted || asked;

  useEffect(() => {
    if (!place.current) return;
    const seen = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setWanted(true);
      },
      { rootMargin: near },
    );
    seen.observe(place.current);
    return () => seen.disconnect();
  }, []);

  useEffect(() => {
    if (!loading || view !== null) return;
    section.load().then(
      ({ default: drawn }) => setView({ drawn }),
      () => setView("failed"),
    );
  }, [loading, view]);

  const drawn = view !== null && view !== "failed";
  useEffect(() => {
    if (first && drawn) comeTo(section.name, false);
  }, [drawn]);

  return (
    <section id={section.name} ref={place} class="section" aria-labelledby={`${section.name}-title`} aria-busy={!drawn}>
      <h2 id={`${section.name}-title`} tabIndex={-1}>
        {section.title(words)}
      </h2>
      <Awaited wanted={loading && view === null} />
      {drawn && <view.drawn session={session} />}
      {view === "failed" && (
        <div class="notice">
          <p>{words.sectionFailed}</p>
          <button type="button" onClick={() => setView(null)}>
            {words.tryAgain}
          </button>{" "}
          <button type="button" onClick={() => location.reload()}>
            {words.reload}
          </button>
        </div>
      )}
    </section>
  );
}

/** The section whose beginning was scrolled past last; empty in the training part. */
function useSectionInSight(): string {
  const [name, setName] = useState("");
  useEffect(() => {
    const look = () => {
      const passed = sections.filter((each) => {
        const top = document.getElementById(each.name)?.getBoundingClientRect().top ?? Infinity;
        return top < innerHeight / 2;
      });
      setName(passed.at(-1)?.name ?? "");
    };
    look();
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, []);
  return name;
}
