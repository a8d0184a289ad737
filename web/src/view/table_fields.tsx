// Where a table was refused for want of a column "text": the columns that it has, of which one is chosen to be read.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { type Diagnostic, Refusal } from "../engine/engine";
import { noticesWords } from "../language/notices";
import { tableFieldsWords } from "../language/table_fields";
import { useSpoken } from "../language/words";
import { columnOf, fieldsOf, mostFields } from "../workshop/table";
import { Diagnostics } from "./diagnostics";

/** One column that holds the separator of another kind of table is the whole row. */
const areColumns = ([first = "", ...others]: string[]) => others.length > 0 || (first !== "" && !/[;\t]/.test(first));

export function TableFields({ file, take }: { file: File; take: (column: File) => void }) {
  const words = useSpoken(tableFieldsWords);
  const notices = useSpoken(noticesWords);
  const [fields, setFields] = useState<string[]>([]);
  const [refused, setRefused] = useState<readonly Diagnostic[]>([]);
  const [unread, setUnread] = useState(false);
  const label = useId();
  const asked = useRef<object>(undefined); // what is asked for last: what comes later is of no use
  useEffect(() => {
    const now = (asked.current = {});
    setFields([]);
    setRefused([]);
    setUnread(false);
    fieldsOf(file).then(
      (found) => {
        if (asked.current === now && areColumns(found) && !found.includes("text")) setFields(found);
      },
      () => {}, // why the table was refused stands there already
    );
    return () => {
      asked.current = undefined;
    };
  }, [file]);
  if (fields.length === 0) return null;
  const choose = (field: string) => {
    const now = (asked.current = {});
    setRefused([]);
    setUnread(false);
    columnOf(file, field).then(
      (column) => {
        if (asked.current === now) take(column);
      },
      (error: unknown) => {
        if (asked.current !== now) return;
        if (error instanceof Refusal) setRefused(error.diagnostics);
        else setUnread(true);
      },
    );
  };
  return (
    <div class="table-fields">
      <p id={label} class="label">
        {words.takeFrom}
      </p>
      <div class="chips" role="group" aria-labelledby={label}>
        {fields.map((field) => (
          <button key={field} type="button" class="chip" data-field={field} onClick={() => choose(field)}>
            {field}
          </button>
        ))}
      </div>
      {fields.length >= mostFields && <p class="hint">{words.firstFields}</p>}
      <Diagnostics diagnostics={refused} />
      {unread && <p role="status">{notices.unreadable}</p>}
    </div>
  );
}
