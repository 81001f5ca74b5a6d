import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dialectSchema } from '../../src/api/dialect/dialect.js';
import { presets } from '../../src/api/dialect/presets.js';
import { z } from '../../src/api/schema/schema.js';
import { parseYamlText } from '../../src/input/formats/yaml-text.js';
import { plainValue } from '../../src/input/formats/yaml-value.js';
import { type DialectInput, startServer } from '../../src/server/index.js';
import { foreignRows, foreignService } from '../support/foreign-service.js';
import { scriptedPeer } from '../support/hostile-peer.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { serviceEnvironment } from '../support/service.js';

const marker = 'zebra';

/** Names with a marker, which no dialect file may have. */
function seedOf(count: number) {
  const name = (at: number) => `${marker}-${at}`;
  const numbers = Array.from({ length: count }, (_, at) => at);
  return {
    organizations: [
      {
        name: marker,
        quotas: { connections: 500, teams: 500, 'api-keys': 500 },
        keys: [
          { id: `key_${marker}`, secret: 'k'.repeat(64), name: marker },
          ...numbers.map((at) => ({ id: `key_${marker}${at}`, name: name(at) })),
        ],
        connections: numbers.map((at) => ({ name: name(at), type: marker, config: { host: marker } })),
        teams: numbers.map((at) => ({ name: name(at) })),
      },
    ],
  };
}

async function serviceOf(dialect: DialectInput | keyof typeof presets, rows: number) {
  const server = await startServer(
    rows === 0 ? { dialect, http: true } : { dialect, http: true, seed: seedOf(rows) },
  );
  onTestFinished(() => server.close());
  const own: Record<string, string> =
    rows === 0 ? {} : { ORGCTL_KEY_ID: `key_${marker}`, ORGCTL_SECRET: 'k'.repeat(64) };
  const env: Record<string, string> = { ...emptyEnvironment(), ...serviceEnvironment(server), ...own };
  return { server, env };
}

function readYaml(text: string): unknown {
  const { documents, placeAt } = parseYamlText(text);
  return documents.map((document) => plainValue(document, placeAt))[0];
}

function fileOf(dialect: unknown): string {
  const path = join(temporaryDirectory(), 'dialect.json');
  writeFileSync(path, JSON.stringify(dialect));
  return path;
}

/** A dialect, and what reads show of it where that is less. */
const varied: Readonly<Record<string, readonly [dialect: DialectInput, told?: DialectInput]>> = {
  reference: [presets.reference],
  bare: [presets.bare, { ...presets.bare, headers: {} }],
  cursor: [presets.cursor, { ...presets.cursor, item: { in: 'data' }, headers: { case: 'lower' } }],
  camel: [
    presets.camel,
    { ...presets.camel, item: { in: '{kind}', ids: 'number', case: 'camel' }, headers: {} },
  ],
  'numbers from 0 in a bare array': listing(
    { items: null, firstPage: 0, fields: none(), limit: limit(7, 9, 'refuse') },
    { errors: 'text' },
  ),
  'a header with the total': listing(
    { items: 'results', totalHeader: 'X-Total-Count', fields: none(), limit: limit(5, 30) },
    { headers: { case: 'upper' }, errors: 'detail' },
  ),
  'the next address in meta': listing(
    {
      ...{
        items: 'results',
        meta: 'pagination',
        paging: 'next',
        parameters: { limit: 'per_page', page: 'p' },
      },
      fields: { total: 'total_count', page: null, limit: 'per_page', pages: null, next: 'next' },
    },
    { basePath: '/v2', errors: 'error.message' },
  ),
  'the last ID': listing(
    {
      ...{ items: '{kind}', paging: 'after', parameters: { page: 'starting_after' } },
      ...{ fields: { ...none(), hasMore: 'has_more' }, limit: limit(10, 40) },
    },
    { errors: 'messages' },
  ),
  'the last ID, numeric, in the body': listing(
    {
      ...{ paging: 'after', parameters: { page: 'after' } },
      ...{ fields: { ...none(), next: 'next' }, limit: limit(10, 40) },
    },
    { item: { ids: 'number' } },
  ),
  'one page': [
    ...listing(
      { items: 'items', paging: 'none', parameters: { limit: null, page: null } },
      { errors: 'errors' },
    ),
    { dialect: 1, list: { items: 'items', paging: 'none' }, errors: 'errors' },
  ],
  'a cursor under a name of its own': listing(
    {
      ...{ items: 'items', paging: 'cursor', parameters: { limit: 'pageSize', page: 'page' } },
      ...{ fields: { ...none(), next: 'nextPageToken' }, limit: limit(8, 16) },
    },
    { item: { case: 'camel', names: { name: 'title', created_at: 'created' } } },
  ),
  'kinds that differ, and one that is not there': listing(
    { items: 'items', limit: { default: 6, max: 12 } },
    {
      kinds: {
        teams: { missing: 501 },
        connections: { list: { items: null, paging: 'link', fields: none(), limit: { beyond: 'cap' } } },
      },
      quotas: { form: 'bare', counts: 'text' },
    },
  ),
  'no parameter for the size': listing({
    ...{ parameters: { limit: null, page: 'page' }, fields: { pages: null, limit: null } },
    limit: { default: 15 },
  }),
  'counts as text': listing({ counts: 'text', limit: { default: 3, max: 3 } }, { errors: 'problem' }),
};

function listing(list: DialectInput['list'], more: Partial<DialectInput> = {}): [DialectInput] {
  return [{ dialect: 1, list, ...more }];
}

function limit(standard: number, max: number, beyond: 'cap' | 'refuse' = 'cap') {
  return { default: standard, max, beyond };
}

