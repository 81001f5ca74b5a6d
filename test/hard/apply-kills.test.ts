import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orgctl } from '../support/built-tool.js';
import { entry, listed, organization, teams } from '../support/organization.js';
import { runCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { printedSeed, randomNumbers, rounds } from './support/budget.js';
import { runKilled } from './support/run-killed.js';

const service = useService({ quotas: { 'api-keys': 1000, connections: 1000, teams: 1000 } });

type Env = Record<string, string | undefined>;

const run = async (args: readonly string[], env: Env, after?: number) =>
  (await runKilled([...orgctl, ...args], { env, after })).code;

const hasSecret = (path: string) => existsSync(path) && readFileSync(path, 'utf8') !== '';

it('kill -9 of apply loses at most the secret of a key: the same command then creates each missing resource once', async () => {
  const random = randomNumbers(printedSeed('kills of an apply'));
  const env: Env = service.environment({ APP_DB_PASSWORD: 'hunter2' });
  const directory = temporaryDirectory();
  const fileOf = (round: number) => {
    const keys = ['a', 'b'].map((name) => ({
      name: `${name}${round}`,
      secret_to: { file: `./${name}${round}` },
    }));
    const connections = Array.from({ length: 20 }, (_, at) => entry(`app-${at}`, { port: 1000 + round }));
    const path = join(directory, 'org.yaml');
    writeFileSync(path, organization({ teams: teams(20 + round), connections, 'api-keys': keys }));
    return path;
  };
  const { code, took } = await runKilled([...orgctl, 'apply', fileOf(0), '--yes'], { env });
  expect(code).toBe(0);
  for (let round = 1; round <= rounds(20, 2); round += 1) {
    const args = ['apply', fileOf(round), '--yes'];
    for (let kill = 0; kill < 3; kill += 1) await run(args, env, took * (0.2 + random()));
    expect(await run(args, env)).toBe(0);
    // A key whose secret was never stored is deleted by hand.
    const unstored = [`a${round}`, `b${round}`].filter((name) => !hasSecret(join(directory, name)));
    for (const name of unstored) {
      rmSync(join(directory, name), { force: true });
      expect(await run(['api-keys', 'delete', name, '--yes'], env)).toBe(0);
    }
    if (unstored.length > 0) expect(await run(args, env)).toBe(0);
    const [madeTeams, connections] = [await listed('teams', env), await listed('connections', env)];
    expect(new Set(madeTeams.map(({ name }) => name)).size).toBe(madeTeams.length);
    expect(madeTeams).toHaveLength(20 + round);
    expect(connections).toHaveLength(20);
    expect(connections.every(({ config }) => Object(config).port === 1000 + round)).toBe(true);
    const keys = await listed('api-keys', env);
    for (const name of [`a${round}`, `b${round}`]) {
      const [key, ...more] = keys.filter((one) => one['name'] === name);
      expect(more).toEqual([]);
      const own = {
        ...env,
        ORGCTL_KEY_ID: String(key?.['id']),
        ORGCTL_SECRET: readFileSync(join(directory, name), 'utf8'),
      };
      expect(await runCli(['quotas'], { env: own })).toMatchObject({ code: 0 });
    }
    expect(await run(['diff', join(directory, 'org.yaml'), '--exit-code'], env)).toBe(0);
  }
});
