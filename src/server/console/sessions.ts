import { createHash, randomBytes } from 'node:crypto';

/** Milliseconds in which a link lets somebody in, from its first sight on. */
const linkAge = 60_000;

/** Links and sessions that are known at once; beyond, the oldest gives way. */
const capacity = 100;

/** When a link was first seen; `undefined` until it is. */
type Seen = number | undefined;

/**
 * Who may use the console. A link's token is for one use, and buys a bearer that is good until the server stops. Both are
 * known by their hashes alone, so that how long a look-up takes tells nothing about them.
 */
export class Sessions {
  readonly #now: () => number;
  readonly #links = new Map<string, Seen>();
  readonly #bearers = new Map<string, true>();

  /** `now` is a monotonic time in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A token for somebody who asked for it, and sees it now. */
  newToken(): string {
    return this.#remember(this.#links, this.#now());
  }

  /** A token that is written down where nobody may look yet; the first visit of the page counts as its first sight. */
  newUnseenToken(): string {
    return this.#remember<Seen>(this.#links, undefined);
  }

  /** To be told when the page is visited. */
  visited(): void {
    for (const [link, seen] of this.#links) this.#links.set(link, seen ?? this.#now());
  }

  /** A bearer for a token; `undefined` for one that is unknown, used or too old. */
  open(token: string): string | undefined {
    const link = hashOf(token);
    if (!this.#links.has(link)) return undefined;
    const seen = this.#links.get(link) ?? this.#now();
    this.#links.delete(link);
    return this.#now() - seen > linkAge ? undefined : this.#remember(this.#bearers, true);
  }

  /** Whether a bearer was given out by this server, and not so many since that it gave way. */
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
