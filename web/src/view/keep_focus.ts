// Where the keyboard goes on when the button that was pressed is gone, or cannot be pressed any more: beside it, not at the
// top of the page.
const focusable = "button, input, select, textarea, summary, a[href], [tabindex='0']";
const looks = [50, 300, 1000, 2000]; // milliseconds after: what a press changes is drawn at once, or when the engine has answered

/** Whether the keyboard can go there. */
function takesFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(":disabled") && element.offsetParent !== null;
}

export function keepFocus(page: HTMLElement): void {
  const pressed = ({ target, detail }: MouseEvent) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button || detail > 0) return; // by a pointer
    const all = [...page.querySelectorAll<HTMLElement>(focusable)];
    const at = all.indexOf(button);
    if (at < 0) return;
    const beside = [...all.slice(0, at).reverse(), ...all.slice(at + 1)];
    const look = () => {
      const lost = document.activeElement === document.body || document.activeElement === null;
      if (lost || (document.activeElement === button && button.disabled)) beside.find(takesFocus)?.focus();
    };
    for (const after of looks) setTimeout(look, after);
  };
  page.addEventListener("click", pressed, { capture: true }); // before the press changes what is there
}
