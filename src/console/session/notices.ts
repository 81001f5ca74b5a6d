import { signal } from '@preact/signals';

/** The newest result, shown at the foot of the page. */
export const notice = signal<{ readonly text: string; readonly isError: boolean } | undefined>(undefined);

/** Milliseconds for which a notice stays; an error stays until it is dismissed or replaced. */
const shownFor = 6000;

let timer: ReturnType<typeof setTimeout> | undefined;

export function say(text: string): void {
  showNotice({ text, isError: false });
  timer = setTimeout(dismiss, shownFor);
}

export function sayError(error: unknown): void {
  showNotice({ text: error instanceof Error ? error.message : String(error), isError: true });
}

export function dismiss(): void {
  notice.value = undefined;
}

function showNotice(next: { readonly text: string; readonly isError: boolean }): void {
  clearTimeout(timer);
  notice.value = next;
}

/** Runs an action and shows `done` or the error. @returns whether it succeeded */
export async function attemptAndTell(act: () => Promise<unknown>, done: string): Promise<boolean> {
  try {
    await act();
  } catch (error) {
    sayError(error);
    return false;
  }
  say(done);
  return true;
}
