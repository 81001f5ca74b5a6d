import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shapeFault } from '../../../src/verbs/doctor/setup-checks.js';
import { isMissing } from '../../support/programs.js';

const secret = `${'Ab9-_.~+'.repeat(8)}`;
const keyId = 'key_a';

describe('the shape of a credential', () => {
  it.each([
    ['both are good', { keyId, secret }, undefined],
    ['they are swapped', { keyId: secret, secret: keyId }, 'swapped'],
    ['the key ID is none', { keyId: 'abc', secret }, 'the key ID does not begin with key_'],
    ['the secret is a key ID', { keyId, secret: 'key_b' }, 'the secret begins with key_'],
    ['it is in double quotes', { keyId, secret: `"${secret}"` }, 'includes quotes'],
    ['it has a line break at its end', { keyId, secret: `${secret}\n` }, 'ends with a line break'],
    ['it has a space at its end', { keyId, secret: `${secret} ` }, 'ends with a space'],
    ['it has a space before it', { keyId, secret: ` ${secret}` }, 'begins with a space'],
    [
      'it was wrapped',
      { keyId, secret: `${secret.slice(0, 30)}\n${secret.slice(30)}` },
      'space or an invisible',
    ],
    ['it has a byte order mark', { keyId, secret: `\u{feff}${secret}` }, 'begins with a space'],
    ['it is too short', { keyId, secret: secret.slice(1) }, '63 characters long instead of 64'],
    ['it is too long', { keyId, secret: `${secret}x` }, '65 characters long instead of 64'],
  ])('when %s', (_when, credential, fault) => {
    const found = shapeFault(credential)?.fault;
    if (fault === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(fault);
    expect(found ?? '').not.toContain(secret.slice(1, 9));
  });

  it.skipIf(isMissing('bash')).each([
    ['quotes', { keyId, secret: `"${secret}"` }],
    ['a space', { keyId, secret: `${secret} ` }],
    ['line breaks', { keyId, secret: `${secret}\r\n\n` }],
    ['swapping', { keyId: secret, secret: keyId }],
  ])('is mended in the shell: %s', (_what, broken) => {
    const { mend = '' } = shapeFault(broken) ?? {};
    const env = { ORGCTL_KEY_ID: broken.keyId, ORGCTL_SECRET: broken.secret };
    const script = `${mend}; printf '%s %s' "$ORGCTL_KEY_ID" "$ORGCTL_SECRET"`;
    expect(execFileSync('bash', ['--norc', '-c', script], { env, encoding: 'utf8' })).toBe(
      `${keyId} ${secret}`,
    );
  });
});
