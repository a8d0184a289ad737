// A chip that takes a file of the visitor's, beside others to choose from.
import { useRef } from "preact/hooks";

export function FileChip(props: {
  /** What it says while no file is chosen; and what the picker is called. */
  label: string;
  /** The name of the file that is chosen; null where something else is. */
  chosen: string | null;
  take: (file: File) => void;
  accept?: string;
  /** What the file picker is called, for tests. */
  picker?: string;
}) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class="chip own"
        aria-pressed={props.chosen !== null}
        onClick={() => picker.current?.click()}
      >
        {props.chosen ?? props.label}
      </button>
      <input
        ref={picker}
        type="file"
        hidden
        tabIndex={-1}
        accept={props.accept}
        aria-label={props.label}
        data-picker={props.picker}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) props.take(file);
          currentTarget.value = ""; // so that the same file can be chosen again
        }}
      />
    </>
  );
}
