import { describe, expect, it } from 'vitest';
import { tokensOf } from '../api/numbers.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { runCli } from '../support/run-cli.js';
import { fileOf } from './support/connection-entries.js';
import { quotaAnswer, scriptedService } from './support/scripted-service.js';

const numbers = ['9007199254740993', '1e999', '-0', '0.1000000000000000055511151231257827'];
const resource = `{"id":"conn_1","count":${numbers[0]},"of":[${numbers.join(',')}],"__proto__":{"x":1e-999}}`;

/** What a command prints whose every request is answered with one body. */
async function printed(body: string, ...args: readonly string[]): Promise<string> {
  const { env } = await scriptedService({
    'GET /connections': () => httpAnswer(200, body),
    'GET /n': () => httpAnswer(200, body),
  });
  const { code, stdout, stderr } = await runCli(args, { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('an answer with numbers that a double would change', () => {
  const list = `{"data":[${resource}],"total":1,"page":1,"limit":20,"pages":1}`;
  const printList = (...flags: string[]) => printed(list, 'connections', 'list', ...flags);

  it('is printed as it came', async () => {
    expect(tokensOf(await printList('-o', 'json'))).toEqual(tokensOf(`[${resource}]`));
    expect(tokensOf(await printList('-o', 'jsonl'))).toEqual(tokensOf(resource));
    expect(await printList('-o', 'yaml')).toBe(
      [
        `- id: conn_1\n  count: ${numbers[0]}\n  of:\n`,
        ...numbers.map((number) => `    - ${number}\n`),
        '  __proto__:\n    x: 1e-999\n',
      ].join(''),
    );
    const row = `${numbers[0]}  [${numbers.join(',')}]\n`;
    expect(await printList('--query', '@', '-o', 'table', '--columns', 'count,of', '--no-headers')).toBe(row);
  });

  it.each([
    ['[].of[]', `[\n${numbers.map((number) => `  ${number}`).join(',\n')}\n]\n`],
    ['[0].{a: count, b: of[1]}', `{\n  "a": ${numbers[0]},\n  "b": 1e999\n}\n`],
    ['[0].count.text', 'null\n'],
    // The nearest double where a query computes.
    ['[?count > `1`].count', '[\n  9007199254740992\n]\n'],
    ['[0].count || `0`', '9007199254740992\n'],
    ['abs([0].count)', '9007199254740992\n'],
  ])('stays exact where a query only selects: %s', async (query, text) => {
    expect(await printList('--query', query)).toBe(text);
  });

  it('is printed by request, a number alone and a list of numbers too', async () => {
    expect(await printed('1e999', 'request', 'GET', '/n')).toBe('1e999\n');
    expect(await printed('[1e999,-0]', 'request', 'GET', '/n', '-o', 'csv')).toBe('value\n1e999\n-0\n');
    expect(await printed(resource, 'request', 'GET', '/n', '-o', 'jsonl')).toBe(`${resource}\n`);
  });
});

describe('what is sent', () => {
  async function sent(args: readonly string[]): Promise<string> {
    const created = () => httpAnswer(201, { id: 'x_1', secret: 's' });
    const { env, peer } = await scriptedService({
      'GET /quotas': () => quotaAnswer(9),
      'POST /connections': created,
      'POST /api-keys': created,
      'POST /x': created,
    });
    expect((await runCli(args, { env })).code).toBe(0);
    return String(peer.requests.find(({ method }) => method === 'POST')?.body);
  }

  it.each([
    ['c.json', '{"name":"a","type":"x","config":{"port":9007199254740993}}', '9007199254740993'],
    ['c.jsonl', '{"name":"a","type":"x","config":{"port":1e999}}\n', '1e999'],
    ['c.yaml', 'name: a\ntype: x\nconfig:\n  port: 9007199254740993\n', '9007199254740993'],
  ])('of a file has its numbers: %s %j', async (name, text, number) => {
    const body = `{"name":"a","type":"x","config":{"port":${number}}}`;
    expect(await sent(['connections', 'create', '--file', fileOf(text, name)])).toBe(body);
  });

  it.each(['.inf', '-.Inf', '.nan'])('has no %s, which JSON cannot say', async (number) => {
    const file = fileOf(`name: a\ntype: x\nconfig:\n  port: ${number}\n`, 'c.yaml');
    const { code, stderr } = await runCli(['connections', 'create', '--file', file]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file}:4:9: a number that`)]);
  });

  it('of fields and data has its numbers', async () => {
    expect(await sent(['request', 'POST', '/x', '-f', 'a:=9007199254740993'])).toBe('{"a":9007199254740993}');
    expect(await sent(['request', 'POST', '/x', '-d', '{"a":1.0}'])).toBe('{"a":1.0}');
    const fields = ['--data', '{"a":1e999}', '--field', 'b:=[-0]'];
    expect(await sent(['api-keys', 'create', ...fields])).toBe('{"a":1e999,"b":[-0]}');
  });
});
