import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dialectSchema } from '../../src/api/dialect/dialect.js';
import { presets } from '../../src/api/dialect/presets.js';
import { z } from '../../src/api/schema/schema.js';
import { parseYaml } from '../../src/input/yaml-text.js';
import { Recording } from '../../src/proxy/record/recording.js';
import { type DialectInput, startServer } from '../../src/server/index.js';
import { proxyTo } from '../proxy/support/start-proxy.js';
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
  return parseYaml(text)[0]?.value;
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
  bare: [presets.bare, { ...presets.bare, headers: {} }],
  cursor: [presets.cursor, { ...presets.cursor, item: { in: 'data' }, headers: { case: 'lower' } }],
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
    { dialect: 1, list: { items: 'items', paging: 'none' }, errors: 'errors' },
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

describe.each(Object.entries(varied))('probe of %s', (_name, [dialect, told = dialect]) => {
  it('writes the dialect, and no value of the organization; --from a recording of its calls does, too', async () => {
    const { env, server } = await serviceOf(dialect, 120);
    const { file, proxied } = await recordingProxy(server.url, env);
    const written = await runCli(['probe', '-o', 'yaml'], { env: proxied });
    expect(written.code).toBe(0);
    expect(parse(readYaml(written.stdout))).toEqual(parse(told));
    expect(written.stdout).not.toMatch(
      new RegExp(`${marker}|127\\.0|localhost|120|121|${server.keyId}|conn_|team_`),
    );
    expect(readFileSync(file, 'utf8')).not.toContain('k'.repeat(64));
    const own = emptyEnvironment();
    const recorded = await runCli(['probe', '--from', file, '-o', 'yaml'], { env: own });
    expect(recorded).toMatchObject({ code: 0, stdout: written.stdout });
    const against = await runCli(['probe', '--from', file, '--against', fileOf(dialect), '-o', 'json'], {
      env: own,
    });
    expect(against).toMatchObject({ code: 0, stdout: '[]\n' });
    // A file that serve takes.
    await (await startServer({ dialect: parse(readYaml(written.stdout)), http: true })).close();
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
    expect(stdout).toMatch(/^all +list\.firstPage|^all +list\.meta +none$/m);
    expect(stdout).toMatch(/^teams +list +proved complete$/m);
    expect(stderr).toContain('omitted, because probe only reads: item.created.status');
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
    const ended = await runCli(['probe', '--against', 'bare'], { env });
    expect(ended).toMatchObject({ code: 15, stderr: expect.stringContaining('differences from bare') });
    expect(ended.stdout).toMatch(/^teams +list\.paging +link +cursor$/m);
    const asJson = await runCli(['probe', '--against', 'bare', '-o', 'json', '-q'], { env });
    expect(errorOf(asJson)).toMatchObject({ code: 'changes', exitCode: 15 });
  });

  it('only reads, in few calls, and tries Basic only when it is asked to', async () => {
    const { env, server } = await serviceOf('reference', 120);
    const sent = () => server.control.journal.get({ limit: 1000 });
    const probed = async (...args: string[]) =>
      JSON.parse((await runCli(['probe', '-o', 'json', ...args], { env })).stdout);
    const { service, calls } = await probed();
    const entries = await sent();
    expect(service.auth).toEqual({ hmac: true, basic: null });
    expect(entries.map(({ headers }) => Object.hasOwn(headers, 'authorization'))).not.toContain(true);
    expect(new Set(entries.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(entries.length).toBeLessThanOrEqual(3 + 3 * 7);
    expect(calls).toBe(entries.length);
    for (const flags of [['--try-basic'], ['--auth', 'basic']]) {
      expect((await probed(...flags)).service.auth).toEqual({ hmac: true, basic: true });
    }
  });
});

it('a dialect cannot express offsets: probe says so, and its file is true, servable and leads to no partial list', async () => {
  const rows = foreignRows(5);
  const { env, origin: baseUrl } = await foreignService({
    kinds: ['teams'],
    list: ({ query }) => {
      const offset = Number(query.get('offset') ?? 0);
      return { body: { data: rows.slice(offset, offset + 2), offset, limit: 2 } };
    },
  });
  const { code, stdout, stderr } = await runCli(['probe', '-o', 'yaml'], { env });
  expect(code).toBe(0);
  expect(stderr).toContain('because a dialect cannot express it: the paging of teams');
  expect(stderr).not.toContain('list.paging');
  const dialect = parse(readYaml(stdout));
  const against = await runCli(['probe', '--against', fileOf(dialect), '-o', 'json'], { env });
  expect(against).toMatchObject({ code: 0, stdout: '[]\n' });
  await (await startServer({ dialect, http: true })).close();
  const main = { baseUrl, keyId: 'key_test', secret: 's'.repeat(64), dialect };
  const pinned = withProfileFile({ version: 1, current: 'main', profiles: { main } });
  expect((await runCli(['teams', 'list', '--all'], { env: pinned })).code).toBe(10);
});
