import { expect, it } from 'vitest';
import { hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { runBuiltTool } from '../support/run-built-tool.js';
import { emptyEnvironment, errorOf } from '../support/run-cli.js';
import { rounds } from './support/budget.js';

const mebibytes64 = 64 * 1024 * 1024;

const shapes = [
  ['objects', '{},'],
  ['numbers', '1e999,'],
  ['records', '{"id":"conn_1","name":"a"},'],
  ['text', '"\u00e9 and so on",'],
] as const;

it.each(shapes.slice(0, rounds(shapes.length, 1)))(
  'responses larger than the 16 MiB that are read as JSON, of %s, are errors, and end no process',
  async (_name, item) => {
    const body = `[${item.repeat(mebibytes64 / Buffer.byteLength(item) - 8)}1]`;
    const peer = await hostilePeer(() => httpAnswer(200, body));
    const env = {
      ...emptyEnvironment(),
      ORGCTL_KEY_ID: 'key_1',
      ORGCTL_SECRET: 's'.repeat(64),
      ORGCTL_BASE_URL: peer.origin,
      NODE_OPTIONS: '--max-old-space-size=128',
    };
    for (const args of [
      ['request', 'GET', '/connections', '--query', 'length(@)'],
      ['connections', 'list'],
    ]) {
      const ended = await runBuiltTool([...args, '-o', 'json'], { env });
      expect(ended).toMatchObject({ code: 10, stdout: '' });
      expect(errorOf(ended)).toMatchObject({
        code: 'server',
        status: 200,
        message: expect.stringContaining('larger than the 16 MiB that are read as JSON'),
      });
    }
  },
);
