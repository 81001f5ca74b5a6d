import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { orgctl, useBuiltTool } from '../support/built-tool.js';
import { useDatabase } from '../support/databases.js';
import { emptyEnvironment } from '../support/run-cli.js';

useBuiltTool();
const database = useDatabase();

it('the built tool brings the driver of the shared database along', async () => {
  const url = new URL(await database.fresh());
  const env = {
    ...emptyEnvironment(),
    PATH: process.env['PATH'],
    PGPASSWORD: decodeURIComponent(url.password),
    ORGCTL_SERVE_MASTER_KEY: '5'.repeat(64),
  };
  url.password = '';
  const serve = (...command: string[]) =>
    promisify(execFile)(
      orgctl[0],
      [...orgctl.slice(1), 'serve', '-q', '--database', url.href, '--', ...orgctl, ...command],
      { env },
    );
  await serve('teams', 'create', '--name', 'kept');
  const { stdout } = await serve('teams', 'list', '-o', 'json', '--query', '[].name');
  expect(JSON.parse(stdout)).toEqual(['kept']);
});
