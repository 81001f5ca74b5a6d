import { describe, expect, it } from 'vitest';
import { foreignService } from '../support/foreign-service.js';
import { runCli } from '../support/run-cli.js';

const quotas = { body: { teams: { limit: 1, used: 0, remaining: 1 } } };

const html = { headers: { 'Content-Type': 'text/html' }, body: '<!doctype html><p>hello' };

describe('probe of a hostile service', () => {
  it.each<[what: string, forms: Parameters<typeof foreignService>[0], code: number, text: string]>([
    ['HTML', { list: () => html, get: () => html, quotas: html }, 10, 'not JSON'],
    ['nothing that is there', {}, 6, 'no such path'],
    ['a refusal', { quotas: { status: 401, body: { message: 'Invalid API key' } } }, 4, 'Invalid API key'],
    ['an error of the server', { quotas, list: () => ({ status: 500, body: {} }) }, 10, '500'],
  ])('ends by %s', async (_what, forms, code, text) => {
    const { env } = await foreignService(forms);
    const ended = await runCli(['probe', '-o', 'yaml', '--retries', '0'], { env });
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(text) });
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
    expect((await runCli(['probe', '--against', 'reference'], { env })).code).toBe(15);
  });
});
