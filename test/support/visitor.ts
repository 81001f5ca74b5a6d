import { get, type IncomingMessage } from 'node:http';
import type { RunningServer } from '../../src/server/index.js';
import { type Answer, at, Caller } from './caller.js';

type Headers = Record<string, string | undefined>;

/** Visits a server's console as its own page does in a browser, unless told otherwise. */
export class Visitor {
  readonly origin: string;
  readonly #caller: Caller;
  #bearer: string | undefined;

  constructor(server: Pick<RunningServer, 'console'>) {
    this.origin = new URL(String(server.console)).origin;
    this.#caller = new Caller({ url: this.origin, keyId: '', secret: '' });
  }

  send(method: string, target: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    const own = method === 'GET' ? this.#headers : { ...this.#headers, origin: this.origin };
    return this.#caller.send(method, target, { auth: 'none', body, headers: { ...own, ...headers } });
  }

  /** An answer that goes on, as soon as it has begun. */
  open(target: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const options = { headers: this.#headers, agent: false };
      get(`${this.origin}${target}`, options, resolve).once('error', reject);
    });
  }

  get #headers(): Record<string, string> {
    const site = { 'sec-fetch-site': 'same-origin' };
    return this.#bearer === undefined ? site : { ...site, authorization: `Bearer ${this.#bearer}` };
  }

  /** Exchanges the token of a link for a bearer token, which later requests carry. */
  async enter(link: string | undefined): Promise<Answer> {
    const answer = await this.send('POST', '/session', { token: tokenOf(link) });
    const bearer = at(answer.json, 'bearer');
    if (typeof bearer === 'string') this.#bearer = bearer;
    return answer;
  }
}

/** The token in a link's fragment. */
export function tokenOf(link: string | undefined): string {
  return /#t=(.+)$/.exec(String(link))?.[1] ?? '';
}
