// A sentence, and what both tokenizers make of it.
import { useState } from "preact/hooks";
import type { Language } from "../../language/language";
import { textWords } from "../../language/text";
import { useLanguage, useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import { type TokenizerKind, tokenizerKinds } from "../../workshop/text";
import { useAnswer } from "../../workshop/use_answer";
import { whole } from "../format";
import { Broken } from "../broken";
import { Diagnostics } from "../diagnostics";
import { decimal } from "./numbers";
import { mostPieces, Pieces } from "./pieces";
import { calls, type Tokenizers } from "./use_tokenizers";

/** With something that the text does not have. */
const samples: Record<Language, string> = {
  en: "The harbour café was unbelievably quiet this morning 🙂",
  ko: "골목 아이들이 따뜻한 우유를 마시며 웃었습니다 🙂",
  ja: "島の朝は静かで、海の上に白い船が見えます🙂",
};

const mostCharacters = 2000;

const tries = {
  hangul: `한글 ${"한글".normalize("NFD")}`,
  emoji: "👍🏽 👨‍👩‍👧 🇰🇷 🙂🙂",
  width: "ＡＢＣ１２３ ABC123 ガギグ ｶﾞｷﾞｸﾞ",
  accents: "Café naïve Ångström Ελλάδα",
  spaces: "a  b   c\u00a0d\u3000e ",
  special: "[MASK] [UNK] <|endoftext|>",
};

export function Sentence({ session, tokenizers }: { session: Session; tokenizers: Tokenizers }) {
  const all = useSpoken(textWords);
  const words = all.sentence;
  const language = useLanguage();
  const [written, setWritten] = useState<string | null>(() => session.kept("text.sentence") || null);
  const sentence = written ?? samples[typeof tokenizers.source === "string" ? tokenizers.source : language];
  const [cut, setCut] = useState(false);
  const write = (given: string) => {
    const next = given.slice(0, mostCharacters).replace(given.length > mostCharacters ? /[\ud800-\udbff]$/ : "", "");
    setCut(next !== given);
    setWritten(next);
    session.keep("text.sentence", next);
  };

  return (
    <div class="panel cutting">
      <h3>{words.heading}</h3>
      <p class="hint">{words.hint}</p>
      <label class="label" for="text-sentence">
        {words.label}
      </label>
      <input
        id="text-sentence"
        type="text"
        value={sentence}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-describedby="text-sentence-cut"
        onInput={(event) => write(event.currentTarget.value)}
      />
      <p id="text-sentence-cut" class="wrong" role="status">
        {cut && words.cut(whole(mostCharacters, language))}
      </p>
      <div class="chips tries" role="group" aria-label={words.tries}>
        {Object.entries(tries).map(([name, value]) => (
          <button
            key={name}
            type="button"
            class="chip"
            data-try={name}
            aria-pressed={sentence === value}
            onClick={() => write(value)}
          >
            {words.try[name as keyof typeof tries]}
          </button>
        ))}
      </div>
      <p class="hint">
        {sentence === ""
          ? words.empty
          : words.counts(
              whole(segments(sentence, "grapheme", language), language),
              whole(new TextEncoder().encode(sentence).length, language),
            )}
      </p>
      {tokenizers.ready &&
        tokenizerKinds.map((kind) => (
          <Cut key={kind} kind={kind} sentence={sentence} version={tokenizers.version} language={language} />
        ))}
    </div>
  );
}

function Cut(props: { kind: TokenizerKind; sentence: string; version: number; language: Language }) {
  const { kind, sentence, version, language } = props;
  const all = useSpoken(textWords);
  const words = all.sentence;
  const encoded = useAnswer(async () => {
    const bytes = new TextEncoder().encode(sentence);
    return { sentence, ...(await calls.encodeText({ kind, bytes, most: mostPieces, decode: true })) };
  }, [kind, sentence, version]);
  const answer = encoded.refused.length > 0 ? null : encoded.answer;
  const count = answer?.ids.length ?? 0;
  const unknown = answer?.unknown ?? 0;
  const wordCount = answer ? segments(answer.sentence, "word", language) : 0;

  return (
    <section class="cut" data-cut={kind} aria-label={words.pieces(all.kinds[kind])}>
      <div class="cut-head">
        <h4>{all.kinds[kind]}</h4>
        <span class="count" data-tokens={count}>
          {words.tokens(whole(count, language))}
        </span>
        {wordCount > 0 && <span class="count">{words.perWord(decimal(count / wordCount, 2, language))}</span>}
        {unknown > 0 && <span class="count unknown">{words.unknown(whole(unknown, language))}</span>}
      </div>
      <Diagnostics diagnostics={encoded.refused} />
      <Broken of={[encoded]} />
      {answer && (
        <>
          {count === 0 && answer.sentence !== "" && <p class="hint">{words.nothing}</p>}
          <Pieces
            sentence={answer.sentence}
            tokens={answer.tokens}
            count={count}
            label={words.pieces(all.kinds[kind])}
          />
          {count > 0 && (
            <p class="decoded">
              <span class="label">{words.decoded}</span> <q data-decoded={answer.decoded}>{answer.decoded}</q>{" "}
              <span class="hint">
                {answer.decoded === answer.sentence
                  ? words.same
                  : answer.decoded === ` ${answer.sentence}`
                    ? words.blank
                    : words.changed}
              </span>
            </p>
          )}
        </>
      )}
    </section>
  );
}

/** Characters as people count them, or words that have letters or digits. */
export function segments(text: string, granularity: "grapheme" | "word", language: Language): number {
  let count = 0;
  for (const each of new Intl.Segmenter(language, { granularity }).segment(text))
    if (granularity === "grapheme" || each.isWordLike) count++;
  return count;
}
