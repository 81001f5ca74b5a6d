import { describe, expect, it } from 'vitest';
import { hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { errorOf } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { environmentOf, examine } from './support/doctor.js';

const service = useService({ http: false });
const secret = 'a'.repeat(64);
const wrongSecret = { ORGCTL_SECRET: 'f'.repeat(64) };

describe('doctor on files and settings', () => {
  it.each([
    ['in quotes', `"${secret}"`, 'includes quotes', 'correct or unset ORGCTL_SECRET'],
    [
      'wrapped',
      `${secret.slice(0, 30)}\n${secret.slice(30)}`,
      'a space or an invisible character',
      'orgctl whoami',
    ],
    ['too short', 'a'.repeat(63), '63 characters', 'orgctl whoami'],
  ])('does not send a secret that is %s', async (_what, bad, detail, hint) => {
    const peer = await hostilePeer(() => httpAnswer(401));
    const { ended, finding, results } = await examine(environmentOf(peer.origin, { ORGCTL_SECRET: bad }));
    expect(ended.code).toBe(3);
    expect(finding('secret')).toMatchObject({ code: 'config', detail: expect.stringContaining(detail) });
    expect(errorOf(ended)['hint']).toContain(hint);
    expect(results).toMatchObject({ connection: 'skipped', clock: 'skipped', authentication: 'skipped' });
    expect(peer.requests).toEqual([]);
    expect(ended.stdout + ended.stderr).not.toContain('aaaaa');
  });
});

describe('doctor on authentication', () => {
  it.each([
    ['where the signature is accepted', {}, 'was not sent'],
    ['where the key is unknown', { ORGCTL_KEY_ID: 'key_unknown' }, 'was not sent'],
    ['where Basic is in use', { ORGCTL_AUTH: 'basic', ...wrongSecret }, 'already in use'],
  ])('sends no secret of its own accord %s', async (_where, variables, detail) => {
    const { ended, finding } = await examine(service.environment(variables), ['--try-basic']);
    expect(finding('basic')).toMatchObject({ result: 'skipped', detail: expect.stringContaining(detail) });
    expect(ended.stderr).not.toContain('warning');
  });
});
