import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allCommands } from '../support/command-tree.js';
import { holdTimers } from '../support/hold-timers.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { emptyEnvironment, runCli, temporaryDirectory, withProfileFile } from '../support/run-cli.js';
import { scriptedService } from './support/scripted-service.js';

async function answers(words: readonly string[], env = emptyEnvironment()): Promise<string[]> {
  const { code, stdout, stderr } = await runCli(['__complete', '--', ...words], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.split('\n').slice(0, -1);
}

async function values(words: readonly string[], env?: Record<string, string>): Promise<string[]> {
  return (await answers(words, env)).map((line) => line.replace(/\t.*/, ''));
}

describe('what completes', () => {
  it('are all commands and options that help shows, and no hidden one', async () => {
    for (const { words, command } of (await allCommands()).filter(({ hidden }) => !hidden)) {
      const help = command.createHelp();
      const commands = help.visibleCommands(command).map((child) => child.name());
      if (commands.length > 0) expect(await values([...words, ''])).toEqual(commands);
      const flags = help.visibleOptions(command).map(({ long }) => long);
      expect(await values([...words, '--'])).toEqual(flags);
    }
  });
});

// completion-shells.test.ts runs it where PowerShell is; elsewhere a change of it has at least to be looked at.
it('completion has a script for PowerShell', async () => {
  const { stdout } = await runCli(['completion', 'powershell']);
  await expect(stdout).toMatchFileSnapshot('../golden/completion/orgctl.ps1');
});

describe('names and IDs of resources', () => {
  const listing = (names: readonly string[]) => () =>
    httpAnswer(
      200,
      Array.from(names, (name, at) => ({ id: `conn_${at}`, name })),
    );

  it('are those of the profile that is typed', async () => {
    const one = await scriptedService({ 'GET /teams': listing(['one']) });
    const two = await scriptedService({ 'GET /teams': listing(['two']) });
    const profile = (peer: { origin: string }) => ({ baseUrl: peer.origin, keyId: 'key_a', secret: 's' });
    const profiles = { one: profile(one.peer), two: profile(two.peer) };
    const env = withProfileFile({ version: 1, current: 'one', profiles });
    for (const words of [['-p', 'two'], ['--profile=two'], ['--profile', 'two']]) {
      expect(await values([...words, 'teams', 'get', 't'], env)).toEqual(['two']);
      expect(await values(['teams', 'get', ...words, 't'], env)).toEqual(['two']);
    }
    expect(await values(['teams', 'get', 'o'], env)).toEqual(['one']);
  });

  it('are none of a service that does not answer within a second', async () => {
    const { env, peer } = await scriptedService({ 'GET /api-keys': () => undefined });
    const passTime = holdTimers();
    const completed = values(['api-keys', 'disable', ''], env);
    await peer.received();
    passTime(1000);
    expect(await completed).toEqual([]);
  });

  it('are none without a service, and no secret command is run for them', async () => {
    expect(await values(['teams', 'get', ''])).toEqual([]);
    const touched = join(temporaryDirectory(), 'touched');
    const profile = { baseUrl: 'http://127.0.0.1:9', keyId: 'key_a', secretCommand: ['touch', touched] };
    const env = withProfileFile({ version: 1, current: 'a', profiles: { a: profile } });
    expect(await values(['teams', 'get', ''], env)).toEqual([]);
    expect(existsSync(touched)).toBe(false);
  });
});
