import { signal } from '@preact/signals';

/** Key in `sessionStorage`: unlike a cookie, browsers do not add its value to requests. */
const storedAs = 'session';

interface OpenSession {
  readonly bearer: string;
}

/** The page is looking for a session, has a session, or needs a new link. */
export type SessionState =
  | { readonly is: 'opening' }
  | ({ readonly is: 'open' } & OpenSession)
  | { readonly is: 'over'; readonly reason: string };

export const session = signal<SessionState>({ is: 'opening' });

/** Milliseconds to wait for another tab to share its session. */
const otherTabs = 200;

/** Shares sessions between tabs of this origin. */
const channel = new BroadcastChannel(storedAs);
channel.onmessage = ({ data }: MessageEvent<OpenSession | undefined>) => {
  const { is } = session.peek();
  if (data && is !== 'open') keepSession(data);
  else if (!data && is === 'open') channel.postMessage(readStored());
};

export function isLink(): boolean {
  return tokenOfLink() !== null;
}

function tokenOfLink(): string | null {
  return new URLSearchParams(location.hash.replace(/^#/, '')).get('t');
}

/** Exchanges the token in the address for a session; without a token, uses the session of this tab or another tab. */
export async function openSession(): Promise<void> {
  const token = tokenOfLink();
  const stored = readStored();
  if (token === null) {
    if (stored) keepSession(stored);
    else askOtherTabs();
    return;
  }
  history.replaceState(null, '', '/#/');
  session.value = { is: 'opening' };
  try {
    keepSession(await exchangeToken(token));
  } catch (error) {
    if (stored) keepSession(stored);
    else
      endSession(
        error instanceof TypeError || !(error instanceof Error)
          ? 'The server does not respond.'
          : error.message,
      );
  }
}

function askOtherTabs(): void {
  channel.postMessage(undefined);
  setTimeout(() => {
    if (session.peek().is === 'opening') endSession('This tab has no session: open a new link.');
  }, otherTabs);
}

export function endSession(reason: string): void {
  sessionStorage.removeItem(storedAs);
  session.value = { is: 'over', reason };
}

function keepSession({ bearer }: OpenSession): void {
  sessionStorage.setItem(storedAs, JSON.stringify({ bearer }));
  session.value = { is: 'open', bearer };
}

function readStored(): OpenSession | undefined {
  return JSON.parse(sessionStorage.getItem(storedAs) ?? 'null') ?? undefined;
}

/** @throws Error with the server's message or for a response that is not JSON; TypeError without a response */
async function exchangeToken(token: string): Promise<OpenSession> {
  const answer = await fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  const read = await answer.json();
  if (!answer.ok) throw new Error(read.message);
  return read;
}
