import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { readMessage } from '../../errors/errors.js';
import { StoreBroken } from './store-unavailable.js';

export const masterKeyLength = 32;

const nonceLength = 12;
const tagLength = 16;

export interface Cipher {
  /** The additional data names row and column, so that a value cannot be moved to another row or column. */
  seal(text: string, additionalData: string): Buffer;
  /** @throws Error if the key, the additional data or the bytes differ from those of `seal` */
  open(sealed: Uint8Array | ArrayBuffer, additionalData: string): string;
}

/** AES-256-GCM with a random 96-bit nonce for each value. Sealed bytes are nonce, tag, then ciphertext. */
export function createCipher(masterKey: Uint8Array): Cipher {
  return {
    seal(text, additionalData) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', masterKey, nonce, { authTagLength: tagLength });
      cipher.setAAD(Buffer.from(additionalData));
      const body = cipher.update(text, 'utf8');
      // Only computes the tag: GCM has no final bytes.
      cipher.final();
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, additionalData) {
      const bytes = Buffer.from(sealed instanceof ArrayBuffer ? new Uint8Array(sealed) : sealed);
      const nonce = bytes.subarray(0, nonceLength);
      const decipher = createDecipheriv('aes-256-gcm', masterKey, nonce, { authTagLength: tagLength });
      decipher.setAAD(Buffer.from(additionalData));
      decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
      return (
        decipher.update(bytes.subarray(nonceLength + tagLength), undefined, 'utf8') + decipher.final('utf8')
      );
    },
  };
}

/** A value that cannot be opened is damaged: under exclusive access, no other process can have changed the key. */
export function reportDamage({ seal, open }: Cipher, data: string): Cipher {
  return {
    seal,
    open(sealed, additionalData) {
      try {
        return open(sealed, additionalData);
      } catch (error) {
        throw new StoreBroken(data, `${additionalData} is damaged (${readMessage(error)})`, { cause: error });
      }
    },
  };
}

/** 16 hexadecimal digits that identify the key without revealing it. */
export function toFingerprint(masterKey: Uint8Array): string {
  return createHmac('sha256', masterKey)
    .update('fingerprint of an orgctl master key')
    .digest('hex')
    .slice(0, 16);
}

export function isFingerprint(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text);
}
