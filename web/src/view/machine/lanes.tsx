// Eight replicas and their hosts as lanes over time: compute, collective, infeed, idle.
import { useState } from "preact/hooks";
import { machineWords } from "../../language/machine";
import { useLanguage, useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import "../../style/machine_lanes.css";
import type { Job, MachineCalls, Timeline, TimelineEvent } from "../../workshop/machine";
import { useAnswer } from "../../workshop/use_answer";
import { Broken } from "../broken";
import { Chips, MarkSlider, Slider } from "../field";
import { share, whole } from "../format";
import { marksWith } from "../marks";
import { Diagnostics } from "../diagnostics";
import { hosts, keptFeed, mostPrefetch, places, preparers } from "./choices";
import { categoryOf, stepFrom } from "./timeline";
import { digits, time } from "./units";

const threadMarks = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256];
const prepareMarks = [10, 20, 40, 100, 200, 400, 1000, 2000, 4000, 10_000, 20_000, 40_000];
const slowMarks = [1, 2, 3, 5, 10, 20, 50, 100];

export function Lanes({ session, job, calls }: { session: Session; job: Job; calls: MachineCalls }) {
  const words = useSpoken(machineWords).lanes;
  const language = useLanguage();
  const feed = keptFeed(session);
  const { place, host, prepared_by: preparedBy, prefetch, slow_host: slow } = feed;
  const timeline = useAnswer(() => calls.timelineOf({ ...job, ...feed }), [JSON.stringify([job, feed])]);
  const answer = timeline.answer;
  const nowThreads = feed.threads ?? answer?.threads ?? 1;
  const nowPrepare = feed.prepare_microseconds ?? Math.round(answer?.prepare_microseconds ?? 40);
  const threadsChoices = marksWith(threadMarks, nowThreads, answer?.processors ?? 96);
  const prepareChoices = marksWith(prepareMarks, nowPrepare);

  return (
    <div class="panel lanes" aria-busy={timeline.busy}>
      <h3>{words.heading}</h3>
      <p class="hint">{words.hint}</p>
      <p class="label">{words.place}</p>
      <Chips
        name="place"
        label={words.place}
        chosen={place}
        choices={places.map((value) => ({ value, title: words.places[value] }))}
        choose={(value) => session.keep("machine.place", value === "memory" ? "" : value)}
      />
      <p class="hint">{words.placeHints[place]}</p>
      <p class="label">{words.host}</p>
      <Chips
        name="host"
        label={words.host}
        chosen={host}
        choices={hosts.map((value) => ({ value, title: words.hosts[value] }))}
        choose={(value) => session.keep("machine.host", value === "vm" ? "" : value)}
      />
      <p class="hint">{words.hostHints[host]}</p>
      <p class="label">{words.preparedBy}</p>
      <Chips
        name="prepared-by"
        label={words.preparedBy}
        chosen={preparedBy}
        choices={preparers.map((value) => ({ value, title: words.preparers[value] }))}
        choose={(value) => session.keep("machine.prepared_by", value === "hosts" ? "" : value)}
      />
      <p class="hint">{words.preparerHints[preparedBy]}</p>
      <div class="sliders">
        <MarkSlider
          name="threads"
          label={words.threads}
          hint={words.threadsHint(whole(answer?.processors, language))}
          marks={threadsChoices}
          value={nowThreads}
          shown={whole(feed.threads ?? answer?.threads, language)}
          change={(mark) => session.keep("machine.threads", String(mark))}
        />
        <Slider
          name="prefetch"
          label={words.prefetch}
          hint={words.prefetchHint}
          value={prefetch}
          least={0}
          most={mostPrefetch}
          shown={whole(prefetch, language)}
          change={(value) => session.keep("machine.prefetch", value === 2 ? "" : String(value))}
        />
        <MarkSlider
          name="prepare"
          label={words.prepare}
          hint={words.prepareHint}
          marks={prepareChoices}
          value={nowPrepare}
          shown={time(nowPrepare * 1e-6, language)}
          change={(mark) => session.keep("machine.prepare", String(mark))}
        />
        <MarkSlider
          name="slow"
          label={words.slow}
          hint={words.slowHint}
          marks={slowMarks}
          value={slow}
          shown={slow === 1 ? words.asOthers : words.times(whole(slow, language))}
          change={(mark) => session.keep("machine.slow_host", mark === 1 ? "" : String(mark))}
        />
      </div>
      <Broken of={[timeline]} />
      {timeline.refused.length > 0 && (
        <div class="notice mishap">
          <Diagnostics diagnostics={timeline.refused} />
        </div>
      )}
      {answer && timeline.refused.length === 0 && (
        <>
          <Waiting timeline={answer} />
          <Picture timeline={answer} />
        </>
      )}
    </div>
  );
}

