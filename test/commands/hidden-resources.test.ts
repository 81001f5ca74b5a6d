import { describe, expect, it } from 'vitest';
import { foreignService } from '../support/foreign-service.js';
import { runCli, startCli } from '../support/run-cli.js';

describe('an ID whose resource the service does not show', () => {
  const key = { id: 'key_1000015', name: 'ci', enabled: true };
  /** GET of one returns this status, and so does the list without rows. */
  const refusing = (status: number, rows?: readonly object[]) =>
    foreignService({
      list: () => (rows === undefined ? { status: 403 } : { body: { data: rows, total: rows.length } }),
      get: () => ({ status }),
      change: (method) => (method === 'DELETE' ? { status: 204 } : { body: { ...key, enabled: false } }),
    });
  const run = (line: string, env: Record<string, string>) => runCli(line.split(' '), { env });

  it('goes out as it is if the list is not shown either, except the own one without a word', async () => {
    const { env, calls } = await refusing(403);
    expect(await run('api-keys disable key_1000015 --yes', env)).toMatchObject({ code: 0 });
    const asked = startCli(['api-keys', 'rm', 'key_1000015'], { env, isTTY: true, stdin: 'y\r' });
    expect((await asked.ended).code).toBe(0);
    const mine = await run('api-keys disable key_signing --yes', { ...env, ORGCTL_KEY_ID: 'key_signing' });
    expect(mine).toMatchObject({ code: 2, stderr: expect.stringContaining('you lock yourself out') });
    expect(calls.filter((call) => !call.startsWith('GET'))).toEqual([
      'PATCH /api-keys/key_1000015',
      'DELETE /api-keys/key_1000015',
    ]);
  });
});
