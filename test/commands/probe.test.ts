import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dialectSchema } from '../../src/api/dialect/dialect.js';
import { presets } from '../../src/api/dialect/presets.js';
import { z } from '../../src/api/schema/schema.js';
import { parseYaml } from '../../src/input/yaml-text.js';
import { type DialectInput, startServer } from '../../src/server/index.js';
import { foreignRows, foreignService } from '../support/foreign-service.js';
import {
  emptyEnvironment,
  errorOf,
  runCli,
  temporaryDirectory,
  withProfileFile,
} from '../support/run-cli.js';
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
  return parseYaml(text, 'dialect')[0]?.value;
}

function fileOf(dialect: unknown): string {
  const path = join(temporaryDirectory(), 'dialect.json');
  writeFileSync(path, JSON.stringify(dialect));
  return path;
}

const none = { total: null, page: null, limit: null, pages: null };
const limit = (standard: number, max: number) => ({ default: standard, max, beyond: 'cap' as const });

function listing(list: DialectInput['list'], more: Partial<DialectInput> = {}): [DialectInput] {
  return [{ dialect: 1, list, ...more }];
}

/** A dialect, and what reads show of it where that is less. */
const varied: Readonly<Record<string, readonly [dialect: DialectInput, told?: DialectInput]>> = {
  reference: [presets.reference],
  bare: [presets.bare, { ...presets.bare, list: { ...presets.bare.list, limit: {} }, headers: {} }],
  cursor: [
    presets.cursor,
    { ...presets.cursor, list: { ...presets.cursor.list, limit: {} }, item: { in: 'data' }, headers: {} },
  ],
  camel: [
    presets.camel,
    { ...presets.camel, item: { in: '{kind}', ids: 'number', case: 'camel' }, headers: {} },
  ],
  'numbers from 0 in a bare array': listing(
    { items: null, firstPage: 0, fields: none, limit: { default: 7, max: 9, beyond: 'refuse' } },
    { errors: 'text' },
  ),
  'a header with the total': listing(
    { items: 'results', totalHeader: 'X-Total-Count', fields: none, limit: limit(5, 30) },
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
      ...{ fields: { ...none, hasMore: 'has_more' }, limit: limit(10, 40) },
    },
    { errors: 'messages' },
  ),
  'one page': [
    ...listing(
      { items: 'items', paging: 'none', parameters: { limit: null, page: null } },
      { errors: 'errors' },
    ),
    {
      dialect: 1,
      list: { items: 'items', paging: 'none', parameters: { limit: null } },
      errors: 'errors',
    },
  ],
  'a cursor under a name of its own': listing(
    {
      ...{ items: 'items', paging: 'cursor', parameters: { limit: 'pageSize', page: 'page' } },
      ...{ fields: { ...none, next: 'nextPageToken' }, limit: limit(8, 16) },
    },
    { item: { case: 'camel', names: { name: 'title', created_at: 'created' } } },
  ),
  'kinds that differ, and one that is not there': listing(
    { items: 'items', limit: { default: 6, max: 12 } },
    {
      kinds: {
        teams: { missing: 501 },
        connections: { list: { items: null, paging: 'link', fields: none, limit: { beyond: 'cap' } } },
      },
      quotas: { form: 'bare', counts: 'text' },
    },
  ),
  'counts as text, and no parameter for the size': listing(
    { counts: 'text', parameters: { limit: null, page: 'page' }, fields: { pages: null, limit: null } },
    { errors: 'problem' },
  ),
};

const parse = (value: unknown) => z.parse(dialectSchema, value);

