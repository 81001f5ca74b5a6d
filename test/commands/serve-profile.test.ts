import { describe, expect, it, onTestFinished } from 'vitest';
import { profileStore } from '../../src/profiles/file/store.js';
import { startServer } from '../../src/server/index.js';
import { emptyEnvironment } from '../support/run-cli.js';
import { startServe } from './support/serve.js';

function place() {
  const env = emptyEnvironment();
  return { env, store: profileStore({ env, platform: process.platform, homedir: '/' }) };
}

describe('the profile of a server', () => {
  it('is left alone if its server runs', async () => {
    const { env, store } = place();
    const other = await startServer({ http: true });
    onTestFinished(() => other.close());
    const { url: baseUrl, keyId, secret } = other;
    const managed = { baseUrl, keyId, secret, managedBy: 'serve' };
    await store.add('local', managed);
    const first = await startServe([], env);
    const { stderr } = await first.stop();
    expect(stderr).toContain(`already points to a running server (${baseUrl}) and was not changed`);
    expect(await store.get('local')).toEqual(managed);
  });
});
