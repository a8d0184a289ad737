// A piece as it is drawn: blanks visible, bytes that are no whole characters in hexadecimal.
import type { Piece } from "../../workshop/text";

const names: Record<string, string> = { " ": "␣", "\t": "⇥", "\n": "↵", "\r": "␍", "\u00a0": "⍽", "\u3000": "□" };

/** The parts of a text that are drawn as they are, and those for which a sign stands. */
export function parts(text: string): { text: string; sign: boolean }[] {
  return text
    .split(/([ \t\n\r\u00a0\u3000])/)
    .filter((part) => part !== "")
    .map((part) => (part in names ? { text: names[part] ?? part, sign: true } : { text: part, sign: false }));
}

export function Shown({ piece }: { piece: Piece }) {
  if (piece.text === "" && piece.bytes !== "") return <span class="raw">{piece.bytes}</span>;
  return (
    <>
      {parts(piece.text).map(({ text, sign }, at) =>
        sign ? (
          <span key={at} class="sign-of">
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </>
  );
}
