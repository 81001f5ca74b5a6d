import { describe, expect, it } from 'vitest';
import { runWith, startServe } from './support/serve.js';

const wrongSecret = { ORGCTL_SECRET: 'w'.repeat(64) };

describe('serve tells on stderr', () => {
  it('what a client wrote without what could steer the terminal', async () => {
    const { ready, stop } = await startServe(['--ephemeral', '-v']);
    const body = JSON.stringify({ name: 'a', ['\u001b[31m\u202e']: 1, type: 'pg', config: {} });
    await runWith(ready, ['request', 'POST', '/connections', '-d', body], wrongSecret);
    const { stderr } = await stop();
    expect(stderr).toContain('202e');
    for (const raw of ['\u001b', '\u202e']) expect(stderr).not.toContain(raw);
  });
});
