import { createHash, randomBytes } from 'node:crypto';
import { LruMap } from '../../platform/lru-map.js';

/** Milliseconds. */
const linkAge = 60_000;

/** The most links, and the most sessions; the least recently used is dropped. */
const maxSessions = 100;

/** Stores only hashes, so that look-up times reveal nothing. */
export class Sessions {
  /** The times at which links expire. */
  readonly #links = new LruMap<string, number>(maxSessions);
  readonly #bearers = new LruMap<string, true>(maxSessions);

  /** A token that works once, by default within a minute. */
  newToken(age = linkAge): string {
    return remember(this.#links, performance.now() + age);
  }

  /** The bearer token of a new session; `undefined` if the token is unknown, used or expired. */
  open(token: string): string | undefined {
    const hash = hashSecret(token);
    const until = this.#links.get(hash) ?? 0;
    this.#links.delete(hash);
    return performance.now() > until ? undefined : remember(this.#bearers, true);
  }

  isOpen(bearer: string): boolean {
    return this.#bearers.get(hashSecret(bearer)) ?? false;
  }
}

function remember<Value>(known: Map<string, Value>, value: Value): string {
  const secret = randomBytes(32).toString('base64url');
  known.set(hashSecret(secret), value);
  return secret;
}

function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
