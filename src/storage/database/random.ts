import { randomBytes } from 'node:crypto';
import { secretLength } from '../../api/resources/api-key.js';

/** A new identifier with its kind's prefix in front, such as `conn_…` [ours]; unguessable, 96 bits. */
export function newIdentifier(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/** A new API key secret: 64 random characters (reference, section 2), hexadecimal [ours]. */
export function newSecret(): string {
  return randomBytes(secretLength / 2).toString('hex');
}
