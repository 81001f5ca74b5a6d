import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { numberText, tokensOf } from '../api/numbers.js';
import { hostilePeer, httpAnswer, type Peer } from '../support/hostile-peer.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';

const numbers = ['9007199254740993', '1e999', '-0', '0.1000000000000000055511151231257827'];
const resource = `{"id":"conn_1","count":${numbers[0]},"of":[${numbers.join(',')}],"__proto__":{"x":1e-999}}`;

function environmentOf(peer: Peer, changes: Record<string, string> = {}): Record<string, string> {
  const credential = { ORGCTL_KEY_ID: 'key_1', ORGCTL_SECRET: 's'.repeat(64) };
  return { ...emptyEnvironment(), ...credential, ORGCTL_BASE_URL: peer.origin, ...changes };
}

/** What a command prints whose every request is answered with one body. */
async function printed(body: string, ...args: readonly string[]): Promise<string> {
  const peer = await hostilePeer(() => httpAnswer(200, body));
  const { code, stdout, stderr } = await runCli(args, { env: environmentOf(peer) });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('an answer with numbers that a double would change', () => {
  const list = `{"data":[${resource}],"total":1,"page":1,"limit":20,"pages":1}`;
  const quoted = (json: string) => `"${json.replaceAll('"', '""')}"`;

  test.each([
    ['json', JSON.stringify(resource)],
    ['jsonl', JSON.stringify(resource)],
  ])('is printed as it came: %s', async (format) => {
    const stdout = await printed(list, 'connections', 'list', '-o', format);
    expect(tokensOf(stdout)).toEqual(tokensOf(format === 'json' ? `[${resource}]` : resource));
  });

  it('is printed as it came: yaml', async () => {
    expect(await printed(list, 'connections', 'list', '-o', 'yaml')).toBe(
      [
        `- id: conn_1\n  count: ${numbers[0]}\n  of:\n`,
        ...numbers.map((number) => `    - ${number}\n`),
        '  __proto__:\n    x: 1e-999\n',
      ].join(''),
    );
  });

  it.each(['csv', 'table'])('is printed as it came: %s', async (format) => {
    const stdout = await printed(
      list,
      'connections',
      'list',
      '-o',
      format,
      '--query',
      '@',
      '--columns',
      'count,of',
    );
    const of = `[${numbers.join(',')}]`;
    const row = format === 'csv' ? `${numbers[0]},${quoted(of)}\n` : `${numbers[0]}  ${of}\n`;
    expect(stdout.split('\n').slice(1).join('\n')).toBe(row);
  });

  it.each([
    ['[0].count', `${numbers[0]}\n`],
    ['[].of[]', `[\n${numbers.map((number) => `  ${number}`).join(',\n')}\n]\n`],
    ['[0].{a: count, b: of[1]}', `{\n  "a": ${numbers[0]},\n  "b": 1e999\n}\n`],
    ['[0].count.text', 'null\n'],
  ])('stays exact where a query only selects: %s', async (query, text) => {
    expect(await printed(list, 'connections', 'list', '--query', query)).toBe(text);
  });

  it.each([
    ['[?count > `1`].count', '[\n  9007199254740992\n]\n'],
    ['[0].{a: count, b: to_string(count)}', '{\n  "a": 9007199254740992,\n  "b": "9007199254740992"\n}\n'],
    ['[0].count || `0`', '9007199254740992\n'],
    ['abs([0].count)', '9007199254740992\n'],
  ])('becomes the nearest double where a query computes: %s', async (query, text) => {
    expect(await printed(list, 'connections', 'list', '--query', query)).toBe(text);
  });

  it('is printed by request, a number alone and a list of numbers too', async () => {
    expect(await printed('1e999', 'request', 'GET', '/n')).toBe('1e999\n');
    expect(await printed('[1e999,-0]', 'request', 'GET', '/n', '-o', 'csv')).toBe('value\n1e999\n-0\n');
    expect(await printed(resource, 'request', 'GET', '/n', '-o', 'jsonl')).toBe(`${resource}\n`);
  });
});

it('prints any number with its own value, in every format', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(numberText, { minLength: 1 }),
      fc.constantFrom('json', 'jsonl', 'yaml', 'csv'),
      async (values, format) => {
        const list = `[${values.map((number) => `{"n":${number}}`).join(',')}]`;
        const stdout = await printed(
          list,
          'connections',
          'list',
          '-o',
          format,
          '--query',
          '@',
          '--columns',
          'n',
        );
        const found = stdout.match(/-?\d[\d.e+-]*/gi) ?? [];
        expect(found.flatMap(tokensOf)).toEqual(values.flatMap(tokensOf));
      },
    ),
    { numRuns: 40 },
  );
});

