import { signal } from '@preact/signals';
import type { SessionAnswer } from '../../api/control/control-answers.js';

/** Key in `sessionStorage`: unlike a cookie, browsers do not add its value to requests. */
const storedAs = 'session';

/** The page is looking for a session, has a session, or needs a new link or code. */
export type SessionState =
  | { readonly is: 'opening' }
  | ({ readonly is: 'open' } & SessionAnswer)
  | { readonly is: 'over'; readonly reason: string };

export const session = signal<SessionState>({ is: 'opening' });

/** Milliseconds to wait for another tab to share its session. */
const otherTabs = 200;

/** Shares sessions between tabs of this origin. */
const channel = new BroadcastChannel(storedAs);
channel.onmessage = ({ data }: MessageEvent<SessionAnswer | undefined>) => {
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
    else {
      channel.postMessage(undefined);
      setTimeout(() => {
        if (session.peek().is === 'opening')
          endSession('This tab has no session: open a new link, or enter a code.');
      }, otherTabs);
    }
    return;
  }
  history.replaceState(null, '', '/#/');
  session.value = { is: 'opening' };
  try {
    keepSession(await post('/session', { token }));
  } catch (error) {
    if (stored) keepSession(stored);
    else endSession(readReason(error));
  }
}

/** Opens the session with a typed code. @throws Error with the reason */
export async function openWithCode(token: string): Promise<void> {
  try {
    keepSession(await post('/session', { token }));
  } catch (error) {
    throw new Error(readReason(error));
  }
}

let renewing: Promise<boolean> | undefined;

/** Renews the bearer token after a server restart; concurrent calls share an attempt. @returns whether it succeeded */
export function renewSession(): Promise<boolean> {
  renewing ??= proveSession().finally(() => {
    renewing = undefined;
  });
  return renewing;
}

interface ServerStart {
  readonly start: string;
  /** Should be the command for a new link; `readLinkCommand` checks it. */
  readonly newLink: unknown;
}

export async function readServerStart(): Promise<ServerStart> {
  return (await fetch('/session/renewal')).json();
}

/** Proves possession of the renewal token without sending it: another user's program may now listen on the port. */
async function proveSession(): Promise<boolean> {
  const state = session.peek();
  if (state.is !== 'open') return false;
  try {
    const { renewal } = state;
    const { start } = await readServerStart();
    const hash = toHex(await crypto.subtle.digest('SHA-256', toBytes(renewal)));
    const hmac = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', toBytes(hash), hmac, false, ['sign']);
    const proof = toHex(await crypto.subtle.sign('HMAC', key, toBytes(`${start} ${location.origin}`)));
    keepSession({ renewal, bearer: (await post('/session/renewal', { proof })).bearer });
    return true;
  } catch {
    return false;
  }
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function toHex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function endSession(reason: string): void {
  sessionStorage.removeItem(storedAs);
  session.value = { is: 'over', reason };
}

function keepSession(opened: SessionAnswer): void {
  sessionStorage.setItem(storedAs, JSON.stringify(opened));
  session.value = { is: 'open', ...opened };
}

function readStored(): SessionAnswer | undefined {
  return JSON.parse(sessionStorage.getItem(storedAs) ?? 'null') ?? undefined;
}

/** @throws Error with the server's message or for a response that is not JSON; TypeError without a response */
async function post(path: string, body: object): Promise<SessionAnswer> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const read = await answer.json();
  if (!answer.ok) throw new Error(read.message);
  return read;
}

function readReason(error: unknown): string {
  return error instanceof TypeError || !(error instanceof Error)
    ? 'The server does not respond.'
    : error.message;
}
