import { describe, expect, it } from 'vitest';
import { foreignService } from '../support/foreign-service.js';
import { runCli } from '../support/run-cli.js';

const list = () => ({ body: [{ id: 'team_1', name: 'a' }] });
const remove = ['teams', 'delete', 'team_1', '--yes'];

describe('a deletion that is refused', () => {
  it('with 409 is not a matter of names', async () => {
    const { env } = await foreignService({ list, change: () => ({ status: 409, body: { message: 'no' } }) });
    const stderr = expect.stringContaining('may still use it; look at it: orgctl teams get team_1 ');
    expect(await runCli(remove, { env })).toMatchObject({ code: 14, stderr });
  });

  it('with 410 says that the resource is gone, which a pruning apply wants', async () => {
    const change = () => ({ status: 410, body: { message: 'Gone' } });
    const { env } = await foreignService({ list, change });
    const stderr = expect.stringContaining('it no longer exists');
    expect(await runCli(remove, { env })).toMatchObject({ code: 14, stderr });
    const stdin = 'version: 1\nteams: []\n...\n';
    const applied = await runCli(['apply', '-', '--yes', '--prune=all', '-o', 'json'], { env, stdin });
    expect(applied.code).toBe(0);
    expect(JSON.parse(applied.stdout)).toMatchObject([{ id: 'team_1', result: 'deleted' }]);
  });
});

it('a deletion that was only promised is done when the look at it gets 410', async () => {
  const { env } = await foreignService({ change: () => ({ status: 202 }), get: () => ({ status: 410 }) });
  expect((await runCli(remove, { env })).code).toBe(0);
});