function Waiting({ timeline }: { timeline: Timeline }) {
  const words = useSpoken(machineWords).lanes;
  const language = useLanguage();
  const waits = timeline.waiting_share > 1e-6;
  const helped = timeline.threads_needed !== null || timeline.prefetch_needed !== null;
  return (
    <div class="waiting-share" role="status">
      <p class="figure" data-figure="waiting" data-value={timeline.waiting_share}>
        {words.waiting} <b class={waits ? "value over" : "value"}>{share(timeline.waiting_share, language)}</b>
      </p>
      <p class="hint">
        {words.waitingHint(time(timeline.cycle, language), time(timeline.step, language))} {!waits && words.noWait}
        {waits && !timeline.too_few_prefetched && words.slowest(words.stages[timeline.slowest])}{" "}
        {waits && timeline.threads_needed !== null && timeline.threads_needed > timeline.threads && (
          <span data-needed="threads">{words.threadsNeeded(whole(timeline.threads_needed, language))} </span>
        )}
        {waits && timeline.prefetch_needed !== null && (
          <span data-needed="prefetch">{words.prefetchNeeded(whole(timeline.prefetch_needed, language))} </span>
        )}
        {waits && !helped && words.noneHelps}
      </p>
    </div>
  );
}

/** The lanes, each event a stretch of its lane. One of them is told in words: that under the pointer, or where the keys went. */
function Picture({ timeline }: { timeline: Timeline }) {
  const words = useSpoken(machineWords).lanes;
  const language = useLanguage();
  const [told, setTold] = useState<number | null>(null);
  const { events, lanes, seconds } = timeline;
  const now = told === null ? undefined : events[told];
  const sentence = (event: TimelineEvent) => {
    const name = words.events[event.category as keyof typeof words.events] ?? event.name;
    return words.event(
      name,
      whole(event.step + 1, language),
      time(event.seconds, language),
      time(event.begin, language),
    );
  };
  const laneName = (at: number) => {
    const lane = lanes[at];
    const number = lane ? (/\d+/.exec(lane.group === "replicas" ? lane.name : lane.group)?.[0] ?? "0") : "0";
    // As the library names them: replicas count from 0, hosts from 1.
    return lane?.group === "replicas"
      ? words.lane.replica(number)
      : words.lane.host(
          whole(Number(number), language),
          words.laneStages[lane?.name as keyof typeof words.laneStages] ?? "",
        );
  };
  const place = (event: TimelineEvent) => ({ "--from": event.begin / seconds, "--share": event.seconds / seconds });

  return (
    <figure>
      <p class="told" aria-live="polite">
        {now ? (
          <>
            <i class={`swatch ${categoryOf(now.category)}`} aria-hidden="true" />
            <b>{laneName(now.lane)}</b> {sentence(now)}
          </>
        ) : (
          words.point
        )}
      </p>
      <div
        class="timeline"
        role="application"
        tabIndex={0}
        aria-label={words.chart(whole(lanes.length, language), time(seconds, language))}
        onKeyDown={(event) => {
          const to = stepFrom(events, told, event.key);
          if (to === null) return;
          event.preventDefault();
          setTold(to);
        }}
        onPointerLeave={() => setTold(null)}
        onBlur={() => setTold(null)}
      >
        {lanes.map((lane, at) => (
          <div key={at} class={`lane ${lane.group === "replicas" ? "replica" : "host"}`} data-lane={lane.name}>
            <span class="lane-name">{laneName(at)}</span>
            <span class="lane-track">
              {events.map(
                (event, number) =>
                  event.lane === at && (
                    <i
                      key={number}
                      class={`${categoryOf(event.category)}${number === told ? " told-one" : ""}`}
                      data-category={event.category}
                      style={place(event)}
                      onPointerEnter={() => setTold(number)}
                      onClick={() => setTold(number)}
                    />
                  ),
              )}
            </span>
          </div>
        ))}
        <div class="lane axis" aria-hidden="true">
          <span class="lane-name" />
          <span class="lane-track">
            {[0, 0.25, 0.5, 0.75, 1].map((part) => (
              <span key={part} class="tick" style={{ "--from": part }}>
                {part === 0 ? digits(0, 1, language) : time(seconds * part, language)}
              </span>
            ))}
          </span>
        </div>
      </div>
      <figcaption class="hint keys">
        {(["forward", "backward", "update"] as const).map((name) => (
          <span key={name}>
            <i class="swatch compute" data-category={name} aria-hidden="true" /> {words.events[name]}
          </span>
        ))}
        {(["collective", "infeed", "host", "idle"] as const).map((name) => (
          <span key={name}>
            <i class={`swatch ${name}`} aria-hidden="true" /> {words.categories[name]}
          </span>
        ))}
        {timeline.replicas > 8 && <span>{words.shown(whole(timeline.replicas, language))}</span>}
      </figcaption>
    </figure>
  );
}
