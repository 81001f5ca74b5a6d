import { expect, test } from 'vitest';
import { UsageError } from '../../src/errors/errors.js';
import { compileQuery } from '../../src/terminal/query/query.js';

test.each([
  ['', 'Syntax error'],
  ['[?', 'Syntax error'],
  ["[?name='b'].id", 'a single = does not compare'],
  ['[?!(name = `1`)]', 'a single = does not compare'],
  ["let $x = (name = 'b') in $x", 'a single = does not compare'],
  ["[?&name == 'b'].id", 'a single & is only for arguments of functions'],
  ['sort_by(@, &[&name])', 'a single & is only for arguments of functions'],
  ['[ ].id', 'the brackets are empty'],
  ['[].{n: frobnicate(@)}', 'unknown function frobnicate()'],
  [`a${'.a'.repeat(3000)}`, 'nested deeper'],
])('%.20s is refused before any data', async (expression, reason) => {
  const compiled = compileQuery(expression);
  await expect(compiled).rejects.toThrow(UsageError);
  await expect(compiled).rejects.toThrow(reason);
});

const named = (...names: readonly string[]) => names.map((name, id) => ({ name, id }));

test.each([
  ['max_by(@, &name).name', named('zebra', '5', 'apple'), 'zebra'],
  ['min_by(@, &name).name', named('zebra', '5', 'apple'), '5'],
  ['max_by(@, &name).id', named('b', 'b', 'a'), 0],
  ['max_by(@, &name)', [], null],
  ['sort(@)', [10, 9, -1, 2.5], [-1, 2.5, 9, 10]],
  ['[max(@), min(@)]', ['a', 'é', 'B', 'z'], ['é', 'B']],
  ['sort_by(@, &name)[].id', named('b', 'b', 'a'), [2, 0, 1]],
  ['keys(group_by(@, &name))', named('a', '__proto__', 'a'), ['a', '__proto__']],
])('%s orders and groups as JMESPath says: %j', async (expression, value, expected) => {
  const query = await compileQuery(expression);
  expect(query(value)).toEqual(expected);
});

test.each(['max_by(@, &a)', 'sort_by(@, &a)', 'max(map(&a, @))', 'group_by(@, &a)'])(
  '%s refuses mixed values',
  async (expression) => {
    const query = await compileQuery(expression);
    for (const a of [1, null]) expect(() => query([{ a: 'x' }, { a }])).toThrow(UsageError);
  },
);
