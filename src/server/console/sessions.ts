import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import type { SessionAnswer } from '../../api/control/control-answers.js';
import { LruMap } from '../../platform/lru-map.js';
import type { Renewal } from '../data/stored-sessions.js';

const linkAge = 60_000;

/** Maximum number of links, of codes and of sessions; the least recently used is dropped. */
const maxSessions = 100;

/** Digits of five bits each, without easily confused ones. */
const codeDigits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const codeLength = 8;

/** Wrong codes until all open codes become invalid: the chance of guessing a given code is below 1 in 2^35. */
const wrongCodesAllowed = 20;

type Seen = number | undefined;

/** Milliseconds for which a page can reconnect after it opened its session. */
const renewalAge = 12 * 3_600_000;

/** Tokens, codes and sessions. Stores only hashes, so that look-up times reveal nothing. */
export class Sessions {
  readonly #now: () => number;
  readonly #links = new LruMap<string, Seen>(maxSessions);
  readonly #codes = new LruMap<string, Seen>(maxSessions);
  #wrongCodes = 0;
  readonly #bearers = new LruMap<string, true>(maxSessions);
  readonly #renewals = new LruMap<string, number>(maxSessions);
  /** Identifies this start of the server; proofs for another start are worthless. */
  readonly start = randomBytes(32).toString('base64url');

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  newToken(): string {
    return this.#remember(this.#links, this.#now());
  }

  /** A token that stays valid for a minute from the first visit to the page. */
  newUnseenToken(): string {
    return this.#remember<Seen>(this.#links, undefined);
  }

  /** A code to type into the page, such as `4F7K-9MZQ`; unlike a link, it puts no secret in an address. */
  newCode(): string {
    const digits = Array.from({ length: codeLength }, () => codeDigits[randomInt(codeDigits.length)]).join(
      '',
    );
    if (this.#codes.size === 0) this.#wrongCodes = 0;
    this.#codes.set(hashSecret(digits), this.#now());
    return `${digits.slice(0, 4)}-${digits.slice(4)}`;
  }

  /** Starts the minute of links that wait for a first visit. */
  startLinkTimers(): void {
    for (const [link, seen] of [...this.#links]) this.#links.set(link, seen ?? this.#now());
  }

  /** Opens a session for a token or code; `undefined` if it is unknown, used or expired. */
  open(token: string): SessionAnswer | undefined {
    const code = codeIn(token);
    const isValid =
      code === undefined ? this.#take(this.#links, hashSecret(token)) : this.#takeCode(hashSecret(code));
    if (!isValid) return undefined;
    const renewal = this.#remember(this.#renewals, Date.now() + renewalAge);
    return { bearer: this.#remember(this.#bearers, true), renewal };
  }

  /**
   * Opens a session for a page that proves that it has a renewal token. The page does not send the token itself: after a
   * restart, another user's program may be listening on the port. `undefined` if the token is unknown or expired.
   * @param origin as the page sees it
   */
  renew(proof: string, origin: string): string | undefined {
    const given = hashSecret(proof);
    const isProven = this.renewals().some(
      ({ hash }) => hashSecret(proveRenewal(hash, this.start, origin)) === given,
    );
    return isProven ? this.#remember(this.#bearers, true) : undefined;
  }

  renewals(): Renewal[] {
    return [...this.#renewals]
      .map(([hash, until]) => ({ hash, until }))
      .filter(({ until }) => until > Date.now() && until <= Date.now() + renewalAge);
  }

  restore(renewals: readonly Renewal[]): void {
    for (const { hash, until } of renewals) this.#renewals.set(hash, until);
  }

  #takeCode(code: string): boolean {
    const isValid = this.#take(this.#codes, code);
    if (!isValid) this.#wrongCodes += 1;
    if (this.#wrongCodes >= wrongCodesAllowed) this.#codes.clear();
    return isValid;
  }

  #take(known: Map<string, Seen>, hash: string): boolean {
    if (!known.has(hash)) return false;
    const seen = known.get(hash) ?? this.#now();
    known.delete(hash);
    return this.#now() - seen <= linkAge;
  }

  isOpen(bearer: string): boolean {
    return this.#bearers.get(hashSecret(bearer)) ?? false;
  }

  #remember<Value>(known: Map<string, Value>, value: Value): string {
    const secret = randomBytes(32).toString('base64url');
    known.set(hashSecret(secret), value);
    return secret;
  }
}

/** The page computes the same value. @param hash of the renewal token, in hex */
export function proveRenewal(hash: string, start: string, origin: string): string {
  return createHmac('sha256', hash).update(`${start} ${origin}`).digest('hex');
}

/** Normalizes a typed code; `undefined` if the text has another length. */
function codeIn(text: string): string | undefined {
  const digits = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return digits.length === codeLength ? digits : undefined;
}

function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
