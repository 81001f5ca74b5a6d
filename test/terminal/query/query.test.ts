import { describe, expect, test } from 'vitest';
import type { OutputFormat } from '../../../src/api/option-values.js';
import { UsageError } from '../../../src/errors/errors.js';
import type { View } from '../../../src/terminal/output/printer.js';
import { compileQuery } from '../../../src/terminal/query/query.js';
import { print } from '../print.js';

describe('compiling', () => {
  test.each(['', '[?', 'a b', 'length(', 'to_number(`x`)'])('%j does not parse', async (expression) => {
    const compiled = compileQuery(expression);
    await expect(compiled).rejects.toThrow(UsageError);
    await expect(compiled).rejects.toThrow(`--query ${JSON.stringify(expression)}: `);
  });

  test.each([
    ["[?name='b'].id", 'a single = does not compare'],
    ['[?!(name = `1`)]', 'a single = does not compare'],
    ['limit = `99`', 'a single = does not compare'],
    ["let $x = (name = 'b') in $x", 'a single = does not compare'],
    ["[?&name == 'b'].id", 'a single & is only for arguments of functions'],
    ['sort_by(@, &[&name])', 'a single & is only for arguments of functions'],
    ['[0-1].id', '0-1 is not a number'],
    ['[0:5-3]', '5-3 is not a number'],
    ['[0:1 2]', 'a colon is missing between two numbers'],
    ['[ ].id', 'the brackets are empty'],
    ["'abc", 'the last quote is not closed'],
    ['`1', 'the last quote is not closed'],
  ])('%s is not JMESPath, although the package reads it', async (expression, reason) => {
    const compiled = compileQuery(expression);
    await expect(compiled).rejects.toThrow(UsageError);
    await expect(compiled).rejects.toThrow(reason);
  });

  test.each([
    ["[?name == 'a = & b'].id", [1]],
    ['[?name == `"a = & b"`].id', [1]],
    ['[?"x = 1" == `2`].id', [1]],
    ["let $name = 'a = & b' in [?name == $name].id", [1]],
    ['sort_by(@, &id)[-1:].id', [1]],
    ['[0:1:1].id', [1]],
    ['[].[id]', [[1]]],
  ])('%s is', async (expression, expected) => {
    const query = await compileQuery(expression);
    expect(query([{ id: 1, name: 'a = & b', 'x = 1': 2 }])).toEqual(expected);
  });

  test.each([
    ['steps', `a${'.a'.repeat(3000)}`],
    ['a literal', `\`${'['.repeat(3000)}${']'.repeat(3000)}\``],
    ['brackets', `${'['.repeat(100_000)}a${']'.repeat(100_000)}`],
  ])('what would use up the stack is refused: %s', async (_what, expression) => {
    await expect(compileQuery(expression)).rejects.toThrow(UsageError);
  });

  test('a function that does not exist is found before any data, what does not fit the data by it', async () => {
    await expect(compileQuery('[].{n: frobnicate(@)}')).rejects.toThrow('unknown function frobnicate()');
    const query = await compileQuery('length(limit)');
    expect(() => query({ limit: 1 })).toThrow(UsageError);
  });

  test.each([
    ['a && b', [undefined, null, null, 2]],
    ['a || b', [null, 1, 2, 1]],
    ['[?a && b].name', undefined],
  ])('%s takes what both or one have', async (expression, expected) => {
    const rows = [{ name: 'none' }, { name: 'a', a: 1 }, { name: 'b', b: 2 }, { name: 'both', a: 1, b: 2 }];
    const query = await compileQuery(expression);
    if (expected === undefined) expect(query(rows)).toEqual(['both']);
    else expect(rows.map(query)).toEqual(expected.map((value) => value ?? null));
  });
});

