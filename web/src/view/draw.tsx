// Draws the page.
import { render } from "preact";
import type { Session } from "../state/session";
import { App } from "./app";
import { keepFocus } from "./keep_focus";

export function draw(session: Session, place: HTMLElement): void {
  render(<App session={session} />, place);
  keepFocus(place);
}
