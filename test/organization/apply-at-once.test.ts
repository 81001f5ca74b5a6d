import { describe, expect, it } from 'vitest';
import { apply, listed, organization, teams } from '../commands/support/organization.js';
import type { Passage } from '../commands/support/relay.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli, startCli } from '../support/run-cli.js';
import { relayedService } from './support/organization-service.js';

const names = (rows: readonly Record<string, unknown>[]) => rows.map(({ name }) => name);

describe('a run beside another that makes the same, stopped', () => {
  const file = organization({ teams: teams(2) });

  /** A run with room for one team beside the other run's `team-0`: it creates its own before it is stopped. */
  async function stopped(passage: Pick<Passage, 'before'> & { onMade?: () => void } = {}) {
    let endMaking: () => void = () => undefined;
    const made = new Promise<void>((resolve) => {
      endMaking = resolve;
    });
    const relayed = await relayedService(
      {
        before: async (call, request) => {
          if (call !== 'POST /teams') return passage.before?.(call, request);
          if (String(request.body).includes('team-1')) await made;
          else await runCli(['teams', 'create', '--name', 'team-0'], { env: relayed.direct });
          return undefined;
        },
        after: (call) => {
          if (call !== 'POST /teams') return undefined;
          passage.onMade?.();
          endMaking();
          return undefined;
        },
      },
      { quotas: { teams: 2 } },
    );
    return relayed;
  }

  it('by a full quota, takes its own back, and the same command continues', async () => {
    const { env, direct } = await stopped();
    const { ended, rows } = await apply(file, env);
    expect(ended.code).toBe(12);
    expect(rows).toMatchObject([
      { name: 'team-0', result: 'created' },
      { name: 'team-1', result: 'failed', code: 'quota_exceeded' },
      { name: 'team-0', id: rows[0]?.['id'], result: 'undone' },
    ]);
    expect(ended.stderr).toContain('2 changes: 1 failed, 1 undone');
    expect((await apply(file, direct)).rows).toMatchObject([{ name: 'team-1', result: 'created' }]);
    expect(names(await listed('teams', direct)).sort()).toEqual(names(teams(2)));
  });

  it('and unable to take its own back, names both', async () => {
    const { env, direct } = await stopped({
      before: (call) => (call.startsWith('DELETE') ? httpAnswer(403, { message: 'no' }) : undefined),
    });
    const { ended, rows } = await apply(file, env);
    const ids = (await listed('teams', direct)).map(({ id }) => id);
    expect(rows.at(-1)).toMatchObject({ name: 'team-0', result: 'failed', code: 'forbidden' });
    expect(ended.stderr).toContain(`2 teams are now named \\"team-0\\": ${ids.join(', ')}`);
  });

  it('by Ctrl-C, leaves both, which the next run names', async () => {
    let stop = () => false;
    const { env, direct } = await stopped({ onMade: () => stop() });
    const { system, ended } = startCli(['apply', '-', '--yes', '-o', 'json'], { env, stdin: file });
    stop = () => system.raise('SIGINT');
    expect((await ended).code).toBe(130);
    const both = (await listed('teams', direct)).map(({ id }) => id).join(', ');
    const next = await apply(file, direct, '--prune=all');
    expect(next.ended).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(next.ended)['message']).toContain(`2 teams have this name: ${both}; pin the right one`);
  });
});
