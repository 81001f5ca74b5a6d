import { signal } from '@preact/signals';

/** Key of the bearer token in `sessionStorage`: unlike a cookie, browsers do not add its value to requests. */
const storedAs = 'session';

type SessionState =
  | { readonly is: 'opening' }
  | { readonly is: 'open'; readonly bearer: string }
  | { readonly is: 'over'; readonly reason: string };

export const session = signal<SessionState>({ is: 'opening' });

/** Exchanges the token in the address for a session; without a valid one, this tab's session stays. */
export async function openSession(): Promise<void> {
  const token = new URLSearchParams(location.hash.replace(/^#/, '')).get('t');
  const stored = sessionStorage.getItem(storedAs);
  if (token === null) {
    if (session.peek().is === 'opening') settle(stored, 'This tab has no session.');
    return;
  }
  history.replaceState(null, '', '/#/');
  session.value = { is: 'opening' };
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('/session', { method: 'POST', headers, body: JSON.stringify({ token }) });
    const { bearer = stored, message } = await response.json();
    settle(bearer, message);
  } catch (error) {
    settle(stored, String(error));
  }
}

function settle(bearer: string | null, otherwise: string): void {
  if (bearer === null) {
    endSession(otherwise);
    return;
  }
  sessionStorage.setItem(storedAs, bearer);
  session.value = { is: 'open', bearer };
}

export function endSession(reason: string): void {
  sessionStorage.removeItem(storedAs);
  session.value = { is: 'over', reason };
}
