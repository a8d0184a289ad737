// How long the lines of the text are in tokens, and what a padding policy makes of that.
import { rulesWords } from "../../language/rules";
import { textWords } from "../../language/text";
import { useLanguage, useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import type { Calls, LengthCalls, PolicyKind } from "../../workshop/lengths";
import { type TokenizerKind, tokenizerKinds } from "../../workshop/text";
import { useAnswer } from "../../workshop/use_answer";
import { workshop } from "../../workshop/workshop";
import { Chips } from "../field";
import { share, whole } from "../format";
import { Broken } from "../broken";
import { Diagnostics } from "../diagnostics";
import { blobOf, nameOf, type Source } from "../page_text";
import { Histogram } from "../rules/histogram";
import { policyOf, usual } from "../rules/policy";
import { calls, type Tokenizers } from "./use_tokenizers";

const weighing = workshop<Pick<LengthCalls, "weighPolicies">>();

const rows = 8;
const longestLine = 512; // tokens
const multiple = 16; // lines are short
const measuredPart = 2 << 20; // bytes
/** Those that need neither a measured compile nor a list; the Rules section has them all. */
const policies = [
  "longest",
  "multiple_of",
  "doubling_then_linear",
  "max_length",
  "exact",
] as const satisfies PolicyKind[];
const usualPolicy = "multiple_of";
const specialTokens = 2; // [CLS] and [SEP], which rows of WordPiece have

export function LineLengths({ session, tokenizers }: { session: Session; tokenizers: Tokenizers }) {
  const all = useSpoken(textWords);
  const words = all.lengths;
  const rules = useSpoken(rulesWords).lengths;
  const language = useLanguage();
  const keptKind = session.kept("text.kind");
  const kind = tokenizerKinds.find((each) => each === keptKind) ?? "wordpiece";
  const keptPolicy = session.kept("text.policy");
  const policy = policies.find((each) => each === keptPolicy) ?? usualPolicy;
  const { source, ready, version, progress } = tokenizers;
  const still = ready && progress?.stage === "done";

  const measured = useAnswer(
    still
      ? async (signal) => {
          const { lengths } = await calls.measureLines(await linesOf(source, kind, signal));
          return { source, kind, lengths: [...lengths] };
        }
      : null,
    [still, kind, still ? version : 0],
  );
  const last = measured.refused.length === 0 ? measured.answer : null;
  const lengths = ready && last?.source === source ? last.lengths : null; // another text's would pass for this one's
  const special = last?.kind === "wordpiece" ? specialTokens : 0;
  const longest = lengths?.reduce((most, each) => Math.max(most, each), 0) ?? 0;
  const weighed = useAnswer(
    lengths
      ? () =>
          weighing.weighPolicies({
            lengths,
            rows,
            steps: 1000,
            compile_seconds: 0,
            seconds_per_position: 0,
            policies: [policyOf(policy, { ...usual, multiple, bound: multiple }, longest)],
          })
      : null,
    [lengths, policy],
  );
  const outcome = weighed.answer?.outcomes[0];
  const worked = outcome?.refused.length === 0 ? outcome : null;

  return (
    <div class="panel line-lengths" aria-busy={(progress !== null && !still) || measured.busy || weighed.busy}>
      <h3>{words.heading}</h3>
      <p class="hint">{words.hint}</p>
      <Chips
        name="text-kind"
        label={words.kind}
        chosen={kind}
        choices={tokenizerKinds.map((value) => ({ value, title: all.kinds[value] }))}
        choose={(value: TokenizerKind) => session.keep("text.kind", value === "wordpiece" ? "" : value)}
      />
      <Chips
        name="text-policy"
        label={words.policy}
        chosen={policy}
        choices={policies.map((value) => ({
          value,
          title: value === "multiple_of" ? words.multiples(multiple) : rules.policies[value],
        }))}
        choose={(value) => session.keep("text.policy", value === usualPolicy ? "" : value)}
      />
      <Diagnostics diagnostics={[...measured.refused, ...(outcome?.refused ?? [])]} />
      <Broken of={[measured, weighed]} />
      {lengths && (
        <>
          <p class="hint">
            {words.measured(
              whole(lengths.length, language),
              // Those of the text, so that both kinds compare.
              whole(
                lengths.reduce((sum, each) => sum + each - special, 0),
                language,
              ),
              whole(longest, language),
              special > 0,
            )}{" "}
            {typeof source !== "string" && source.size > measuredPart && words.part}{" "}
            {longest === longestLine && rules.cut(whole(longestLine, language))}
          </p>
          <dl class="padding-figures">
            <div>
              <dt>{words.padding}</dt>
              <dd data-number="text-padding">{share(worked?.padding_share, language)}</dd>
            </div>
            <div>
              <dt>{words.policy}</dt>
              <dd class="code" data-shown="text-policy">
                {worked?.name ?? "–"}
              </dd>
            </div>
            <div>
              <dt>{words.programs}</dt>
              <dd data-number="text-programs">{whole(worked?.programs, language)}</dd>
            </div>
          </dl>
          <p class="hint">{policy === "exact" ? rules.policyHints.exact : words.inBatches(whole(rows, language))}</p>
          <figure>
            <Histogram
              longest={counted(lengths)}
              up={words.upAxis}
              across={rules.acrossAxis}
              buckets={worked?.buckets ?? []}
              label={words.histogram(whole(lengths.length, language), whole(worked?.buckets.length ?? 0, language))}
            />
            <figcaption class="hint">{words.histogramHint}</figcaption>
          </figure>
        </>
      )}
      <p>
        <a href={session.linkTo("rules")} onClick={(event) => toRules(event, session)}>
          {words.more}
        </a>
      </p>
    </div>
  );
}

function toRules(event: MouseEvent, session: Session): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault(); // the link's fragment holds the page's settings
  session.goTo("rules");
  const smooth = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  document.getElementById("rules")?.scrollIntoView({ behavior: smooth ? "smooth" : "auto" });
  document.getElementById("rules-title")?.focus({ preventScroll: true });
}

async function linesOf(source: Source, kind: TokenizerKind, signal: AbortSignal) {
  const blob = await blobOf(source, signal);
  const bytes = new Uint8Array(await blob.slice(0, measuredPart).arrayBuffer());
  const name = nameOf(source);
  const isWhole = blob.size <= measuredPart;
  return { kind, name, bytes: isWhole ? bytes : wholeLines(bytes), whole: isWhole, longest: longestLine };
}

/** Up to the last line end; where there is none, up to the last whole character. */
export function wholeLines(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(0x0a);
  if (end >= 0) return bytes.subarray(0, end + 1);
  let size = bytes.length;
  while (size > 0 && ((bytes[size - 1] ?? 0) & 0x80) !== 0) size--;
  return bytes.subarray(0, size);
}

/** How many lines have each length. */
export function counted(lengths: readonly number[]): Calls[] {
  const counts = new Map<number, number>();
  for (const length of lengths) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].map(([extent, calls]) => ({ extent, calls })).sort((a, b) => a.extent - b.extent);
}