function none() {
  return { total: null, page: null, limit: null, pages: null };
}

const parse = (value: unknown) => z.parse(dialectSchema, value);

// One of each way from page to page.
const followed = [
  'reference',
  'cursor',
  'the next address in meta',
  'the last ID',
  'kinds that differ, and one that is not there',
];
describe.each(Object.entries(varied))('probe of %s', (name, [dialect, told = dialect]) => {
  it('writes the dialect, which compares equal, and no value of the organization', async () => {
    const { env, server } = await serviceOf(dialect, 120);
    const written = await runCli(['probe', '-o', 'yaml'], { env });
    expect(written).toMatchObject({ code: 0 });
    expect(parse(readYaml(written.stdout))).toEqual(parse(told));
    expect(written.stdout).not.toMatch(
      new RegExp(`${marker}|127\\.0|localhost|120|121|${server.keyId}|conn_|team_`),
    );
    const names = Object.keys(varied);
    const following = names[(names.indexOf(name) + 1) % names.length] ?? name;
    for (const other of followed.includes(name) ? [name, following] : [name]) {
      const against = await runCli(['probe', '--against', fileOf(varied[other]?.[0]), '-o', 'json'], { env });
      expect([other, against.code, against.stdout]).toEqual([
        other,
        other === name ? 0 : 15,
        other === name ? '[]\n' : expect.stringContaining('"expected"'),
      ]);
    }
  });
});

const rows = foreignRows(30);
const quotas = { body: { teams: { limit: 1, used: 0, remaining: 1 } } };

const html = { headers: { 'Content-Type': 'text/html' }, body: '<!doctype html><p>hello' };

describe('probe of a hostile service', () => {
  it.each<[what: string, forms: Parameters<typeof foreignService>[0], code: number, text: string]>([
    ['HTML', { list: () => html, get: () => html, quotas: html }, 10, 'not JSON'],
    ['nothing that is there', {}, 6, 'no such path'],
    [
      'a refusal of the credential',
      { quotas: { status: 401, body: { message: 'Invalid API key' } } },
      4,
      'Invalid API key',
    ],
    [
      'a disabled key',
      { quotas: { status: 403, body: { message: 'API key is disabled' } } },
      5,
      'API key is disabled',
    ],
    ['an error of the server', { quotas, list: () => ({ status: 500, body: {} }) }, 10, '500'],
    ['a header that is too long', { quotas: { headers: { ['x'.repeat(20_000)]: '1' } } }, 10, 'too large'],
    ['a redirect', { quotas, list: () => ({ status: 302, headers: { Location: '/x' } }) }, 10, '302'],
  ])('ends by %s', async (_what, forms, code, text) => {
    const { env } = await foreignService(forms);
    const ended = await runCli(['probe', '-o', 'yaml', '--retries', '0'], { env });
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(text) });
  });

  it('is bounded where each page names a next one, or the same', async () => {
    for (const next of [(nth: number) => `/connections?page=${nth}`, () => '/connections?page=2']) {
      const { env, calls } = await foreignService({
        quotas,
        list: ({ nth }) => ({
          body: rows.map((row) => ({ ...row, id: `${row.id}_${nth}` })),
          headers: { Link: `<${next(nth)}>; rel="next"` },
        }),
      });
      const ended = await runCli(['probe', '-o', 'json'], { env });
      expect(ended.code).toBe(0);
      expect(JSON.parse(ended.stdout).kinds.connections.whole).not.toBe(true);
      expect(calls.length).toBeLessThan(50);
    }
  });

  it('has headers and fields that are no text for a terminal, or too long', async () => {
    const long = 'x'.repeat(15_000);
    const { env } = await foreignService({
      quotas,
      list: () => ({
        body: { items: [{ id: 'a', '\u001b[31m': 1, [long]: 2 }], '\u001b[2J': 1 },
        headers: { [`X-${'h'.repeat(8000)}`]: '1', 'RateLimit-\u0041': '1' },
      }),
    });
    for (const args of [[], ['-o', 'yaml'], ['-o', 'json']]) {
      const ended = await runCli(['probe', ...args], { env, isTTY: true, columns: 100 });
      expect(ended.code).toBe(0);
      expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/\p{Cc}\[(?:31m|2J)|x{200}|h{200}/u);
    }
  });

  it('has a kind in no known form, one that it refuses, and one that it does not have', async () => {
    const { env } = await foreignService({
      quotas,
      kinds: ['connections', 'api-keys'],
      list: ({ path }) =>
        path === '/connections' ? { body: { a: [1], b: 'two' } } : { status: 403, body: { error: 'no' } },
    });
    const ended = await runCli(['probe', '-o', 'json'], { env });
    expect(JSON.parse(ended.stdout).kinds).toMatchObject({
      connections: { state: 'unread' },
      'api-keys': { state: 'refused' },
      teams: { state: 'missing', missing: 404 },
    });
    expect(ended.stderr).toContain('this key may not list api-keys');
    expect((await runCli(['probe', '--against', 'reference'], { env })).code).toBe(15);
  });

  it('sends a body that never ends', async () => {
    const peer = await scriptedPeer(['HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{']);
    const key = { ORGCTL_KEY_ID: 'key_a', ORGCTL_SECRET: 'f'.repeat(64), ORGCTL_BASE_URL: peer.origin };
    const env = { ...emptyEnvironment(), ...key };
    const ended = await runCli(['probe', '--timeout', '200ms', '--retries', '0'], { env });
    expect(ended).toMatchObject({ code: 9, stdout: '' });
  });
});
