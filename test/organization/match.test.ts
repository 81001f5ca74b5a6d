import { describe, expect, it } from 'vitest';
import { teams } from '../../src/api/resources/team.js';
import type { OrganizationEntry } from '../../src/organization/declaration/organization-file.js';
import { match } from '../../src/organization/plan/match.js';

const world = (...names: string[]) => names.map((name, index) => ({ id: `team_${index}`, name }));

/** What each entry means, and what is wrong. */
function matched(entries: readonly OrganizationEntry[], names: readonly string[]) {
  const placed = entries.map((entry, index) => ({ resource: teams, entry, path: ['teams', index] }));
  const { matches, problems, rest } = match(teams, placed, world(...names));
  return {
    ids: matches.map(({ existing }) => existing?.id),
    problems: problems.map(({ path, what }) => `${path.join('.')} ${what}`),
    rest: rest.map(({ id }) => id),
  };
}

describe('an entry means', () => {
  const pinned = { name: 'x', id: 'team_0' };
  it.each<[string, OrganizationEntry[], string[], (string | undefined)[]]>([
    ['the resource of its name', [{ name: 'b' }], ['a', 'b'], ['team_1']],
    ['the resource of its ID, whatever its name', [{ name: 'x', id: 'team_1' }], ['a', 'b'], ['team_1']],
    ['no resource that another entry pins', [pinned, { name: 'a' }], ['a'], ['team_0', undefined]],
    ['the one that no other entry pins', [pinned, { name: 'a' }], ['a', 'a'], ['team_0', 'team_1']],
    ['no other than has an entry', [{ name: 'Ops' }, { name: 'ops' }], ['ops'], [undefined, 'team_0']],
    ['the one that it renames', [{ name: 'Ops', renamed_from: 'ops' }], ['ops'], ['team_0']],
    ['none that has only some of its characters', [{ name: 'a-11' }], ['a1-1', 'a11', 'a'], [undefined]],
    ['none of other symbols', [{ name: '🚀' }], ['🎉', '-'], [undefined]],
    ['the resource of its former name', [{ name: 'new', renamed_from: 'a' }], ['a'], ['team_0']],
  ])('%s', (_, entries, names, ids) => {
    expect(matched(entries, names)).toMatchObject({ ids, problems: [] });
  });

  it.each<[string, OrganizationEntry[], string[], string]>([
    ['several', [{ name: 'a' }], ['a', 'a'], 'teams.0.name 2 teams have this name: team_0, team_1'],
    ['an unknown ID', [{ name: 'a', id: 'team_9' }], ['a'], 'teams.0.id team team_9 not found'],
    [
      'a former name that another entry has',
      [{ name: 'b', renamed_from: 'a' }, { name: 'a' }],
      ['a'],
      'teams.0.renamed_from the name of teams[1]; pin both by their ids instead',
    ],
    [
      'both of its names',
      [{ name: 'b', renamed_from: 'a' }],
      ['a', 'b'],
      'teams.0.renamed_from both exist: team_1 with the new name, and team_0',
    ],
    [
      'a name taken outside',
      [{ name: 'b', id: 'team_0' }],
      ['a', 'b'],
      'teams.0.name team_1 already has this name',
    ],
  ])('%s: it is refused', (_, entries, names, problem) => {
    expect(matched(entries, names).problems).toEqual([expect.stringContaining(problem)]);
  });
});