describe.each(Object.entries(varied))('probe of %s', (_name, [dialect, told]) => {
  it('writes a dialect that serve and profile take, and no value of the organization', async () => {
    const { env, server } = await serviceOf(dialect, 120);
    const written = await runCli(['probe', '-o', 'yaml'], { env });
    expect(written.code).toBe(0);
    if (told !== undefined) expect(parse(readYaml(written.stdout))).toEqual(parse(told));
    expect(written.stdout).not.toMatch(
      new RegExp(`${marker}|127\\.0|localhost|120|121|${server.keyId}|conn_|team_`),
    );
    for (const file of [fileOf(dialect), fileOf(readYaml(written.stdout))]) {
      const against = await runCli(['probe', '--against', file, '-o', 'json'], { env });
      expect([against.code, against.stdout]).toEqual([0, '[]\n']);
    }
    await (await startServer({ dialect: parse(readYaml(written.stdout)), http: true })).close();

    const { ORGCTL_BASE_URL: url = '', ORGCTL_KEY_ID: keyId = '', ORGCTL_SECRET, ...rest } = env;
    const own = { ...rest, SECRET: ORGCTL_SECRET };
    const place = ['--base-url', url, '--key-id', keyId, '--secret-env', 'SECRET', '--no-verify'];
    expect((await runCli(['profile', 'add', 'pinned', ...place], { env: own })).code).toBe(0);
    const pin = ['profile', 'set', 'pinned', '--dialect', fileOf(readYaml(written.stdout)), '--no-verify'];
    expect((await runCli(pin, { env: own })).code).toBe(0);
    const kind = dialect.kinds?.['teams']?.missing === undefined ? 'teams' : 'connections';
    const listed = await runCli(['-p', 'pinned', kind, 'list', '--all', '-o', 'json'], { env: own });
    // Never fewer without saying so.
    if (listed.code !== 10) expect([listed.code, JSON.parse(listed.stdout).length]).toEqual([0, 120]);
    if (told !== undefined) expect(listed.code).toBe(0);
  });
});

describe('probe of an empty organization', () => {
  const dialect = presets.camel;

  it('writes nothing that is not so', async () => {
    const { env } = await serviceOf(dialect, 0);
    const written = await runCli(['probe', '-o', 'yaml'], { env });
    expect(written).toMatchObject({ code: 0, stderr: expect.stringContaining('too few rows') });
    for (const file of [fileOf(dialect), fileOf(readYaml(written.stdout))]) {
      const against = await runCli(['probe', '--against', file, '-o', 'json'], { env });
      expect([against.code, against.stdout]).toEqual([0, '[]\n']);
    }
  });
});

