import { expect, it } from 'vitest';
import { teams } from '../../src/api/resources/team.js';
import { readSecrets } from '../../src/organization/run/references.js';
import { memorySystem } from '../support/memory-system.js';

it('a command that hangs is given up, and one that many refer to runs once', async () => {
  const entries = ['a', 'b'].map((name, index) => ({
    resource: teams,
    entry: { name, type: 'pg', config: { password: { command: 'sleep 60' } } },
    path: ['teams', index],
  }));
  const system = memorySystem({ env: { PATH: '/usr/bin:/bin' } });
  const { signal } = new AbortController();
  const { problems } = await readSecrets(entries, { directory: '/', timeout: 50 }, { system, signal });
  const what = expect.stringContaining('did not finish within 0.05 s');
  expect(problems).toEqual([0, 1].map((at) => ({ path: ['teams', at, 'config', 'password'], what })));
});
