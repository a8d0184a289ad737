// The Machine section: what training a model would take on a slice, whether it fits, and what a TPU does meanwhile.
import { useEffect } from "preact/hooks";
import { machineWords } from "../../language/machine";
import { useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import "../../style/tokens_machine.css";
import "../../style/machine.css";
import type { Job, MachineCalls } from "../../workshop/machine";
import { useAnswer } from "../../workshop/use_answer";
import { workshop } from "../../workshop/workshop";
import { Awaited } from "../awaited";
import { Broken } from "../broken";
import { keepJob, keptJob, named } from "./choices";
import { Findings } from "./findings";
import { useSettled } from "./hooks";
import { JobPanel } from "./job";
import { Lanes } from "./lanes";
import { MatrixUnitPanel } from "./matrix";
import { MemoryPanel } from "./memory";
import { NumberPanel } from "./number";
import { Scaling } from "./scaling";

const calls = workshop<MachineCalls>();

export default function Machine({ session }: { session: Session }) {
  const words = useSpoken(machineWords);
  const choices = useAnswer(() => calls.machineChoices({}), []);
  const known = choices.answer;
  const job = named(keptJob(session), known);
  const key = JSON.stringify(job);
  const turn = (change: Partial<Job>) => keepJob(session, change);

  const estimate = useAnswer(known && (async () => ({ asked: job.slice, ...(await calls.estimateJob(job)) })), [
    key,
    known,
  ]);
  // A slice goes by its own name, whichever it was asked for by: v5litepod-8 is v5e-8.
  useEffect(() => {
    const { asked, slice } = estimate.answer ?? {};
    if (slice && asked === job.slice && slice.name !== asked) turn({ slice: slice.name });
  }, [estimate.answer]);
  // What takes longer is asked about a job that was estimated, when the slider that changes it rests.
  const settled = named(useSettled(job, key), known);
  const settledKey = JSON.stringify(settled);
  const memory = useAnswer(known && (() => calls.memoryOf(settled)), [settledKey, known]);
  const possible = estimate.answer !== null && estimate.refused.length === 0;

  return (
    <>
      <div class="lead">
        <p>{words.lead}</p>
      </div>
      <Broken of={[choices, estimate, memory]} />
      <Awaited wanted={(choices.busy || estimate.busy) && estimate.answer === null} />
      <JobPanel
        job={job}
        turn={turn}
        choices={known}
        estimate={estimate}
        largest={memory.refused.length === 0 ? (memory.answer?.largest_batch ?? null) : null}
      />
      {possible && estimate.answer && (
        <MemoryPanel job={job} turn={turn} estimate={estimate.answer} memory={memory} settled={settledKey === key} />
      )}
      {possible && <Scaling session={session} job={settled} turn={turn} calls={calls} />}
      {possible && <Lanes session={session} job={settled} calls={calls} />}
      {possible && <Findings session={session} job={settled} calls={calls} />}
      <MatrixUnitPanel
        session={session}
        chip={estimate.answer?.slice.chip ?? "v3"}
        products={estimate.answer?.products ?? []}
        calls={calls}
      />
      <NumberPanel session={session} calls={calls} />
    </>
  );
}
