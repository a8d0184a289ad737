// A sentence with a blank, and the words the model finds likeliest for it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Blank } from "../engine/engine";
import { useLanguage, useWords } from "../language/words";
import type { Session } from "../state/session";
import { hasMask, withMask } from "../state/settings";
import { share, whole } from "./format";
import { late } from "./late";

const Diagnostics = late(() => import("./diagnostics"), "Diagnostics");
const NotLoaded = late(() => import("./mishap"), "NotLoaded");

const blank = "___";

export function FillBlank({ session }: { session: Session }) {
  const words = useWords();
  const language = useLanguage();
  const [sentence, setSentence] = useState(session.sentence);
  const input = useRef<HTMLInputElement>(null);
  const answer = session.run.answer;

  useEffect(() => setSentence(session.sentence), [session.settings.text]);

  const write = (text: string) => {
    setSentence(text);
    session.write(text);
  };

  const insertBlank = () => {
    const box = input.current;
    if (!box) return;
    const from = box.selectionStart ?? sentence.length;
    const to = box.selectionEnd ?? from;
    write(sentence.slice(0, from) + blank + sentence.slice(to));
    requestAnimationFrame(() => {
      box.focus();
      box.setSelectionRange(from + blank.length, from + blank.length);
    });
  };

  return (
    <section class="panel fill" aria-labelledby="fill-heading">
      <h2 id="fill-heading">{words.fill}</h2>
      <p class="hint">{words.fillHint}</p>
      <label for="sentence">{words.fillLabel}</label>
      <div class="sentence">
        <input
          id="sentence"
          ref={input}
          type="text"
          autocomplete="off"
          spellcheck={false}
          value={sentence}
          onInput={(event) => write(event.currentTarget.value)}
        />
        <button type="button" onClick={insertBlank}>
          {words.insertBlank}
        </button>
      </div>
      {answer === null && <p class="hint quiet">{hasMask(withMask(sentence)) ? words.waiting : words.noBlank}</p>}
      {answer?.notLoaded && <NotLoaded wanted reason={answer.notLoaded} again={() => session.ask(session.sentence)} />}
      {answer && answer.diagnostics.length > 0 && (
        <div class="hint quiet">
          <Diagnostics wanted diagnostics={answer.diagnostics} />
        </div>
      )}
      {answer?.blanks.map(({ position, candidates }, at) => (
        <table key={position} class="candidates">
          <caption>
            {answer.blanks.length > 1 && `${words.blankNumber(String(at + 1))} · `}
            {words.fillAfter(whole(answer.step, language))}
          </caption>
          <tbody>
            {candidates.map(({ token, probability }, place) => (
              <tr key={place}>
                <th scope="row">{token}</th>
                <td class="bar" aria-hidden="true">
                  <span style={{ "--share": probability }} />
                </td>
                <td class="number">{share(probability, language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
      {answer?.blanks.some(goesOnWithWord) && <p class="hint quiet">{words.wordRest}</p>}
    </section>
  );
}

/** Whether a piece that is no whole word is among the guesses: WordPiece marks those that continue one by "##". */
function goesOnWithWord({ candidates }: Blank): boolean {
  return candidates.some(({ token }) => token.startsWith("##"));
}
