import { createHash, randomBytes } from 'node:crypto';

/** Milliseconds for which a link is valid after it is first seen. */
const linkAge = 60_000;

/** The most links and sessions that are kept; the oldest is dropped for a new one. */
const capacity = 100;

/** When a link was first seen; `undefined` until it is. */
type Seen = number | undefined;

/**
 * Who may use the console. A link's token can be exchanged once for a bearer, which is valid until the server stops.
 * Only their hashes are stored, so that the time of a look-up reveals nothing about them.
 */
export class Sessions {
  readonly #now: () => number;
  readonly #links = new Map<string, Seen>();
  readonly #bearers = new Map<string, true>();

  /** `now` is a monotonic time in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A token for a user who asked for it, and sees it now. */
  newToken(): string {
    return this.#remember(this.#links, this.#now());
  }

  /** A token that may not be seen for a while; it counts as seen from the first visit of the page. */
  newUnseenToken(): string {
    return this.#remember<Seen>(this.#links, undefined);
  }

  /** To be told when the page is visited. */
  visited(): void {
    for (const [link, seen] of this.#links) this.#links.set(link, seen ?? this.#now());
  }

  /** A bearer for a token; `undefined` if the token is unknown, used or too old. */
  open(token: string): string | undefined {
    const link = hashOf(token);
    if (!this.#links.has(link)) return undefined;
    const seen = this.#links.get(link) ?? this.#now();
    this.#links.delete(link);
    return this.#now() - seen > linkAge ? undefined : this.#remember(this.#bearers, true);
  }

  /** Whether this server issued the bearer and has not dropped it since. */
  isOpen(bearer: string): boolean {
    return this.#bearers.has(hashOf(bearer));
  }

  #remember<Value>(known: Map<string, Value>, value: Value): string {
    const secret = randomBytes(32).toString('base64url');
    known.set(hashOf(secret), value);
    const [oldest] = known.keys();
    if (known.size > capacity && oldest !== undefined) known.delete(oldest);
    return secret;
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
