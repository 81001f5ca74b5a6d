import { describe, expect, it } from 'vitest';
import { z } from '../../src/api/schema/schema.js';
import { plainly } from '../../src/storage/plain-storing.js';

const storing = plainly({
  answer: () =>
    z.object({
      id: z.string(),
      name: z.string(),
      url: z.string(),
      note: z.optional(z.string()),
      parent: z.nullable(z.string()),
      events: z.optional(z.array(z.string())),
      retries: z.number(),
      active: z.boolean(),
      created_at: z.iso.datetime(),
      updated_at: z.iso.datetime(),
    }),
});
const now = '2026-01-05T09:30:00.000Z';
const id = 'hook_1';

/** What is read again of a resource that was made, by way of its columns. */
function stored(input: { readonly name: string; readonly [field: string]: unknown }) {
  const created = storing.create(id, input, now);
  // A database has null where nothing was written.
  const nothing = { note: null, parent: null, events: null };
  return storing.fromRow({ ...created, ...nothing, ...storing.toColumns(created, id) });
}

describe('a plain resource', () => {
  const least = { name: 'a', url: 'https://h', parent: null, retries: 3, active: false };

  it.each([
    ['without what may be absent', least],
    ['with a list', { ...least, events: ['a', '"b",\n'] }],
    ['with an empty list', { ...least, events: [] }],
    ['with texts that look like JSON', { ...least, note: '[1]', parent: 'null', url: '"' }],
    ['with numbers that no column of a database has', { ...least, retries: 1e300, active: true }],
  ])('%s is read as it was written', (_what, input) => {
    expect(stored(input)).toEqual({ ...input, id, created_at: now, updated_at: now });
  });
});
