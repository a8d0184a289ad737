// What the page and the workshop's worker say to each other.
import type { Diagnostic } from "../engine/engine";

/** Page to worker: call the program's function `name` with `request`. */
export interface Call {
  id: number;
  folder: string;
  name: string;
  request: unknown;
}

/** Worker to page. */
export type Reply =
  | { id: number; answer: unknown }
  | { id: number; refused: Diagnostic[] }
  /** The program itself broke, or could not be loaded: nothing goes on without a new worker. */
  | { broken: string };
