// Learning a vocabulary: from which text and with what options, how far it is, and what it comes to.
import { useRef, useState } from "preact/hooks";
import { textWords } from "../../language/text";
import { useLanguage, useSpoken } from "../../language/words";
import { tokenizerKinds } from "../../workshop/text";
import { Broken } from "../broken";
import { MarkSlider, Slider } from "../field";
import { whole } from "../format";
import { NotUsed } from "../not_used";
import { TextChips } from "../text_chips";
import { Growing } from "./growing";
import { megabytes } from "./numbers";
import { usualOptions } from "./training";
import { alphabets, longestPrefix, sizes, type Tokenizers } from "./use_tokenizers";

export function TrainingPanel({ tokenizers }: { tokenizers: Tokenizers }) {
  const words = useSpoken(textWords).training;
  const language = useLanguage();
  const { source, options, turn } = tokenizers;
  const [more] = useState(
    () =>
      !options.clean_text ||
      options.limit_alphabet !== usualOptions.limit_alphabet ||
      options.wordpieces_prefix !== usualOptions.wordpieces_prefix,
  );
  const filePicker = useRef<HTMLInputElement>(null);

  const flag = (name: keyof typeof options, label: string, of: string, hint?: string) => (
    <div class="check">
      <label>
        <input
          type="checkbox"
          name={name}
          checked={options[name] === true}
          aria-describedby={hint ? `${name}-hint` : undefined}
          onChange={(event) => turn({ [name]: event.currentTarget.checked })}
        />
        <span>
          {label} <small>{of}</small>
        </span>
      </label>
      {hint && (
        <p id={`${name}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  );

  return (
    <div class="panel learning">
      <h3>{words.heading}</h3>
      <p class="hint">{words.hint}</p>
      <TextChips name="text-source" label={words.text} picker="text" source={source} choose={tokenizers.choose} />
      <p class="hint">{words.drop}</p>

      <div class="sliders">
        <MarkSlider
          name="vocabulary"
          label={words.size}
          hint={words.sizeHint}
          marks={sizes}
          value={options.vocab_size}
          shown={whole(options.vocab_size, language)}
          change={(vocab_size) => turn({ vocab_size })}
        />
        <Slider
          name="frequency"
          label={words.frequency}
          hint={words.frequencyHint}
          value={options.min_frequency}
          least={1}
          most={20}
          shown={whole(options.min_frequency, language)}
          change={(min_frequency) => turn({ min_frequency })}
        />
      </div>
      <div class="checks">
        {flag("lowercase", words.lowercase, words.onlyWordpiece)}
        {flag("strip_accents", words.stripAccents, words.onlyWordpiece, words.stripAccentsHint)}
        {flag("handle_chinese_chars", words.chinese, words.onlyWordpiece)}
        {flag("add_prefix_space", words.prefixSpace, words.onlyBpe)}
      </div>
      <details class="more" open={more}>
        <summary>{words.more}</summary>
        <div class="sliders">
          <MarkSlider
            name="alphabet"
            label={words.alphabet}
            hint={words.alphabetHint}
            marks={alphabets}
            value={options.limit_alphabet}
            shown={whole(options.limit_alphabet, language)}
            change={(limit_alphabet) => turn({ limit_alphabet })}
          />
          <div class="slider">
            <label for="wordpieces-prefix">{words.mark}</label>
            <input
              id="wordpieces-prefix"
              class="code"
              type="text"
              lang="en"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              maxLength={longestPrefix}
              value={options.wordpieces_prefix}
              aria-describedby="wordpieces-prefix-hint"
              aria-invalid={isOfOptions(tokenizers)}
              onInput={(event) => turn({ wordpieces_prefix: event.currentTarget.value })}
            />
            <p id="wordpieces-prefix-hint" class="hint">
              {words.markHint}
            </p>
          </div>
        </div>
        <div class="checks">{flag("clean_text", words.cleanText, words.onlyWordpiece, words.cleanTextHint)}</div>
      </details>

      <div class="buttons">
        <Verb tokenizers={tokenizers} />
        <button type="button" onClick={() => filePicker.current?.click()} aria-describedby="open-tokenizer-hint">
          {words.open}
        </button>
        <input
          ref={filePicker}
          type="file"
          hidden
          multiple
          accept=".txt,.json"
          tabIndex={-1}
          aria-label={words.open}
          data-picker="tokenizer"
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            if (files.length > 0) tokenizers.open(files);
            currentTarget.value = "";
          }}
        />
      </div>
      <p id="open-tokenizer-hint" class="hint">
        {words.openHint}
      </p>

      <Mishaps tokenizers={tokenizers} />
      <Progressing tokenizers={tokenizers} />
      <div class="growths">
        {tokenizerKinds.map((kind) => (
          <Growing key={kind} kind={kind} tokenizers={tokenizers} />
        ))}
      </div>
    </div>
  );
}

/** Whether an option was refused, not the text: of what can be chosen that is the mark alone. */
function isOfOptions({ mishap, refused, source }: Tokenizers): boolean {
  return mishap?.refused[0]?.number === "X709" && refused === source;
}

/** What can be done about learning now. */
function Verb({ tokenizers }: { tokenizers: Tokenizers }) {
  const words = useSpoken(textWords).training;
  const stage = tokenizers.progress?.stage;
  const runs = stage === "reading" || stage === "learning";
  return (
    <button
      type="button"
      class={runs ? "" : "primary"}
      data-verb={stage === "reading" ? "cancel" : stage === "learning" ? "stop" : "learn"}
      onClick={runs ? tokenizers.stop : tokenizers.again}
    >
      {stage === "reading" ? words.cancel : stage === "learning" ? words.stop : words.train}
    </button>
  );
}

function Mishaps({ tokenizers }: { tokenizers: Tokenizers }) {
  const words = useSpoken(textWords).training;
  const { mishap, leftOut, retry } = tokenizers;
  return (
    <>
      <NotUsed
        name={isOfOptions(tokenizers) ? tokenizers.options.wordpieces_prefix : (mishap?.name ?? "")}
        diagnostics={mishap?.refused ?? []}
        text={tokenizers.refused}
        take={tokenizers.choose}
      />
      <Broken of={mishap ? [{ ...mishap, again: retry }] : []} name={mishap?.name} />
      <p class="wrong" role="status">
        {leftOut && words.leftOut(leftOut)}
      </p>
    </>
  );
}

function Progressing({ tokenizers }: { tokenizers: Tokenizers }) {
  const words = useSpoken(textWords).training;
  const language = useLanguage();
  const { progress, cancelled, mishap, options } = tokenizers;
  const opened = tokenizers.opened.at(-1);
  if (!progress) return null;
  const { stage, name, read, size, growth } = progress;
  const learned = tokenizerKinds.map((kind) => {
    const each = growth[kind];
    return each ? (each.more ? each.pieces / options.vocab_size : 1) : 0;
  });
  // Reading and joining take about as long as each other.
  const share =
    stage === "done"
      ? 1
      : (size > 0 ? read / size : Number(stage !== "reading")) / 2 + learned.reduce((sum, each) => sum + each / 4, 0);
  const said = opened
    ? words.opened(opened.name, whole(opened.pieces, language))
    : cancelled
      ? words.cancelled
      : mishap
        ? ""
        : stage === "reading"
          ? words.reading(name)
          : stage === "learning"
            ? words.learning
            : words.done(name);
  return (
    <div class="growing-progress" data-stage={stage}>
      <div class="progress-words">
        <span class="stage" aria-live="polite">
          {said}
        </span>
        <span class="count">
          {stage === "reading" &&
            size >= 1e6 &&
            `${words.readOf(megabytes(read, language), megabytes(size, language))} · `}
          {!mishap && !opened && words.words(whole(progress.words, language))}
        </span>
      </div>
      {!mishap && <progress max={1} value={share} aria-label={words.heading} />}
      {progress.full && <p class="hint">{words.full(megabytes(read, language))}</p>}
    </div>
  );
}
