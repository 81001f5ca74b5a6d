import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { presets } from '../../src/api/dialect/presets.js';
import { pinForms } from '../../src/client/reading/pinned-forms.js';
import {
  type ForeignAnswer,
  foreignRows,
  foreignService,
  type PageAsked,
} from '../support/foreign-service.js';
import { runCli, temporaryDirectory } from '../support/run-cli.js';

const rows = foreignRows(130);
const secret = 'Q'.repeat(64);

/** Answers as each preset says, and refuses parameters that are not its own. */
const services: Readonly<Record<keyof typeof presets, (asked: PageAsked) => ForeignAnswer>> = {
  reference: ({ query }) => {
    const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 20)];
    const data = rows.slice((page - 1) * limit, page * limit);
    return { body: { data, total: rows.length, page, limit, pages: Math.ceil(rows.length / limit) } };
  },
  bare: ({ query }) => {
    const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 20)];
    const next = { Link: `</connections?limit=${limit}&page=${page + 1}>; rel="next"` };
    const body = rows.slice((page - 1) * limit, page * limit);
    return { body, headers: page * limit < rows.length ? next : {} };
  },
  cursor: ({ query }) => {
    const at = Number(query.get('cursor') ?? 0);
    const hasMore = at + 50 < rows.length;
    const next = hasMore ? String(at + 50) : null;
    return { body: { items: rows.slice(at, at + 50), next_cursor: next, has_more: hasMore } };
  },
  camel: ({ query }) => {
    if (query.has('limit') || query.has('page')) return { status: 400, body: { errors: ['unknown'] } };
    const [page, size] = [Number(query.get('pageNumber') ?? 0), Number(query.get('pageSize') ?? 20)];
    const pages = Math.ceil(rows.length / size);
    const meta = {
      totalCount: `${rows.length}`,
      pageNumber: `${page}`,
      pageSize: `${size}`,
      totalPages: `${pages}`,
    };
    return { body: { connections: rows.slice(page * size, page * size + size), meta } };
  },
};

async function profileOf(
  service: { readonly origin: string; readonly env: Record<string, string> },
  dialect: string,
) {
  const env = { ORGCTL_CONFIG_DIR: service.env['ORGCTL_CONFIG_DIR'], SECRET: secret };
  const place = ['--base-url', service.origin, '--key-id', 'key_test'];
  const args = [
    'profile',
    'add',
    'one',
    ...place,
    '--secret-env',
    'SECRET',
    '--no-verify',
    '--dialect',
    dialect,
  ];
  return { env, added: await runCli(args, { env }) };
}

describe.each(Object.keys(presets))('a profile with the dialect %s', (name) => {
  const list = services[name as keyof typeof presets];

  it('reads every row of its service, and shows the dialect', async () => {
    const { env, added } = await profileOf(await foreignService({ list }), name);
    expect(added.code).toBe(0);
    const ended = await runCli(['connections', 'list', '--all', '-o', 'jsonl'], { env });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout.trimEnd().split('\n')).toHaveLength(rows.length);
    const second = await runCli(['connections', 'list', '--limit', '10', '--page', '2', '-o', 'jsonl'], {
      env,
    });
    if (name !== 'cursor') expect(second.stdout.startsWith('{"id":"conn_10"')).toBe(true);
    expect((await runCli(['whoami'], { env })).stdout).toMatch(new RegExp(`dialect +${name} `));
    expect((await runCli(['profile', 'show', 'one', '-o', 'json'], { env })).stdout).toContain(`"${name}"`);
  });

  it('guesses nothing: any other list is refused, with what was looked for', async () => {
    const others = { body: { results: rows.slice(0, 3), count: 3 } };
    const { env } = await profileOf(await foreignService({ list: () => others }), name);
    const ended = await runCli(['connections', 'list'], { env });
    expect(ended).toMatchObject({ code: 10, stdout: '', stderr: expect.stringContaining('by the dialect') });
    await runCli(['profile', 'set', 'one', '--dialect', 'none', '--no-verify'], { env });
    expect((await runCli(['connections', 'list', '-o', 'jsonl'], { env })).code).toBe(0);
    expect((await runCli(['whoami'], { env })).stdout).not.toContain('dialect');
  });
});

it('a dialect is of its profile’s address alone', async () => {
  const { env } = await profileOf(await foreignService({}), 'bare');
  const other = await foreignService({ list: services.cursor });
  const elsewhere = {
    ...env,
    ORGCTL_BASE_URL: other.origin,
    ORGCTL_KEY_ID: 'key_test',
    ORGCTL_SECRET: secret,
  };
  expect((await runCli(['connections', 'list', '--all'], { env: elsewhere })).code).toBe(0);
});

it('is read from a file of JSON or YAML, and refused where it is none', async () => {
  const service = await foreignService({ list: services.camel });
  const [yaml, json, bad] = ['d.yaml', 'd.json', 'bad.yaml'].map((file) => join(temporaryDirectory(), file));
  writeFileSync(String(json), JSON.stringify(presets.camel));
  writeFileSync(String(yaml), 'dialect: 1\nlist:\n  items: connections\n  parameters: {limit: null}\n');
  writeFileSync(String(bad), 'dialect: 1\nlist: {itmes: x}\n');
  for (const file of [json, yaml]) {
    const { env, added } = await profileOf(await foreignService({ list: services.camel }), String(file));
    expect(added.code).toBe(0);
    expect((await runCli(['connections', 'list'], { env })).code).toBe(0);
  }
  const { added } = await profileOf(service, String(bad));
  expect(added).toMatchObject({ code: 2, stderr: expect.stringContaining('itmes') });
  expect((await profileOf(service, '/no/such/file')).added).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining('reference, bare, cursor, camel') },
  });
});

it('takes no name that objects have of themselves for a field', () => {
  for (const items of ['__proto__', 'constructor', 'prototype']) {
    expect(pinForms({ dialect: 1, list: { items } })).toHaveProperty('misfit');
  }
  expect(pinForms('toString')).toHaveProperty('misfit');
});