test.each([
  ['max_by(@, &name).name', [{ name: 'zebra' }, { name: '5' }, { name: 'apple' }], 'zebra'],
  ['min_by(@, &name).name', [{ name: 'zebra' }, { name: '5' }, { name: 'apple' }], '5'],
  [
    'max_by(@, &name).id',
    [
      { name: 'b', id: 1 },
      { name: 'b', id: 2 },
      { name: 'a', id: 3 },
    ],
    1,
  ],
  ['min_by(@, &@)', [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY], 0],
  ['max_by(@, &@)', [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY], Number.POSITIVE_INFINITY],
  ['max_by(@, &name)', [], null],
  ['sort(@)', [10, 9, -1, 2.5], [-1, 2.5, 9, 10]],
  [
    '[sort(@), [max(@), min(@)]]',
    ['a', 'é', 'B', 'z'],
    [
      ['B', 'a', 'z', 'é'],
      ['é', 'B'],
    ],
  ],
  [
    'sort_by(@, &name)[].id',
    [
      { name: 'b', id: 1 },
      { name: 'b', id: 2 },
      { name: 'a', id: 3 },
    ],
    [3, 1, 2],
  ],
  ['map(&to_number(@), @)', ['', ' 1', '0x10', '-1.5e3', 2], [null, null, null, -1500, 2]],
])('%s orders and reads values as JMESPath says: %j', async (expression, value, expected) => {
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

test.each([
  ['group_by(@, &name)', '{"a":[1,4],"__proto__":[2],"constructor":[3]}'],
  ['merge({a: `0`, b: `0`}, from_items(map(&[name, at], @)))', '{"a":4,"b":0,"__proto__":2,"constructor":3}'],
])('%s takes any text as a key', async (expression, expected) => {
  const rows = ['a', '__proto__', 'constructor', 'a'].map((name, index) => ({ name, at: index + 1 }));
  const query = await compileQuery(expression);
  expect(JSON.stringify(query(rows)).replaceAll(/\{"name":"\w+","at":(\d)\}/g, '$1')).toBe(expected);
});

interface Row {
  readonly name: string;
  readonly config: { readonly port: number };
}
const rows: readonly Row[] = [
  { name: 'one', config: { port: 1 } },
  { name: 'two', config: { port: 2 } },
];
const view: View<Row> = { columns: [{ header: 'NAME', value: 'name' }], empty: 'nothing' };

async function printed(format: OutputFormat, expression: string): Promise<string> {
  const query = await compileQuery(expression);
  const { stdout, stderr } = await print({ format, query }, (printer) => printer.list(rows, view));
  return stdout + stderr;
}

describe('the answer of a query on a list', () => {
  test.each<[string, OutputFormat, string, string]>([
    ['picked rows keep the view', 'table', "[?name=='two']", 'NAME\ntwo\n'],
    ['sorted rows keep the view', 'csv', 'reverse(@)', 'name\ntwo\none\n'],
    ['one picked row keeps the view', 'table', '[1]', 'NAME\ntwo\n'],
    ['no row', 'table', '[?name==`"x"`]', 'nothing\n'],
    [
      'rows of another shape',
      'table',
      '[].{n: name, c: config}',
      'N    C\none  {"port":1}\ntwo  {"port":2}\n',
    ],
    ['an object of another shape is one row', 'csv', '[0].config', 'port\n1\n'],
    ['no row of another shape', 'csv', "[?name=='x'].{n: name, c: config} | [0:5]", 'n,c\n'],
    ['no row of a shape, sorted', 'csv', "sort_by([?name=='x'].{n: name}, &n)", 'n\n'],
    ['no field of another shape', 'csv', "[?name=='x'].{n: name} | [].n", 'name\n'],
    ['lists of fields', 'csv', '[].[name, config.port]', '0,1\none,1\ntwo,2\n'],
    ['scalars in a list', 'table', '[].name', 'VALUE\none\ntwo\n'],
    ['a list as JSON', 'json', '[].name', '[\n  "one",\n  "two"\n]\n'],
    ['a list as lines', 'jsonl', '[].config', '{"port":1}\n{"port":2}\n'],
    ['a list as YAML', 'yaml', '[].name', '- one\n- two\n'],
    ['a string', 'json', '[0].name', '"one"\n'],
    ['nothing found', 'yaml', 'missing', 'null\n'],
    ['a field of the prototype', 'json', '[0].constructor', 'null\n'],
  ])('%s (%s, %s)', async (_name, format, expression, expected) => {
    expect(await printed(format, expression)).toBe(expected);
  });

  test('--columns applies to it', async () => {
    const query = await compileQuery('[].{n: name, c: config}');
    const { stdout } = await print({ query, columns: ['c.port'] }, (printer) => printer.list(rows, view));
    expect(stdout).toBe('C.PORT\n1\n2\n');
  });
});

describe('the answer of a query on one value', () => {
  const record = { teams: { used: 2 } };
  const quotas: View<{ kind: string }> = { columns: [{ header: 'KIND', value: 'kind' }] };
  test.each<[string, OutputFormat, string, string]>([
    ['the value itself is shown as ever', 'table', '@', 'KIND\nteams\n'],
    ['a part of it', 'json', 'teams', '{\n  "used": 2\n}\n'],
    ['a figure', 'table', 'teams.used', '2\n'],
    ['its keys', 'table', 'keys(@)', 'VALUE\nteams\n'],
  ])('%s (%s, %s)', async (_name, format, expression, expected) => {
    const query = await compileQuery(expression);
    const { stdout } = await print({ format, query }, (printer) =>
      printer.value(record, [{ kind: 'teams' }], quotas),
    );
    expect(stdout).toBe(expected);
  });
});

test('a query that is none says how text, numbers and names are written', async () => {
  const hint = expect.stringContaining('names with a hyphen in double quotes');
  await expect(compileQuery("name == 'x-y' && foo(")).rejects.toMatchObject({ details: { hint } });
  const query = await compileQuery('api-keys.remaining');
  expect(() => query({ 'api-keys': { remaining: 1 } })).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ hint }) }),
  );
});
