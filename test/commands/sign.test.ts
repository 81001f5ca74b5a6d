import { expect, it } from 'vitest';
import { hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { runCli } from '../support/run-cli.js';
import { environmentOf } from './support/doctor.js';

const secret = '0123456789abcdef'.repeat(4);
it.each<[string, readonly string[], Record<string, string>, number]>([
  ['--key-id', ['--key-id', secret], {}, 2],
  ['ORGCTL_KEY_ID', [], { ORGCTL_KEY_ID: secret }, 3],
])('a secret in %s is neither sent as a key ID nor printed', async (_name, flags, variables, code) => {
  const peer = await hostilePeer(() => httpAnswer(401));
  const env = environmentOf(peer.origin, { ORGCTL_SECRET: secret, ...variables });
  const lines = ['sign GET /x', 'quotas', 'quotas --auth basic -v', 'proxy --sign -- true'];
  for (const line of lines) {
    const ended = await runCli([...flags, ...line.split(' ')], { env });
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining('form of a secret') });
    expect(ended.stderr).not.toContain(secret);
  }
  expect(peer.connections).toBe(0);
});
