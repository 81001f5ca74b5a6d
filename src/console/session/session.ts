import { signal } from '@preact/signals';

/** Key of the bearer token in `sessionStorage`: unlike a cookie, browsers do not add its value to requests. */
const storedAs = 'session';

type SessionState =
  | { readonly is: 'opening' }
  | { readonly is: 'open'; readonly bearer: string }
  | { readonly is: 'over'; readonly reason: string };

export const session = signal<SessionState>({ is: 'opening' });

export function isLink(): boolean {
  return readToken() !== null;
}

function readToken(): string | null {
  return new URLSearchParams(location.hash.replace(/^#/, '')).get('t');
}

/** Exchanges the token in the address for a session; without a valid one, this tab's session stays. */
export async function openSession(): Promise<void> {
  const token = readToken();
  const stored = sessionStorage.getItem(storedAs);
  if (token === null) {
    if (stored === null) endSession('This tab has no session.');
    else keepSession(stored);
    return;
  }
  history.replaceState(null, '', '/#/');
  session.value = { is: 'opening' };
  try {
    keepSession(await exchangeToken(token));
  } catch (error) {
    if (stored !== null) keepSession(stored);
    else endSession(error instanceof Error ? error.message : String(error));
  }
}

export function endSession(reason: string): void {
  sessionStorage.removeItem(storedAs);
  session.value = { is: 'over', reason };
}

function keepSession(bearer: string): void {
  sessionStorage.setItem(storedAs, bearer);
  session.value = { is: 'open', bearer };
}

/** @returns the bearer token @throws Error with the server's message */
async function exchangeToken(token: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('/session', { method: 'POST', headers, body: JSON.stringify({ token }) });
  const { bearer, message } = await response.json();
  if (!response.ok) throw new Error(message);
  return bearer;
}
