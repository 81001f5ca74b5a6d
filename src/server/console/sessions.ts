import { createHash, randomBytes } from 'node:crypto';

/** Milliseconds. */
const linkAge = 60_000;

/** Stores only hashes, so that look-up times reveal nothing. */
export class Sessions {
  /** When they expire. */
  readonly #links = new Map<string, number>();
  readonly #bearers = new Set<string>();

  /** A token that works once, by default within a minute. */
  newToken(age = linkAge): string {
    const token = newSecret();
    this.#links.set(hashSecret(token), performance.now() + age);
    return token;
  }

  /** The bearer token of a new session; `undefined` if the token is unknown, used or expired. */
  open(token: string): string | undefined {
    const hash = hashSecret(token);
    const until = this.#links.get(hash) ?? 0;
    this.#links.delete(hash);
    if (performance.now() > until) return undefined;
    const bearer = newSecret();
    this.#bearers.add(hashSecret(bearer));
    return bearer;
  }

  isOpen(bearer: string): boolean {
    return this.#bearers.has(hashSecret(bearer));
  }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
