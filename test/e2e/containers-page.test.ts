import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from '../../src/api/schema/schema.js';
import { orgctl, useToolOnPath } from '../support/built-tool.js';
import { codeBlock } from '../support/pages.js';
import { isMissing } from '../support/programs.js';
import { emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';

const directory = useToolOnPath();
const page = 'docs/guides/containers.md';
const run = promisify(execFile);

const composeSchema = z.object({
  services: z.object({
    orgctl: z.object({ command: z.string(), healthcheck: z.object({ test: z.array(z.string()) }) }),
    client: z.object({ command: z.array(z.string()), environment: z.record(z.string(), z.string()) }),
  }),
});

let compose: z.infer<typeof composeSchema>['services'];
beforeAll(() => {
  compose = z.parse(composeSchema, parse(codeBlock(page, 'services:'))).services;
});

/** Runs a shell's script with `orgctl` on its path. */
function shell(script: string, env: Record<string, string | undefined>) {
  return run('sh', ['-ec', script], { env: { ...env, PATH: `${directory}:${process.env['PATH']}` } });
}

/** Starts `serve` as a container would, with /data elsewhere and on a free port. */
async function start(line: readonly string[], data: string) {
  const args = line.map((word) => word.replace('/data', data));
  const env = { ...emptyEnvironment(), PATH: process.env['PATH'] };
  const [program, ...first] = orgctl;
  const child = spawn(program, [...first, ...args, '--port', '0', '-o', 'json'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line1] = await once(child.stdout, 'data');
  const ready = z.parse(z.object({ url: z.string(), controlToken: z.string() }), JSON.parse(String(line1)));
  return { ready, child, env };
}

it.skipIf(isMissing('curl'))(
  'the server of the compose file serves its client, is healthy, and is steered under its name',
  async () => {
    const data = temporaryDirectory();
    const { ready, child, env } = await start(compose.orgctl.command.split(' '), data);
    const [, , , health = ''] = compose.orgctl.healthcheck.test;
    await run(process.execPath, ['-e', health.replaceAll('/data', data)]);

    const script = compose.client.command.join('\n').replaceAll('$$', '$').replaceAll('/data', data);
    const { ORGCTL_BASE_URL: address = '', ORGCTL_CA_FILE: caFile = '' } = compose.client.environment;
    const client = {
      ...env,
      ORGCTL_BASE_URL: address.replace('https://orgctl:8443', ready.url),
      ORGCTL_CA_FILE: caFile.replace('/data', data),
    };
    const field = script.replaceAll('node -p', `${process.execPath} -p`);
    expect((await shell(field, client)).stdout).toContain('api-keys');

    const { port } = new URL(ready.url);
    const call = codeBlock(page, 'curl ')
      .replaceAll('/data', data)
      .replace('curl', `curl -sS --connect-to orgctl:8443:127.0.0.1:${port}`);
    const clock = await shell(call, { ...env, TOKEN: ready.controlToken });
    expect(JSON.parse(clock.stdout)).toMatchObject({ offset: 0 });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([143, null]);
  },
);

it('the image starts a server, and ends it on SIGTERM', async () => {
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(codeBlock(page, 'FROM ')) ?? [];
  const { child } = await start(z.parse(z.array(z.string()), JSON.parse(command)), temporaryDirectory());
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([143, null]);
});
