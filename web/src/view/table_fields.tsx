// Where a table was refused for want of a column "text": the columns that it has, of which one is chosen to be read.
import { useEffect, useState } from "preact/hooks";
import { type Diagnostic, Refusal } from "../engine/engine";
import { noticesWords } from "../language/notices";
import { useSpoken } from "../language/words";
import { columnOf, fieldsOf } from "../workshop/table";
import { Diagnostics } from "./diagnostics";

const most = 24; // shown

/** One column that holds the separator of another kind of table is the whole row. */
const areColumns = ([first = "", ...others]: string[]) => others.length > 0 || (first !== "" && !/[;\t]/.test(first));

export function TableFields({ file, take }: { file: File; take: (column: File) => void }) {
  const words = useSpoken(noticesWords);
  const [fields, setFields] = useState<string[]>([]);
  const [refused, setRefused] = useState<readonly Diagnostic[]>([]);
  useEffect(() => {
    let another = false;
    setFields([]);
    setRefused([]);
    fieldsOf(file).then(
      (found) => {
        if (!another && areColumns(found) && !found.includes("text")) setFields(found.slice(0, most));
      },
      () => {}, // why the table was refused stands there already
    );
    return () => {
      another = true;
    };
  }, [file]);
  if (fields.length === 0) return null;
  const choose = (field: string) =>
    columnOf(file, field).then(take, (error: unknown) => {
      if (error instanceof Refusal) setRefused(error.diagnostics);
    });
  return (
    <div class="table-fields">
      <p id="table-fields" class="label">
        {words.takeFrom}
      </p>
      <div class="chips" role="group" aria-labelledby="table-fields">
        {fields.map((field) => (
          <button key={field} type="button" class="chip" data-field={field} onClick={() => choose(field)}>
            {field}
          </button>
        ))}
      </div>
      <Diagnostics diagnostics={refused} />
    </div>
  );
}
