import { signal } from '@preact/signals';
import { Button } from './form.js';

/** The newest result, shown at the foot of the page. */
const notice = signal<{ readonly text: string; readonly isError: boolean } | undefined>(undefined);

/** Milliseconds; an error stays until it is dismissed or replaced. */
const shownFor = 6000;

let timer: ReturnType<typeof setTimeout> | undefined;

export function say(text: string): void {
  clearTimeout(timer);
  notice.value = { text, isError: false };
  timer = setTimeout(dismiss, shownFor);
}

export function sayError(error: unknown): void {
  clearTimeout(timer);
  notice.value = { text: error instanceof Error ? error.message : String(error), isError: true };
}

function dismiss(): void {
  notice.value = undefined;
}

/** Shows `done` or the error. @returns whether the action succeeded */
export async function attempt(act: () => Promise<unknown>, done: string): Promise<boolean> {
  try {
    await act();
  } catch (error) {
    sayError(error);
    return false;
  }
  say(done);
  return true;
}

export function Notices() {
  const said = notice.value;
  return (
    <div>
      <div role="status">{said !== undefined && !said.isError && <p class="notice">{said.text}</p>}</div>
      <div role="alert">
        {said?.isError && (
          <p class="notice bad">
            {said.text} <Button kind="quiet" text="Dismiss" onClick={dismiss} />
          </p>
        )}
      </div>
    </div>
  );
}