describe('probe', () => {
  it('shows a table with marks, a stable value, and the differences as rows: exit 15', async () => {
    const { env } = await serviceOf('cursor', 30);
    const { stdout, stderr } = await runCli(['probe'], { env });
    expect(stdout).toMatch(/^all +list\.items +items +\* +data$/m);
    expect(stdout).toMatch(/^teams +list +read$/m);
    expect(stderr).toContain('omitted, because probe only reads: item.created');
    expect(stderr).not.toContain(marker);
    const { stdout: json } = await runCli(['probe', '-o', 'json'], { env });
    expect(JSON.parse(json)).toMatchObject({
      dialect: { dialect: 1, list: { items: 'items', paging: 'cursor' } },
      kinds: { teams: { state: 'read', missing: null } },
      differences: expect.arrayContaining([
        { field: 'quotas.form', expected: 'data', found: 'list' },
        { kind: 'teams', field: 'list.items', expected: 'data', found: 'items' },
      ]),
      calls: expect.any(Number),
    });
    const ended = await runCli(['probe', '--against', 'bare'], { env });
    expect(ended).toMatchObject({ code: 15, stderr: expect.stringContaining('differences from bare') });
    expect(ended.stdout).toMatch(/^teams +list\.paging +link +cursor$/m);
    const asJson = await runCli(['probe', '--against', 'bare', '-o', 'json', '-q'], { env });
    expect(errorOf(asJson)).toMatchObject({ code: 'changes', exitCode: 15 });
  });

  it('only reads, in few calls, and sends no secret', async () => {
    const { env, server } = await serviceOf('reference', 120);
    const { calls } = JSON.parse((await runCli(['probe', '-o', 'json'], { env })).stdout);
    const entries = await server.control.journal.get({ limit: 1000 });
    expect(entries.map(({ headers }) => Object.hasOwn(headers, 'authorization'))).not.toContain(true);
    expect(new Set(entries.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(entries.length).toBeLessThanOrEqual(2 + 3 * 3);
    expect(calls).toBe(entries.length);
  });
});

it.each<[string, (offset: number) => object]>([
  ['offsets', (offset) => ({ offset, limit: 2 })],
  [
    'addresses apart from the figures',
    (offset) => ({ meta: { total: 5, per_page: 2 }, links: { next: `/teams?offset=${offset + 2}` } }),
  ],
])(
  'a dialect cannot express %s: probe says so, and its file is true, servable and leads to no partial list',
  async (_what, figuresAt) => {
    const rows = foreignRows(5);
    const { env, origin: baseUrl } = await foreignService({
      kinds: ['teams'],
      list: ({ query }) => {
        const offset = Number(query.get('offset') ?? 0);
        return { body: { data: rows.slice(offset, offset + 2), ...figuresAt(offset) } };
      },
    });
    const { code, stdout, stderr } = await runCli(['probe', '-o', 'yaml'], { env });
    expect(code).toBe(0);
    expect(stderr).toContain('omitted: the paging of teams\n');
    expect(stderr).not.toContain('list.paging');
    const dialect = parse(readYaml(stdout));
    const against = await runCli(['probe', '--against', fileOf(dialect), '-o', 'json'], { env });
    expect(against).toMatchObject({ code: 0, stdout: '[]\n' });
    await (await startServer({ dialect, http: true })).close();
    const main = { baseUrl, keyId: 'key_test', secret: 's'.repeat(64), dialect };
    const pinned = withProfileFile({ version: 1, current: 'main', profiles: { main } });
    expect((await runCli(['teams', 'list', '--all'], { env: pinned })).code).toBe(10);
  },
);

const size = (query: URLSearchParams, name: string, most: number) =>
  Math.min(most, Number(query.get(name) ?? most));
const strange = Array.from({ length: 57 }, (_, at) => ({ uuid: `u-${at}`, name: `n-${at}` }));

describe('probe of a service that no preset is like', () => {
  it.each<[string, NonNullable<Parameters<typeof foreignService>[0]['list']>]>([
    [
      'refuses unknown parameters',
      ({ query }) => {
        if (query.has('limit')) return { status: 422, body: { error: { message: 'unknown: limit' } } };
        const [page, limit] = [Number(query.get('page') ?? 1), size(query, 'per_page', 25)];
        const figures = { current_page: page, per_page: limit, total_count: strange.length };
        return { body: { results: strange.slice((page - 1) * limit, page * limit), pagination: figures } };
      },
    ],
    [
      'links to its next page',
      ({ query, origin }) => {
        const [at, limit] = [Number(query.get('after') ?? 0), size(query, 'limit', 10)];
        const next = at + limit < 57 ? `${origin}/teams?after=${at + limit}&limit=${limit}` : null;
        return { body: { results: strange.slice(at, at + limit), count: strange.length, next } };
      },
    ],
    [
      'goes on after the last ID',
      ({ query }) => {
        const limit = size(query, 'limit', 10);
        const at = strange.findIndex(({ uuid }) => uuid === query.get('starting_after')) + 1;
        return { body: { data: strange.slice(at, at + limit), has_more: at + limit < strange.length } };
      },
    ],
    [
      'has pages of 10 rows and says nothing of them',
      ({ query }) => {
        const [page, limit] = [Number(query.get('page') ?? 1), size(query, 'limit', 10)];
        return { body: strange.slice((page - 1) * limit, page * limit) };
      },
    ],
  ])('that %s: pinned, its list is whole, and the next probe finds no difference', async (_how, list) => {
    const { env, origin: baseUrl } = await foreignService({
      kinds: ['teams'],
      list,
      get(id) {
        const team = strange.find(({ uuid }) => uuid === id);
        if (team !== undefined) return { body: { team } };
        return { status: 404, body: { error: { message: 'no such team' } } };
      },
      quotas: { body: [{ kind: 'teams', limit: '100', used: '57' }] },
    });
    const written = await runCli(['probe', '-o', 'yaml'], { env });
    expect(written.code).toBe(0);
    const dialect = parse(readYaml(written.stdout));
    expect(dialect).toMatchObject({ errors: 'error.message', item: { in: '{kind}', names: { id: 'uuid' } } });
    const against = await runCli(['probe', '--against', fileOf(dialect), '-o', 'json'], { env });
    expect(against).toMatchObject({ code: 0, stdout: '[]\n' });
    const main = { baseUrl, keyId: 'key_test', secret: 's'.repeat(64), dialect };
    const pinned = withProfileFile({ version: 1, current: 'main', profiles: { main } });
    const all = await runCli(['teams', 'list', '--all', '-o', 'json', '--query', 'length(@)'], {
      env: pinned,
    });
    expect(all).toMatchObject({ code: 0, stdout: '57\n' });
    const one = await runCli(['teams', 'get', 'n-50', '-o', 'json', '--query', 'id', '-r'], { env: pinned });
    expect(one).toMatchObject({ code: 0, stdout: 'u-50\n' });
  });
});
