// The choice of a text within a section: those that come with the page, or a file of one's own.
import { useRef } from "preact/hooks";
import { type Language, languages, textTitles } from "../language/language";
import { useWords } from "../language/words";
import { Chips } from "./field";

export function TextChips(props: {
  name: string;
  label: string;
  /** What the file picker is called, for tests. */
  picker: string;
  source: Language | File;
  choose: (source: Language | File) => void;
}) {
  const { source, choose } = props;
  const page = useWords();
  const picker = useRef<HTMLInputElement>(null);
  const own = typeof source !== "string";
  return (
    <Chips
      name={props.name}
      label={props.label}
      chosen={own ? "own" : source}
      choices={languages.map((value) => ({ value, title: textTitles[value], lang: value }))}
      choose={(value: Language | "own") => {
        if (value !== "own") choose(value);
      }}
    >
      <button type="button" class="chip own" aria-pressed={own} onClick={() => picker.current?.click()}>
        {own ? source.name : page.ownFile}
      </button>
      <input
        ref={picker}
        type="file"
        hidden
        tabIndex={-1}
        aria-label={page.ownFile}
        data-picker={props.picker}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) choose(file);
          currentTarget.value = "";
        }}
      />
    </Chips>
  );
}
