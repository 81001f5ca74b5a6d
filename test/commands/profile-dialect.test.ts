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

const rows = foreignRows(45);
const secret = 'Q'.repeat(64);

/** Answers as the preset `camel` says, and refuses parameters that are not its own. */
function camel({ query }: PageAsked): ForeignAnswer {
  if (query.has('limit') || query.has('page')) return { status: 400, body: { errors: ['unknown'] } };
  const [page, size] = [Number(query.get('pageNumber') ?? 0), Number(query.get('pageSize') ?? 20)];
  const numbers = { totalCount: rows.length, pageNumber: page, pageSize: size };
  const all = Object.entries({ ...numbers, totalPages: Math.ceil(rows.length / size) });
  const meta = Object.fromEntries(all.map(([name, number]) => [name, String(number)]));
  return { body: { connections: rows.slice(page * size, page * size + size), meta } };
}

async function profileOf({ origin, env: own }: Awaited<ReturnType<typeof foreignService>>, dialect: string) {
  const env = { ORGCTL_CONFIG_DIR: own['ORGCTL_CONFIG_DIR'], SECRET: secret };
  const place = ['--base-url', origin, '--key-id', 'key_test', '--secret-env', 'SECRET', '--no-verify'];
  const added = await runCli(['profile', 'add', 'one', ...place, '--dialect', dialect], { env });
  return { env, added };
}

describe('a profile with a dialect', () => {
  it('reads the pages of its service, and shows the dialect', async () => {
    const { env, added } = await profileOf(await foreignService({ list: camel }), 'camel');
    expect(added.code).toBe(0);
    const second = ['connections', 'list', '--limit', '10', '--page', '2', '-o', 'jsonl'];
    expect((await runCli(second, { env })).stdout).toMatch(/^\{"id":"conn_10"/);
    expect((await runCli(['whoami'], { env })).stdout).toMatch(/dialect +camel /);
    expect((await runCli(['profile', 'show', 'one', '-o', 'json'], { env })).stdout).toContain('"camel"');
  });

  it('guesses nothing: any other list is refused', async () => {
    const others = { body: { results: rows.slice(0, 3), count: 3 } };
    const { env } = await profileOf(await foreignService({ list: () => others }), 'camel');
    const ended = await runCli(['connections', 'list'], { env });
    expect(ended).toMatchObject({
      code: 10,
      stdout: '',
      stderr: expect.stringContaining("according to the profile's dialect"),
    });
    await runCli(['profile', 'set', 'one', '--dialect', 'none', '--no-verify'], { env });
    expect((await runCli(['connections', 'list', '-o', 'jsonl'], { env })).code).toBe(0);
    expect((await runCli(['whoami'], { env })).stdout).not.toContain('dialect');
  });
});

it('a dialect is of its profile’s address alone', async () => {
  const { env } = await profileOf(await foreignService({}), 'bare');
  const { env: other } = await foreignService({ list: () => ({ body: { items: rows, has_more: false } }) });
  const elsewhere = { ...other, ...env };
  expect((await runCli(['connections', 'list', '--all'], { env: elsewhere })).code).toBe(0);
});

it.each([
  ['d.json', JSON.stringify(presets.camel), 0, 'one'],
  ['d.yaml', 'dialect: 1\nlist:\n  items: connections\n  parameters: {limit: null}\n', 0, 'one'],
  ['bad.yaml', 'dialect: 1\nlist: {itmes: x}\n', 2, 'itmes'],
  ['not there', undefined, 2, 'no such file'],
])('is read from a file, and refused where it is none: %s', async (name, text, code, said) => {
  const path = join(temporaryDirectory(), name);
  if (text !== undefined) writeFileSync(path, text);
  const { env, added } = await profileOf(await foreignService({ list: camel }), path);
  expect([added.code, added.stdout + added.stderr]).toEqual([code, expect.stringContaining(said)]);
  if (code === 0) expect((await runCli(['connections', 'list'], { env })).code).toBe(0);
});

it('takes no name that objects have of themselves for a field', () => {
  for (const items of ['__proto__', 'constructor', 'prototype']) {
    expect(pinForms({ dialect: 1, list: { items } })).toHaveProperty('misfit');
  }
  expect(pinForms('toString')).toHaveProperty('misfit');
});