describe('what is sent', () => {
  const input = (number: string) => `{"name":"a","type":"x","config":{"port":${number}}}`;

  async function sent(args: readonly string[], stdin = ''): Promise<string> {
    const room = { limit: 9, used: 0, remaining: 9 };
    const quotas = { data: [{ connections: room }], total: 1, page: 1, limit: 20, pages: 1 };
    const peer = await hostilePeer(({ method }) =>
      method === 'GET' ? httpAnswer(200, quotas) : httpAnswer(201, { id: 'x_1', secret: 's' }),
    );
    const { code, stderr } = await runCli(args, { env: environmentOf(peer), stdin });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('error') });
    return String(peer.requests.find(({ method }) => method === 'POST')?.body);
  }

  it.each([
    ['JSON', 'c.json', input('9007199254740993'), '9007199254740993'],
    ['JSONL', 'c.jsonl', `${input('1e999')}\n`, '1e999'],
    ['YAML', 'c.yaml', 'name: a\ntype: x\nconfig:\n  port: 9007199254740993\n', '9007199254740993'],
    ['YAML, by an alias', 'c.yaml', 'name: a\ntype: x\nconfig: {<<: &b {port: +1e999}}\n', '1e999'],
    [
      'YAML, hexadecimal',
      'c.yaml',
      'name: a\ntype: x\nconfig: {port: 0x20000000000001}\n',
      '9007199254740993',
    ],
    [
      'YAML, a short form',
      'c.yaml',
      'name: a\ntype: x\nconfig: {port: 009007199254740993.}\n',
      '9007199254740993',
    ],
  ])('of a file of %s has its numbers', async (_form, name, text, number) => {
    const file = join(temporaryDirectory(), name);
    writeFileSync(file, text);
    expect(await sent(['connections', 'create', '--file', file])).toBe(input(number));
  });

  it('of a YAML file has its names', async () => {
    const file = join(temporaryDirectory(), 'c.yaml');
    writeFileSync(file, 'name: a\ntype: x\nconfig: {9007199254740993: 1}\n');
    expect(await sent(['connections', 'create', '--file', file])).toContain('{"9007199254740993":1}');
  });

  it.each(['.inf', '-.Inf', '.nan'])('has no %s, which JSON cannot say', async (number) => {
    const file = join(temporaryDirectory(), 'c.yaml');
    writeFileSync(file, `name: a\ntype: x\nconfig:\n  port: ${number}\n`);
    const { code, stderr } = await runCli(['connections', 'create', '--file', file]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`${file}:4:9: a number that`),
    });
  });

  it('of fields and data has its numbers', async () => {
    expect(await sent(['request', 'POST', '/x', '-f', 'a:=9007199254740993'])).toBe('{"a":9007199254740993}');
    expect(await sent(['request', 'POST', '/x', '-d', '{"a":1.0}'])).toBe('{"a":1.0}');
    expect(await sent(['api-keys', 'create', '--data', '{"a":1e999}', '--field', 'b:=[-0]'])).toBe(
      '{"a":1e999,"b":[-0]}',
    );
  });

  it('of a dry run shows its numbers', async () => {
    const file = join(temporaryDirectory(), 'c.json');
    writeFileSync(file, input('1e999'));
    const { stdout } = await runCli(['connections', 'create', '--file', file, '--dry-run', '-o', 'json']);
    expect(stdout).toContain('"port": 1e999');
  });
});
