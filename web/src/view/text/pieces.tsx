// The pieces of a sentence as chips: those of one word side by side, each with its id. One of them may be pointed at or
// focused; then its characters are marked in the sentence, and what it is stands below.
import { useRef, useState } from "preact/hooks";
import type { Language } from "../../language/language";
import { textWords } from "../../language/text";
import { useLanguage, useSpoken } from "../../language/words";
import type { Token } from "../../workshop/text";
import { whole } from "../format";
import { Shown } from "./shown";

export const mostPieces = 600; // chips
const colours = 5;

interface Props {
  sentence: string;
  /** The first ones. */
  tokens: Token[];
  /** Of all. */
  count: number;
  label: string;
}

export function Pieces({ sentence, tokens, count, label }: Props) {
  const words = useSpoken(textWords).sentence;
  const language = useLanguage();
  const [pointed, setPointed] = useState<number | null>(null);
  const [stop, setStop] = useState(0); // the one chip that Tab comes to
  const list = useRef<HTMLOListElement>(null);
  const token = pointed === null ? undefined : tokens[pointed];
  const tabStop = Math.min(stop, tokens.length - 1);

  const walk = (event: KeyboardEvent) => {
    const to = { ArrowRight: tabStop + 1, ArrowLeft: tabStop - 1, Home: 0, End: tokens.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(tokens.length - 1, to));
    setStop(next);
    (list.current?.children[next] as HTMLElement | undefined)?.focus();
  };

  return (
    <>
      <Source sentence={sentence} token={token} />
      <ol ref={list} class="pieces" aria-label={label} onKeyDown={walk} onPointerLeave={() => setPointed(null)}>
        {tokens.map((each, at) => (
          <li
            key={at}
            tabIndex={at === tabStop ? 0 : -1}
            class={classOf(each, at, pointed)}
            data-id={each.id}
            data-piece={each.piece}
            onPointerEnter={() => setPointed(at)}
            onFocus={() => {
              setPointed(at);
              setStop(at);
            }}
            onBlur={() => setPointed(null)}
          >
            <span class="of">
              {each.mark && (
                <span class="sign-of" aria-hidden="true">
                  {each.mark}
                </span>
              )}
              <Shown piece={each} />
            </span>
            <span class="id">
              <span class="unseen">{words.id("")}</span>
              {each.id}
              {each.continues && at > 0 && <span class="unseen">. {words.isContinuation}</span>}
            </span>
          </li>
        ))}
      </ol>
      {count > tokens.length && <p class="hint">{words.more(whole(count - tokens.length, language))}</p>}
      <p class="about-piece hint">
        {token && (
          <>
            <code>{token.piece}</code> <b>{words.id(String(token.id))}</b>
            {" · "}
            {place(token, graphemeOf(sentence, language), words)}
            {token.bytes && ` · ${words.part}`}
            {token.unknown ? ` · ${words.isUnknown}` : token.special ? ` · ${words.isSpecial}` : ""}
          </>
        )}
      </p>
    </>
  );
}

/** Which characters a token stands for; `of` is that of each code point. */
function place(token: Token, of: number[], words: typeof textWords.en.sentence): string {
  if (token.end <= token.begin) return words.noCharacters;
  const [first, last] = [String(of[token.begin]), String(of[token.end - 1])];
  return first === last ? words.standsForOne(first) : words.stands(first, last);
}

/** For each code point the place of its character, from 1, as people count them. */
export function graphemeOf(text: string, language: Language): number[] {
  const segments = [...new Intl.Segmenter(language, { granularity: "grapheme" }).segment(text)];
  return segments.flatMap(({ segment }, at) => Array.from(segment, () => at + 1));
}

function classOf(token: Token, at: number, pointed: number | null): string {
  const names = ["piece", `colour-${at % colours}`];
  if (token.continues && at > 0) names.push("continues");
  if (token.unknown) names.push("unknown");
  else if (token.special) names.push("special");
  if (at === pointed) names.push("pointed");
  return names.join(" ");
}

/** The sentence with the characters of a token marked. */
function Source({ sentence, token }: { sentence: string; token: Token | undefined }) {
  const characters = [...sentence];
  const part = (begin: number, end?: number) => characters.slice(begin, end).join("");
  return (
    <p class="source" aria-hidden="true">
      {token && token.end > token.begin ? (
        <>
          {part(0, token.begin)}
          <mark>{part(token.begin, token.end)}</mark>
          {part(token.end)}
        </>
      ) : (
        sentence
      )}
    </p>
  );
}
