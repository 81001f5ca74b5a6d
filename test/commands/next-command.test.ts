import { describe, expect, it } from 'vitest';
import { emptyEnvironment, errorOf, runCli, withProfileFile } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService({ http: false, quotas: { teams: 0 } });

/** A profile elsewhere is the current one; `other` is for the service. */
function environment(changes: Record<string, unknown> = {}): Record<string, string> {
  const { url: baseUrl, keyId, secret, caFile } = service.server;
  const elsewhere = { baseUrl: 'http://127.0.0.1:1', keyId: 'key_elsewhere', secret: 's'.repeat(64) };
  const other = { baseUrl, keyId, secret, caFile, ...changes };
  return withProfileFile({ version: 1, current: 'elsewhere', profiles: { elsewhere, other } });
}

async function adviceAfter(line: string, env: Record<string, string | undefined>) {
  const { stderr } = await runCli([...line.split(' '), '-o', 'json'], { env });
  const last = String(stderr.trim().split('\n').at(-1));
  const { hint, next } = errorOf({ stderr: last, stdout: '', code: 0 });
  return { hint, next: Array.isArray(next) ? next.join(' ') : undefined };
}

const wrongSecret = { secret: 'x'.repeat(64) };

describe('the next command', () => {
  it.each<[line: string, next: string | undefined, changes?: Record<string, unknown>]>([
    ['teams create --name a', 'orgctl quotas -p other'],
    ['teams get nosuch', 'orgctl teams list --all -p other'],
    ['quotas --fail-over 0 --kind teams', 'orgctl teams list --all -p other'],
    ['quotas', 'orgctl whoami -p other', wrongSecret],
    ['quotas --retries 0', 'orgctl whoami -p other', { baseUrl: 'http://127.0.0.1:1' }],
    ['doctor', 'orgctl doctor --try-basic -p other', wrongSecret],
    ['connections list --no-such', 'orgctl connections list --help'],
    ['connections', 'orgctl connections --help'],
    // With a placeholder, it cannot be run as it is.
    ['teams create', undefined],
    ['quotas -p nobody', undefined],
  ])('after %s with -p other is %s', async (line, next, changes) => {
    const words = line.includes('-p ') ? line : `${line} -p other`;
    const advice = await adviceAfter(words, environment(changes));
    expect(advice.next).toBe(next);
    if (next !== undefined) expect(advice.hint).toContain(next);
  });

  it('leaves the place of a typed address open, because it may hold a secret', async () => {
    const env = service.environment();
    const advice = await adviceAfter(`teams get nosuch --base-url ${service.server.url}`, env);
    expect(advice).toEqual({ hint: expect.stringContaining('--all --base-url URL'), next: undefined });
    const secret = 'f'.repeat(64);
    const { stderr } = await runCli(['teams', 'list', '--base-url', `https://me:${secret}@host`], { env });
    expect(stderr).not.toContain(secret);
  });
});

describe('a command for a server on this machine', () => {
  it('has a placeholder if the service is not known to run here', async () => {
    const advice = await adviceAfter('api-keys enable key_1 -p other', environment());
    expect(advice).toEqual({ hint: expect.stringContaining('enable key_1 --data DIR'), next: undefined });
  });

  it('repeats --data of local', async () => {
    expect((await adviceAfter('local status --data /no-where', emptyEnvironment())).next).toBe(
      'orgctl serve --data /no-where',
    );
  });
});
