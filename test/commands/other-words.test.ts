import { describe, expect, it } from 'vitest';
import { errorOf, runCli } from '../support/run-cli.js';

describe('a word of another tool', () => {
  it.each([
    ['login', 'orgctl profile add'],
    ['config', 'orgctl whoami'],
    ['conn', 'orgctl connections list'],
    ['quotas --format json', 'the format is -o: table, json'],
    ['teams describe x', 'orgctl teams get x'],
    ['ls', 'orgctl connections list'],
    ['rm team ops', 'orgctl teams delete --help'],
    ['get team ops', 'orgctl teams get ops'],
    ['secret', 'orgctl local key prints'],
    ['teams delete x --dry-run', 'diff shows'],
    ['teams delete -f x', 'it asks first; for scripts: orgctl teams delete --help'],
    ['teams create -f teams.yaml', 'to read a file: --file FILE'],
    ['apply -f org.yaml', 'pass the file without -f: orgctl apply FILE'],
    ['teams create ops', 'orgctl teams create --name ops'],
    ['teams list ops', 'orgctl teams get ops'],
  ])('is answered with ours: %s', async (line, hint) => {
    const ended = await runCli([...line.split(' '), '-o', 'json']);
    expect(ended.code).toBe(2);
    expect(errorOf(ended)['hint']).toContain(hint);
  });
});

it.each(['teams delte x', 'local rest', 'local keys revok x', 'profile remov x'])(
  'leads nobody by a suggestion to what cannot be undone: %s',
  async (line) => {
    const ended = await runCli([...line.split(' '), '-o', 'json']);
    expect(ended.code).toBe(2);
    expect(errorOf(ended)['hint']).toMatch(/^one of /);
  },
);
