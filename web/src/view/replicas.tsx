// The eight replicas: a tile each, beating once a step, joined below by the all-reduce that keeps them equal.
import { useLanguage, useWords } from "../language/words";
import { replicaLosses } from "../state/run";
import type { Session } from "../state/session";
import { loss, whole } from "./format";
import { late } from "./late";
import { scaleOf, Sparkline } from "./sparkline";

const count = 8;
const points = 60; // in a sparkline, at most

const SameRun = late(() => import("./same_run"), "SameRun");

export function Replicas({ session }: { session: Session }) {
  const { run } = session;
  const words = useWords();
  const language = useLanguage();
  const report = run.reports.at(-1);
  const histories = Array.from({ length: count }, (_, replica) => replicaLosses(run.reports, replica, points));
  const scale = scaleOf(histories.flat());
  const share = run.summary ? run.reports.length / run.summary.steps : 1;
  const waiting = !report && run.stage !== "broken";

  return (
    <section class="panel replicas" aria-labelledby="replicas-heading">
      <h2 id="replicas-heading">{words.replicas}</h2>
      <p class="hint">{words.replicasHint}</p>
      <ol class={waiting ? "tiles waiting" : "tiles"}>
        {histories.map((history, replica) => (
          <li key={replica} class="tile" style={{ "--turn": replica }}>
            {report && <span key={report.step} class="beat" />}
            <Sparkline values={history} scale={scale} share={share} />
            <p class="tile-name">{words.replica(String(replica))}</p>
            <p class="tile-loss">{loss(report?.replica_losses[replica])}</p>
          </li>
        ))}
      </ol>
      <div class="all-reduce">
        <div class="bus" aria-hidden="true">
          {report && <span key={report.step} class="pulse" />}
        </div>
        <h3>{words.allReduce}</h3>
        <p class="hint">{words.allReduceHint}</p>
        {run.parametersHash && (
          <p class="hash">
            {words.hashAt(whole(run.parametersHash.step, language))}{" "}
            <code data-hash={run.parametersHash.value} data-hash-step={run.parametersHash.step}>
              {run.parametersHash.value}
            </code>
          </p>
        )}
        {run.finished && <SameRun wanted session={session} />}
      </div>
    </section>
  );
}
