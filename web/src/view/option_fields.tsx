// The fields of the options; each change of mind is a new run.
import { useId } from "preact/hooks";
import type { Options } from "../engine/engine";
import { optionsWords } from "../language/options";
import { useSpoken } from "../language/words";
import { bounds, defaultOptions, readOption } from "../state/settings";
import type { Session } from "../state/session";
import { late } from "./late";

type Shown = keyof typeof defaultOptions;

const Mishap = late(() => import("./mishap"), "Mishap");

export function OptionFields({ session }: { session: Session }) {
  const words = useSpoken(optionsWords);
  const refused = session.run.mishap?.what === "options" ? session.run.mishap : null;
  const labels: Record<Shown, string> = {
    steps: words.optionSteps,
    learning_rate: words.optionLearningRate,
    seed: words.optionSeed,
    vocab_size: words.optionVocabulary,
    layers: words.optionLayers,
    hidden: words.optionHidden,
  };

  const apply = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const options: Options = { ...session.settings.options };
    for (const name of Object.keys(labels) as Shown[]) {
      const value = readOption(name, String(form.get(name) ?? ""));
      if (value !== null) options[name] = value;
    }
    session.chooseOptions(options);
  };

  return (
    <>
      <p class="hint">{words.optionsHint}</p>
      <form onSubmit={apply}>
        {(Object.keys(labels) as Shown[]).map((name) => (
          <OptionField key={name} name={name} label={labels[name]} value={session.settings.options[name]} />
        ))}
        <button type="submit" class="primary">
          {words.apply}
        </button>
      </form>
      <div aria-live="polite">{refused && <Mishap wanted mishap={refused} session={session} />}</div>
    </>
  );
}

function OptionField({ name, label, value }: { name: Shown; label: string; value: number | undefined }) {
  const id = useId();
  const { least, most, whole } = bounds[name];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        type="number"
        required
        min={least}
        max={most}
        step={whole ? 1 : "any"}
        defaultValue={String(value ?? defaultOptions[name])}
      />
    </div>
  );
}
