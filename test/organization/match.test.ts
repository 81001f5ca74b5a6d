import { describe, expect, it } from 'vitest';
import { teams } from '../../src/api/resources/team.js';
import type { OrganizationEntry } from '../../src/organization/declaration/organization-file.js';
import { match } from '../../src/organization/plan/match.js';

const world = (...names: string[]) => names.map((name, index) => ({ id: `team_${index}`, name }));

/** What each entry means, and what is wrong. */
function matched(entries: readonly OrganizationEntry[], names: readonly string[], isPruned = false) {
  const placed = entries.map((entry, index) => ({ resource: teams, entry, path: ['teams', index] }));
  const { matches, problems, rest } = match(teams, placed, world(...names), () => isPruned);
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
    [
      'nothing in another’s former place',
      [{ name: 'b', renamed_from: 'a' }, { name: 'a' }],
      ['a'],
      ['team_0', undefined],
    ],
  ])('%s', (_, entries, names, ids) => {
    expect(matched(entries, names)).toMatchObject({ ids, problems: [] });
  });

  it.each<[string, OrganizationEntry[], string[], string]>([
    ['several', [{ name: 'a' }], ['a', 'a'], 'teams.0.name 2 teams have this name: team_0, team_1'],
    ['an unknown ID', [{ name: 'a', id: 'team_9' }], ['a'], 'teams.0.id team team_9 not found'],
    [
      'what another means',
      [pinned, { ...pinned, name: 'y' }],
      ['a'],
      'teams.1 refers to team_0, as teams[0] does',
    ],
    [
      'both of its names',
      [{ name: 'b', renamed_from: 'a' }],
      ['a', 'b'],
      'teams.0.renamed_from both exist: team_1 with the new name, and team_0',
    ],
    [
      'a form of its name',
      [{ name: ' My  Téam! ' }, { name: 'b' }],
      ['my-team', 'b'],
      'teams.0.name may be "my-team" (team_0): write that name here or in renamed_from; if that is a different team, give',
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

  it.each([[['a', 'b']], [['a', 'b', 'c']]])('names that are swapped: they are refused: %j', (names) => {
    const entries = names.map((name, at) => ({ name, renamed_from: names[(at + 1) % names.length] ?? '' }));
    const [first, ...others] = matched(entries, names).problems;
    expect(first).toBe(`teams.0.renamed_from ${names.join(', ')} swap names; pin each by its id instead`);
    expect(others).toHaveLength(names.length - 1);
    expect(matched(entries.slice(1), ['a']).problems).toEqual([]);
  });

  it.each([
    [['b', 'c', 'd'], { a: 'b', b: 'c', c: 'd' }],
    [['a', 'c', 'd'], { a: 'a', b: 'c', c: 'd' }],
    [['a', 'b', 'd'], { a: 'a', b: 'b', c: 'd' }],
    [['a', 'b', 'c'], { a: 'a', b: 'b', c: 'c' }],
  ])('a chain of renames at %j means the same in any order of the file', (existing, meant) => {
    const [a, b, c] = ['ab', 'bc', 'cd'].map(([name = '', former]) => ({ name, renamed_from: former }));
    if (a === undefined || b === undefined || c === undefined) throw new Error('no chain');
    for (const entries of [
      [a, b, c],
      [a, c, b],
      [b, a, c],
      [b, c, a],
      [c, a, b],
      [c, b, a],
    ]) {
      const { ids, problems } = matched(entries, existing);
      const found = entries.map(({ name }, at) => [name, existing[Number(ids[at]?.slice('team_'.length))]]);
      expect([Object.fromEntries(found), problems]).toEqual([meant, []]);
    }
  });

  it('a name that is taken by what --prune deletes', () => {
    const result = { ids: ['team_0'], problems: [], rest: ['team_1'] };
    expect(matched([{ name: 'b', id: 'team_0' }], ['a', 'b'], true)).toEqual(result);
  });
});
