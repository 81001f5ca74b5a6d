import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { SealedColumn } from './tables.js';

export const masterKeyLength = 32;

const fingerprintLength = 8;
const nonceLength = 12;
const tagLength = 16;
const bodyStart = fingerprintLength + nonceLength + tagLength;

/** Seals values with the newest key (AES-256-GCM), and opens them with any. Sealed bytes: fingerprint, nonce, tag, text. */
export class KeyRing {
  readonly #keys: ReadonlyMap<string, Uint8Array>;
  readonly #newest: Uint8Array;
  /** Of the newest key. */
  readonly fingerprint: string;

  constructor(newest: Uint8Array, ...older: readonly Uint8Array[]) {
    this.#newest = newest;
    this.fingerprint = toFingerprint(newest);
    this.#keys = new Map([newest, ...older].map((key) => [toFingerprint(key), key]));
  }

  get fingerprints(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /** The additional data keeps a value from being moved to another row or column. */
  seal(text: string, additionalData: string): Buffer {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', this.#newest, nonce, { authTagLength: tagLength });
    cipher.setAAD(Buffer.from(additionalData));
    const body = cipher.update(text, 'utf8');
    // Only computes the tag: GCM has no final bytes.
    cipher.final();
    return Buffer.concat([Buffer.from(this.fingerprint, 'hex'), nonce, cipher.getAuthTag(), body]);
  }

  /** @throws Error that names the missing key, or for changed bytes */
  open(sealed: Uint8Array, additionalData: string): string {
    const fingerprint = fingerprintOf(sealed);
    const key = this.#keys.get(fingerprint);
    if (key === undefined)
      throw new Error(`needs the master key ${fingerprint}, which is not in the key ring`);
    const nonce = sealed.subarray(fingerprintLength, fingerprintLength + nonceLength);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
    decipher.setAAD(Buffer.from(additionalData));
    decipher.setAuthTag(sealed.subarray(fingerprintLength + nonceLength, bodyStart));
    return decipher.update(sealed.subarray(bodyStart), undefined, 'utf8') + decipher.final('utf8');
  }
}

export function fingerprintOf(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(0, fingerprintLength)).toString('hex');
}

/** Identifies a key without revealing it. */
export function toFingerprint(masterKey: Uint8Array): string {
  const hash = createHmac('sha256', masterKey).update('fingerprint of an orgctl master key');
  return hash.digest('hex').slice(0, 2 * fingerprintLength);
}

export function additionalData({ table, column }: SealedColumn, id: string): string {
  return `${table}.${column} ${id}`;
}
