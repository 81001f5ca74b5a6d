import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { SealedColumn } from './tables.js';

export const masterKeyLength = 32;

const fingerprintLength = 8;
const nonceLength = 12;
const tagLength = 16;
const bodyStart = fingerprintLength + nonceLength + tagLength;

/**
 * The master keys, newest first: values are sealed with the newest, and open with any. AES-256-GCM with a random
 * 96-bit nonce for each value. Sealed bytes are the key's fingerprint, nonce, tag, then ciphertext.
 */
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

  /** The additional data names row and column, so that a value cannot be moved to another row or column. */
  seal(text: string, additionalData: string): Buffer {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', this.#newest, nonce, { authTagLength: tagLength });
    cipher.setAAD(Buffer.from(additionalData));
    const body = cipher.update(text, 'utf8');
    // Only computes the tag: GCM has no final bytes.
    cipher.final();
    return Buffer.concat([Buffer.from(this.fingerprint, 'hex'), nonce, cipher.getAuthTag(), body]);
  }

  /** @throws Error that names the missing key, or if the additional data or the bytes differ from those of `seal` */
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

/** The fingerprint of the key that sealed a value. */
export function fingerprintOf(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(0, fingerprintLength)).toString('hex');
}

/** 16 hexadecimal digits that identify the key without revealing it. */
export function toFingerprint(masterKey: Uint8Array): string {
  const hash = createHmac('sha256', masterKey).update('fingerprint of an orgctl master key');
  return hash.digest('hex').slice(0, 2 * fingerprintLength);
}

/** Names a value's column and row. */
export function additionalData({ table, column }: SealedColumn, id: string): string {
  return `${table}.${column} ${id}`;
}
