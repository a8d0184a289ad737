// The top of the page: the name, and the choice of language.
import { languageNames, languages } from "../language/language";
import { useLanguage, useWords } from "../language/words";
import type { Session } from "../state/session";

export function PageHeader({ session }: { session: Session }) {
  const words = useWords();
  const language = useLanguage();
  return (
    <header class="page-header">
      <a class="skip" href="#controls" onClick={skipToControls}>
        {words.skip}
      </a>
      <p class="brand">
        <Mark />
        Octet
      </p>
      <div class="languages" role="group" aria-label={words.language}>
        {languages.map((code) => (
          <button
            key={code}
            type="button"
            lang={code}
            aria-pressed={code === language}
            aria-busy={code === session.chosen}
            onClick={() => session.chooseLanguage(code)}
          >
            {languageNames[code]}
          </button>
        ))}
      </div>
    </header>
  );
}

/** Moves the focus itself: the link's fragment holds the page's settings. */
function skipToControls(event: Event) {
  event.preventDefault();
  const controls = document.getElementById("controls");
  (controls?.querySelector<HTMLElement>("button:enabled") ?? controls)?.focus(); // at first none can be pressed
}

/** Eight cells, as in the favicon. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 30 16" aria-hidden="true">
      {[0, 1, 2, 3, 4, 5, 6, 7].map((cell) => (
        <rect
          key={cell}
          x={(cell % 4) * 7.5}
          y={cell < 4 ? 0 : 9}
          width="6"
          height="7"
          rx="2"
          opacity={markShade(cell)}
        />
      ))}
    </svg>
  );
}

function markShade(cell: number): number {
  return cell < 4 ? 1 - 0.2 * cell : 0.4 + 0.2 * (cell - 4);
}
