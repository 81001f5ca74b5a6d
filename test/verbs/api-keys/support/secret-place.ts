import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { UsageError } from '../../../../src/errors/errors.js';
import { seal } from '../../../../src/profiles/record-seal.js';
import { SecretFile } from '../../../../src/verbs/api-keys/secret-file.js';
import { temporaryDirectory } from '../../../support/run-cli.js';

/** No process, as is every number above 4,194,304 on Linux. */
export const nobody = 2 ** 30;
export const creation = { id: 'abcd', since: '2026-01-01T00:00:00.000Z', name: 'ci' };
export const created = { id: 'key_a', secret: 's3cret' };
export const signer = { baseUrl: 'https://api.example.com', keyId: 'key_mine', secret: 'm'.repeat(64) };

/** A place for a secret, in a directory of its own, and the record beside it. */
export function newPlace() {
  const path = join(temporaryDirectory(), 'secret');
  const beside = `${path}.pending`;
  return { path, beside, open: (pid = 4_711_000) => new SecretFile(path, pid, signer) };
}

/** A place where an interrupted run left a record, or this text for one, and perhaps a part of the secret. */
export function leftPlace(record: object | string, secret?: string) {
  const place = newPlace();
  const text = typeof record === 'string' ? record : `${sealedAt(place.path, record)}\n`;
  writeFileSync(place.beside, text, { mode: 0o600 });
  if (secret !== undefined) writeFileSync(place.path, secret, { mode: 0o600 });
  return place;
}

/** A record as it is written for a place. */
export function sealedAt(path: string, content: object, by = signer): string {
  return JSON.stringify(seal(content, path, by));
}

/** The error that refuses a place. */
export const refusal = (path: string, reason: string) =>
  expect.objectContaining({ constructor: UsageError, message: `--secret-file ${path}: ${reason}` });
