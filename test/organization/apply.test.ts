import { describe, expect, it } from 'vitest';
import { apply, listed, organization, rowsOf, teams } from '../commands/support/organization.js';
import { startCli } from '../support/run-cli.js';
import { relayedService, useOrganizationService } from './support/organization-service.js';

const { service, environment } = useOrganizationService();

const names = (rows: readonly Record<string, unknown>[]) => rows.map(({ name }) => name);

describe('what goes wrong on the way', () => {
  it.each([
    ['carried out is found by the next run', 'POST /teams=drop-answerx2'],
    ['lost on the way is sent by the next run', 'POST /teams=dropx2'],
  ] as const)('a creation %s, and never sent again by the same run', async (_what, fault) => {
    const env = environment();
    await service.server.control.faults.set([fault]);
    const { ended, rows } = await apply(organization({ teams: teams(3) }), env);
    expect(ended.code).toBe(12);
    expect(rows.map(({ result }) => result).sort()).toEqual([
      'created',
      'outcome unknown',
      'outcome unknown',
    ]);
    expect(await service.server.control.journal.count({ method: 'POST' })).toBe(3);
    expect((await apply(organization({ teams: teams(3) }), env)).ended.code).toBe(0);
    expect(names(await listed('teams', env)).sort()).toEqual(names(teams(3)));
  });

  it('Ctrl-C leaves a row for everything: done, not known, not tried', async () => {
    let posts = 0;
    let stop = () => false;
    const after = (call: string) => {
      if (call !== 'POST /teams' || ++posts !== 12) return undefined;
      stop();
      return 'drop' as const;
    };
    const { env } = await relayedService({ after }, { quotas: { teams: 100 } });
    const file = organization({ teams: teams(60) });
    const { system, ended } = startCli(['apply', '-', '--yes', '-o', 'json'], { env, stdin: file });
    stop = () => system.raise('SIGINT');
    const end = await ended;
    expect(end.code).toBe(130);
    const rows = rowsOf(end);
    expect(rows).toHaveLength(60);
    const results = new Set(rows.map(({ result }) => result));
    expect(results).toEqual(new Set(['created', 'outcome unknown', 'not tried']));
    expect((await apply(file, env)).ended.code).toBe(0);
    expect(names(await listed('teams', env)).sort()).toEqual(names(teams(60)).sort());
  });
});
