import { expect, it } from 'vitest';
import { z } from '../../src/api/schema/schema.js';
import { columnsOf } from '../../src/storage/columns.js';
import { KeyRing } from '../../src/storage/key-ring.js';
import { inMemory, openSqlite } from '../../src/storage/sqlite/engine.js';

const hook = {
  table: 'hooks',
  answer: () =>
    z.object({
      url: z.string(),
      note: z.optional(z.string()),
      parent: z.nullable(z.string()),
      events: z.optional(z.array(z.string())),
      retries: z.number(),
      active: z.boolean(),
    }),
};

const least = {
  url: 'https://h',
  note: undefined,
  parent: null,
  events: undefined,
  retries: 3,
  active: false,
};

it.each([
  ['without what may be absent', least],
  ['with a list', { ...least, events: ['a', '"b",\n'] }],
  ['with an empty list', { ...least, events: [] }],
  ['with texts that look like JSON', { ...least, note: '[1]', parent: 'null', url: '"' }],
  ['with numbers that no column of a database has', { ...least, retries: 1e300, active: true }],
])('a resource %s is read as it was written', async (_what, input) => {
  const engine = await openSqlite(inMemory);
  const context = { engine, ring: new KeyRing(Buffer.alloc(32)), now: () => '' };
  const fields = new Map<string, unknown>(Object.entries(input));
  for (const { name, toStored, fromStored } of columnsOf(hook)) {
    const stored = toStored(fields.get(name), context, 'hook_1');
    expect(fromStored(stored, context, 'hook_1')).toEqual(fields.get(name));
  }
  await engine.close();
});
