// The run's numbers, each with what it means.
import type { ComponentChildren } from "preact";
import { numbersWords } from "../language/numbers";
import { useLanguage, useSpoken } from "../language/words";
import { type Run, tokensPerSecond } from "../state/run";
import { rate, share, whole } from "./format";

export function Figures({ run }: { run: Run }) {
  const words = useSpoken(numbersWords);
  const language = useLanguage();
  const report = run.reports.at(-1);
  const { summary } = run;
  const number = (value: number | null | undefined) => whole(value, language);

  return (
    <dl>
      <Figure name="tokens-per-second" label={words.tokensPerSecond} value={number(tokensPerSecond(run.reports))}>
        {words.tokensPerSecondHint(number(report?.tokens))}
      </Figure>
      <Figure name="compiles" label={words.compiles} value={number(report?.compiles)}>
        {words.compilesHint}
      </Figure>
      <Figure name="cache-hits" label={words.cacheHits} value={number(report?.cache_hits)}>
        {words.cacheHitsHint}
      </Figure>
      <Figure name="padding" label={words.padding} value={share(report?.padding_share, language)}>
        {words.paddingHint}
      </Figure>
      <Figure name="learning-rate" label={words.learningRate} value={rate(report?.learning_rate)}>
        {words.learningRateHint}
      </Figure>
      <Figure name="vocabulary" label={words.vocabulary} value={number(summary?.vocabulary)}>
        {words.vocabularyHint(number(summary?.training_lines), number(summary?.held_out_lines))}
      </Figure>
      <Figure name="parameters" label={words.parameters} value={number(summary?.parameters)}>
        {words.parametersHint(number(summary?.layers), number(summary?.hidden))}
      </Figure>
      <Figure name="threads" label={words.threads} value={number(summary?.threads)}>
        {words.threadsHint}
      </Figure>
    </dl>
  );
}

function Figure(props: { name: string; label: string; value: string; children: ComponentChildren }) {
  return (
    <div class="figure">
      <dt>{props.label}</dt>
      <dd class="value" data-number={props.name}>
        {props.value}
      </dd>
      <dd class="hint">{props.children}</dd>
    </div>
  );
}
