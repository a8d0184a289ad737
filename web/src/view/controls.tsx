// Start, pause, step, reset; how far the run is; and what a screen reader is told of it.
import { useLanguage, useWords, type Words } from "../language/words";
import { type Run, secondsLeft } from "../state/run";
import type { Session } from "../state/session";
import { defaultOptions } from "../state/settings";
import { duration, loss, whole } from "./format";

const announceEvery = 50; // steps, or a tenth of all where those are more

export function Controls({ session }: { session: Session }) {
  const words = useWords();
  const language = useLanguage();
  const { run } = session;
  const steps = run.summary?.steps ?? session.settings.options.steps ?? defaultOptions.steps;
  const done = run.reports.length;
  const ready = run.summary !== null && (run.stage === "open" || run.stage === "opening");
  const left = run.running ? secondsLeft(run) : null;

  return (
    <section id="controls" class="controls" tabIndex={-1} aria-label={words.controls}>
      <div class="buttons">
        {run.running ? (
          <button type="button" class="primary" onClick={() => session.pause()}>
            <PauseSign />
            {words.pause}
          </button>
        ) : (
          <button type="button" class="primary" disabled={!ready} onClick={() => session.start()}>
            <StartSign />
            {run.finished ? words.again : words.start}
          </button>
        )}
        <button type="button" data-action="step" disabled={!ready || run.finished} onClick={() => session.step()}>
          {words.step}
        </button>
        <button type="button" data-action="reset" disabled={!ready || done === 0} onClick={() => session.reset()}>
          {words.reset}
        </button>
      </div>
      <div class="progress">
        <p class="progress-words">
          <span class="stage">{stageOf(run, words)}</span>
          <span class="count" data-step={done}>
            {words.stepOf(whole(done, language), whole(steps, language))}
            {left !== null && left > 0 && ` · ${words.timeLeft(duration(left, words, language))}`}
          </span>
        </p>
        <progress max={Math.max(1, steps)} value={done} aria-label={words.controls} />
      </div>
      <p class="unseen" role="status" aria-live="polite">
        {announcement(run, words, language)}
      </p>
    </section>
  );
}

function stageOf(run: Run, words: Words): string {
  if (run.stage === "loading") return words.loading;
  if (run.stage === "opening") return words.opening;
  if (run.stage === "broken" || !run.summary) return ""; // a notice says why
  if (run.finished) return words.finished;
  if (run.running) return words.training;
  return run.reports.length > 0 ? words.paused : words.ready;
}

/** Changes seldom, for it is read aloud: with the stage, and after so many steps. */
function announcement(run: Run, words: Words, language: ReturnType<typeof useLanguage>): string {
  const every = Math.max(announceEvery, Math.ceil((run.summary?.steps ?? 0) / 10));
  const at = run.reports.length - (run.running ? run.reports.length % every : 0);
  const report = run.reports[at - 1];
  const stage = stageOf(run, words);
  return report && stage ? `${stage}. ${words.announceLoss(whole(report.step, language), loss(report.loss))}` : stage;
}

function StartSign() {
  return (
    <svg class="sign" viewBox="0 0 12 12" aria-hidden="true">
      <path d="M2.5 1.2v9.6a.6.6 0 0 0 .9.5l7.6-4.8a.6.6 0 0 0 0-1L3.4.7a.6.6 0 0 0-.9.5z" />
    </svg>
  );
}

function PauseSign() {
  return (
    <svg class="sign" viewBox="0 0 12 12" aria-hidden="true">
      <rect x="1.5" y="1" width="3" height="10" rx="0.8" />
      <rect x="7.5" y="1" width="3" height="10" rx="0.8" />
    </svg>
  );
}
