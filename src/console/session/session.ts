import { signal } from '@preact/signals';

/** Where the bearer is kept: of this tab and this origin, and sent nowhere by itself, as a cookie would be. */
const bearerKey = 'bearer';

/** Whether the page may ask the server: it holds a bearer, has none, or is just swapping its link's token for one. */
export type SessionState =
  | { readonly is: 'opening' }
  | { readonly is: 'open'; readonly bearer: string }
  | { readonly is: 'over'; readonly reason: string };

export const session = signal<SessionState>({ is: 'opening' });

const noLink = 'Enter the code that your terminal shows.';

export function isLink(): boolean {
  return tokenOfLink() !== null;
}

function tokenOfLink(): string | null {
  return new URLSearchParams(location.hash.replace(/^#/, '')).get('t');
}

/** Takes a link's token out of the address and exchanges it for a bearer. Without one, the stored bearer is used. */
export async function openSession(): Promise<void> {
  const token = tokenOfLink();
  const kept = sessionStorage.getItem(bearerKey);
  if (token === null) {
    session.value = kept === null ? { is: 'over', reason: noLink } : { is: 'open', bearer: kept };
    return;
  }
  history.replaceState(null, '', '/#/');
  session.value = { is: 'opening' };
  try {
    keepBearer(await swapToken(token));
  } catch (error) {
    if (kept === null) session.value = { is: 'over', reason: readReason(error) };
    else session.value = { is: 'open', bearer: kept };
  }
}

/** Opens the session with a code that was typed. @throws Error that says why it cannot */
export async function openWithCode(code: string): Promise<void> {
  try {
    keepBearer(await swapToken(code, 'This code is wrong, was used already, or is older than a minute.'));
  } catch (error) {
    throw new Error(readReason(error));
  }
}

/** Forgets the bearer: the server knows it no more. */
export function endSession(): void {
  sessionStorage.removeItem(bearerKey);
  session.value = {
    is: 'over',
    reason: 'The session is over: the server was started again since, or does not know it.',
  };
}

function keepBearer(bearer: string): void {
  sessionStorage.setItem(bearerKey, bearer);
  session.value = { is: 'open', bearer };
}

const usedLink = 'This link was used already, or is too old: each is for one use.';

async function swapToken(token: string, refusal = usedLink): Promise<string> {
  const answer = await fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!answer.ok) throw new Error(refusal);
  const { bearer }: { bearer: string } = await answer.json();
  return bearer;
}

function readReason(error: unknown): string {
  return error instanceof TypeError || !(error instanceof Error)
    ? 'The server does not answer.'
    : error.message;
}
