import { randomBytes } from 'node:crypto';
import { secretLength } from '../api/resources/api-key.js';

export function newIdentifier(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

export function newSecret(): string {
  return randomBytes(secretLength / 2).toString('hex');
}
