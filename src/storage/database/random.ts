import { randomBytes } from 'node:crypto';
import { secretLength } from '../../api/resources/api-key.js';

/** Prefix and 96 random bits, such as `conn_…`. */
export function newIdentifier(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/** 64 random hexadecimal characters. */
export function newSecret(): string {
  return randomBytes(secretLength / 2).toString('hex');
}
