import { signal } from '@preact/signals';

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
  notice.value = { text: readMessage(error), isError: true };
}

export function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function dismiss(): void {
  notice.value = undefined;
}

/** Runs `act`, then says `done` or the error. */
export async function attempt(act: () => Promise<unknown>, done: string): Promise<void> {
  try {
    await act();
    say(done);
  } catch (error) {
    sayError(error);
  }
}

export function Notices() {
  const said = notice.value;
  return (
    <div>
      <div role="status">{said !== undefined && !said.isError && <p class="notice">{said.text}</p>}</div>
      <div role="alert">
        {said?.isError && (
          <p class="notice bad">
            {said.text}{' '}
            <button type="button" class="quiet" onClick={dismiss}>
              Dismiss
            </button>
          </p>
        )}
      </div>
    </div>
  );
}
