// One tokenizer as it grows: how many pieces, how few tokens a word takes by now, what was learned last, and its files.
import { useState } from "preact/hooks";
import { textWords } from "../../language/text";
import { useLanguage, useSpoken } from "../../language/words";
import type { TokenizerKind } from "../../workshop/text";
import { type Failed, failure } from "../../workshop/use_answer";
import { Broken } from "../broken";
import { whole } from "../format";
import { decimal } from "./numbers";
import { Shown } from "./shown";
import type { GrowthPoint } from "./training";
import { calls, type Tokenizers } from "./use_tokenizers";

export function Growing({ kind, tokenizers }: { kind: TokenizerKind; tokenizers: Tokenizers }) {
  const all = useSpoken(textWords);
  const words = all.training;
  const language = useLanguage();
  const growth = tokenizers.progress?.growth[kind];
  const curve = tokenizers.progress?.curve[kind] ?? [];
  const opened = tokenizers.opened.find((each) => each.kind === kind);
  const pieces = opened?.pieces ?? growth?.pieces;

  return (
    <div class="growth" data-growth={kind}>
      <h4>{all.kinds[kind]}</h4>
      <dl>
        <div>
          <dt>{words.pieces}</dt>
          <dd data-number={`${kind}-pieces`}>{whole(pieces, language)}</dd>
        </div>
        <div>
          <dt>{words.tokensPerWord}</dt>
          <dd>{growth && !opened ? decimal(growth.tokens_per_word, 2, language) : "–"}</dd>
        </div>
      </dl>
      {opened && opened.missing_bytes > 0 && (
        <p class="hint">{words.missingBytes(whole(opened.missing_bytes, language))}</p>
      )}
      {!opened && (
        <>
          <Curve points={curve} most={tokenizers.options.vocab_size} />
          <div class="latest">
            <span class="label">{words.latest}</span>
            <ul>
              {(growth?.latest ?? []).map((piece) => (
                <li key={piece.id}>
                  <Shown piece={piece} />
                </li>
              ))}
            </ul>
          </div>
        </>
      )}
      {tokenizers.ready && <Files kind={kind} />}
    </div>
  );
}

/** The files that `octet tokenizer train` writes, to save. */
function Files({ kind }: { kind: TokenizerKind }) {
  const all = useSpoken(textWords);
  const names =
    kind === "bpe"
      ? ["vocab.json", "merges.txt", "tokenizer.json"]
      : ["vocab.txt", "tokenizer_config.json", "tokenizer.json"];
  const [failed, setFailed] = useState<Failed[]>([]);
  const write = async (name: string) => {
    const { files } = await calls.tokenizerFiles({ kind });
    const file = files.find((each) => each.name === name);
    if (!file) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([file.content], { type: "application/octet-stream" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  const save = (name: string) =>
    void write(name).then(
      () => setFailed([]),
      (error: unknown) => setFailed([{ ...failure(error), again: () => save(name) }]),
    );
  return (
    <div class="files" role="group" aria-label={all.training.files(all.kinds[kind])}>
      {names.map((name) => (
        <button key={name} type="button" data-save={`${kind}-${name}`} onClick={() => save(name)}>
          <span aria-hidden="true">↓</span> {name}
        </button>
      ))}
      <Broken of={failed} />
    </div>
  );
}

const width = 300;
const height = 80;
const ground = 63; // the number of pieces stands below

function Curve({ points, most }: { points: GrowthPoint[]; most: number }) {
  const words = useSpoken(textWords).training;
  const language = useLanguage();
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return <svg class="growth-curve" viewBox={`0 0 ${width} ${height}`} aria-hidden="true" />;
  const tallest = Math.max(...points.map((each) => each.tokensPerWord), 1.01);
  const end = Math.max(most, last.pieces) - first.pieces || 1;
  const place = ({ pieces, tokensPerWord }: GrowthPoint) =>
    `${(((pieces - first.pieces) / end) * (width - 6)).toFixed(1)},${(ground - 1 - ((tokensPerWord - 1) / (tallest - 1)) * (ground - 5)).toFixed(1)}`;
  const [x, y] = place(last).split(",");
  return (
    <svg
      class="growth-curve"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={words.curve(decimal(first.tokensPerWord, 2, language), decimal(last.tokensPerWord, 2, language))}
    >
      <line class="ground" x1={0} x2={width} y1={ground} y2={ground} />
      <text x={width} y={12} text-anchor="end">
        {words.scale(decimal(tallest, 2, language))}
      </text>
      <text x={width} y={height - 4} text-anchor="end">
        {words.end(whole(end + first.pieces, language))}
      </text>
      <polyline points={points.map(place).join(" ")} />
      <circle cx={x} cy={y} r={3} />
    </svg>
  );
}
