// The memory of a replica as a bar beside its capacity, and what could be given up where it overflows.
import { machineWords } from "../../language/machine";
import { useLanguage, useSpoken } from "../../language/words";
import type { Estimate, Job, Memory, MemoryAnswer } from "../../workshop/machine";
import type { Answered } from "../../workshop/use_answer";
import { whole } from "../format";
import { Diagnostics } from "../diagnostics";
import { bytes, time } from "./units";

const parts = ["weights", "optimizer", "added_up", "working"] as const;

export function MemoryPanel(props: {
  job: Job;
  turn: (change: Partial<Job>) => void;
  estimate: Estimate;
  memory: Answered<MemoryAnswer>;
  /** Whether `memory` is asked about the job that `estimate` is of. */
  settled: boolean;
}) {
  const { job, turn, estimate } = props;
  const words = useSpoken(machineWords).memory;
  const language = useLanguage();
  const { memory } = estimate;
  const answer = props.memory.refused.length === 0 ? props.memory.answer : null;
  const fresh = props.settled && !props.memory.busy;
  const over = !memory.fits;
  const said = (over ? words.over : words.bar)(bytes(memory.needed, language), bytes(memory.capacity, language));

  return (
    <div class="panel memory" aria-busy={!fresh}>
      <h3>{words.heading}</h3>
      <p class="hint">{words.hint}</p>
      <p
        class={over ? "said over" : "said"}
        data-memory={over ? "over" : "fits"}
        data-value={memory.needed}
        role="status"
      >
        {said}
      </p>
      <MemoryBar memory={memory} label={said} />
      <ul class="legend">
        {parts
          .filter((name) => memory[name] > 0)
          .map((name) => (
            <li key={name} data-part={name} data-value={memory[name]}>
              <i class={`swatch ${name}`} aria-hidden="true" />
              {words.parts[name]} <b>{bytes(memory[name], language)}</b>
            </li>
          ))}
        {over && (
          <li>
            <i class="swatch beyond" aria-hidden="true" />
            {words.beyond} <b>{bytes(memory.needed - memory.capacity, language)}</b>
          </li>
        )}
      </ul>
      {memory.peak > memory.needed * 1.0001 && (
        <p class="hint">{words.recomputed(bytes(memory.peak, language), time(estimate.recompute, language))}</p>
      )}
      {memory.must_ask_beyond && <p data-must-ask>{words.mustAsk(memory.must_ask_beyond)}</p>}
      {answer && (
        <>
          <p class="hint" data-largest={fresh ? answer.largest_batch : ""}>
            {answer.largest_batch === 0
              ? words.none
              : words.largest(
                  whole(answer.largest_batch, language),
                  whole(answer.largest_batch * estimate.replicas * job.accumulate, language),
                )}{" "}
            {answer.largest_kept < answer.largest_batch && words.largestKept(whole(answer.largest_kept, language))}{" "}
            {answer.largest_batch > 0 && answer.largest_batch !== job.sequences && (
              <button
                type="button"
                class="small"
                data-action="largest"
                onClick={() => turn({ sequences: answer.largest_batch })}
              >
                {words.toLargest}
              </button>
            )}
          </p>
          {over && fresh && answer.refused.length > 0 && (
            <div class="notice mishap" data-notice="memory">
              <Diagnostics diagnostics={answer.refused} />
            </div>
          )}
          {answer.choices.length > 0 && <MemoryChoices job={job} turn={turn} estimate={estimate} answer={answer} />}
        </>
      )}
    </div>
  );
}

function MemoryBar({ memory, label }: { memory: Memory; label: string }) {
  const words = useSpoken(machineWords).memory;
  const language = useLanguage();
  const end = Math.max(memory.needed, memory.capacity) * 1.04;
  let at = 0;
  return (
    <div class="memory-bar" role="img" aria-label={label}>
      <div class="track">
        {parts.map((name) => {
          const from = at;
          at += memory[name];
          return (
            <i
              key={name}
              class={name}
              title={`${words.parts[name]}: ${bytes(memory[name], language)}`}
              style={{ "--from": from / end, "--share": Math.max(0, memory[name]) / end }}
            />
          );
        })}
        {!memory.fits && (
          <i
            class="beyond"
            style={{ "--from": memory.capacity / end, "--share": (memory.needed - memory.capacity) / end }}
          />
        )}
      </div>
      <span class="limit" style={{ "--from": memory.capacity / end }}>
        {words.capacity} {bytes(memory.capacity, language)}
      </span>
    </div>
  );
}

function MemoryChoices(props: {
  job: Job;
  turn: (change: Partial<Job>) => void;
  estimate: Estimate;
  answer: MemoryAnswer;
}) {
  const { job, turn, estimate, answer } = props;
  const words = useSpoken(machineWords).memory;
  const language = useLanguage();
  return (
    <div class="table-room">
      <table class="numbers-table choices">
        <caption>{words.choices}</caption>
        <thead>
          <tr>
            <th scope="col">{words.choice}</th>
            <th scope="col" class="number">
              {words.needs}
            </th>
            <th scope="col" class="number">
              {words.step}
            </th>
            <th scope="col">{words.fits}</th>
          </tr>
        </thead>
        <tbody>
          {answer.choices.map(({ id, peak, step, fits }) => {
            const change: Partial<Job> | null =
              id === "half_batch"
                ? { sequences: estimate.sequences / 2 }
                : id === "accumulate"
                  ? { sequences: estimate.sequences / 2, accumulate: job.accumulate * 2 }
                  : null;
            return (
              <tr key={id} data-given={id}>
                <th scope="row">
                  {words.choiceNames[id]}{" "}
                  {change && (
                    <button type="button" class="small" data-action={id} onClick={() => turn(change)}>
                      {words.apply}
                      <span class="unseen">: {words.choiceNames[id]}</span>
                    </button>
                  )}
                </th>
                <td class="number">{bytes(peak, language)}</td>
                <td class="number">{time(step, language)}</td>
                <td class={fits ? "yes" : "no"}>{fits ? words.yes : words.no}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
