import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dialectSchema } from '../../src/api/dialect/dialect.js';
import { presets } from '../../src/api/dialect/presets.js';
import { z } from '../../src/api/schema/schema.js';
import { parseYamlText } from '../../src/input/formats/yaml-text.js';
import { plainValue } from '../../src/input/formats/yaml-value.js';
import { Recording } from '../../src/proxy/record/recording.js';
import { type DialectInput, startServer } from '../../src/server/index.js';
import { proxyTo } from '../proxy/support/start-proxy.js';
import { emptyEnvironment, errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
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

/** A proxy in front of a service that records, and the environment of its clients. */
async function recordingProxy(url: string, env: Record<string, string>) {
  const file = join(temporaryDirectory(), 'calls.jsonl');
  const recording = new Recording(file, url, () => undefined);
  const { origin, pathname } = new URL(url);
  const proxy = await proxyTo(origin, { observers: [(exchange) => recording.observe(exchange)] });
  const proxied = { ...env, ORGCTL_BASE_URL: `${proxy.url}${pathname.replace(/\/$/, '')}` };
  return { file, proxied };
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
const followed = ['reference', 'cursor', 'the next address in meta', 'the last ID'].concat(
  'kinds that differ, and one that is not there',
);
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

describe.each(followed)('probe of %s', (name) => {
  const [dialect] = varied[name] ?? [presets.reference];

  it('writes the same by --from a recording of such calls', async () => {
    const { env, server } = await serviceOf(dialect, 120);
    const { file, proxied } = await recordingProxy(server.url, env);
    const live = await runCli(['probe', '-o', 'yaml'], { env: proxied });
    expect(live).toMatchObject({ code: 0 });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('k'.repeat(64));
    const told = await runCli(['probe', '--from', file, '-o', 'yaml'], { env: emptyEnvironment() });
    expect(told).toMatchObject({ code: 0, stdout: live.stdout });
    // A file that serve takes.
    await (await startServer({ dialect: parse(readYaml(told.stdout)), http: true })).close();
  });
});

// Without rows nothing of paging shows: one of each form of one item is enough.
describe.each(['reference', 'camel', 'one page'])('probe of %s', (name) => {
  const [dialect] = varied[name] ?? [presets.reference];

  it('writes nothing of an empty organization that is not so', async () => {
    const { env } = await serviceOf(dialect, 0);
    const written = await runCli(['probe', '-o', 'yaml'], { env });
    expect(written).toMatchObject({ code: 0, stderr: expect.stringContaining('too few rows') });
    const against = await runCli(['probe', '--against', fileOf(dialect), '-o', 'json'], { env });
    expect([against.code, against.stdout]).toEqual([0, '[]\n']);
    const file = fileOf(readYaml(written.stdout));
    expect((await runCli(['probe', '--against', file], { env })).code).toBe(0);
    // A file that serve takes.
    await (await startServer({ dialect: parse(readYaml(written.stdout)), http: true })).close();
  });
});

describe('probe', () => {
  it('shows a table with marks, and a stable value', async () => {
    const { env } = await serviceOf('cursor', 30);
    const { stdout, stderr } = await runCli(['probe'], { env });
    expect(stdout).toMatch(/^all +list\.items +items +\* +data$/m);
    expect(stdout).toMatch(/^all +list\.firstPage|^all +list\.meta +none$/m);
    expect(stdout).toMatch(/^teams +list +proved complete$/m);
    expect(stderr).toContain('omitted, because only changes show it: item.created.status');
    expect(stderr).not.toContain(marker);
    const { stdout: json } = await runCli(['probe', '-o', 'json'], { env });
    expect(JSON.parse(json)).toMatchObject({
      dialect: { dialect: 1, list: { items: 'items', paging: 'cursor' } },
      kinds: { teams: { state: 'read', missing: null, whole: true, fields: { id: 'text', name: 'text' } } },
      service: {
        http: '1.1',
        skew: expect.any(Number),
        latency: expect.any(Number),
        limitHeaders: ['x-quota-limit', 'x-quota-remaining', 'x-quota-used'],
        auth: { hmac: true, basic: null },
      },
      differences: expect.arrayContaining([
        { field: 'errors', expected: 'message', found: 'problem' },
        { kind: 'teams', field: 'list.items', expected: 'data', found: 'items' },
      ]),
      calls: expect.any(Number),
    });
  });

  it('only reads, also with a read-only profile, in few calls', async () => {
    const { env, server } = await serviceOf('reference', 120);
    const place = ['--base-url', server.url, '--key-id', `key_${marker}`];
    const secret = { env: { ...env, SECRET: 'k'.repeat(64) } };
    await runCli(
      ['profile', 'add', 'one', ...place, '--secret-env', 'SECRET', '--read-only', '--no-verify'],
      secret,
    );
    const ended = await runCli(['probe', '-p', 'one', '-o', 'json'], { env });
    expect(ended.code).toBe(0);
    const entries = await server.control.journal.get({ limit: 1000 });
    expect(new Set(entries.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(entries.length).toBeLessThanOrEqual(3 + 3 * 7);
    expect(JSON.parse(ended.stdout)).toMatchObject({ calls: entries.length });
  });

  it('tries Basic only when it is asked to', async () => {
    const { env, server } = await serviceOf('reference', 0);
    const schemes = async (...args: string[]) => {
      const { stdout } = await runCli(['probe', '-o', 'json', ...args], { env });
      return JSON.parse(stdout).service.auth;
    };
    expect(await schemes()).toEqual({ hmac: true, basic: null });
    const isBasic = async () =>
      (await server.control.journal.get({ limit: 1000 })).some(({ headers }) =>
        Object.hasOwn(headers, 'authorization'),
      );
    expect(await isBasic()).toBe(false);
    expect(await schemes('--try-basic')).toEqual({ hmac: true, basic: true });
    expect(await isBasic()).toBe(true);
    expect(await schemes('--auth', 'basic')).toEqual({ hmac: true, basic: true });
  });

  it.each([['dialect: 1\nlist: { paging: pages }\n', 'list.paging']])(
    'refuses --against %j before it asks',
    async (text, problem) => {
      const path = join(temporaryDirectory(), 'bad.yaml');
      writeFileSync(path, text);
      const ended = await runCli(['probe', '--against', path], { env: emptyEnvironment() });
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
      expect(ended.stderr).toContain('--against');
    },
  );

  it('exits 15 with the differences as rows', async () => {
    const { env } = await serviceOf('bare', 30);
    const ended = await runCli(['probe', '--against', 'cursor'], { env });
    expect(ended).toMatchObject({ code: 15, stderr: expect.stringContaining('differences from cursor') });
    expect(ended.stdout).toMatch(/^teams +list\.paging +cursor +link$/m);
    const json = await runCli(['probe', '--against', 'cursor', '-o', 'json', '-q'], { env });
    expect(errorOf(json)).toMatchObject({ code: 'changes', exitCode: 15 });
  });
});
