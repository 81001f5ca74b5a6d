import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { issueCertificates } from '../../src/server/certificate/issue.js';
import { useToolOnPath } from '../support/built-tool.js';
import { useDatabase } from '../support/databases.js';
import { codeBlock } from '../support/pages.js';
import { runProcess } from '../support/run-built-tool.js';
import { emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';

const page = 'docs/guides/scaling.md';
const database = useDatabase();
const directory = useToolOnPath();

/** Starts a server by a script that ends with it, up to its ready line, and stops it. */
async function startsAndStops(script: string, env: Record<string, string>): Promise<{ keyId: string }> {
  const child = spawn('bash', ['-ec', script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [ready] = await once(createInterface(child.stdout), 'line');
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
  return JSON.parse(String(ready));
}

it('docs/guides/scaling.md has lines that start a server, give it another certificate and change its key', async () => {
  const place = temporaryDirectory();
  const url = await database.fresh();
  const file = (name: string, text: string) => {
    const path = join(place, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const { cert, key } = issueCertificates(new Date(), ['127.0.0.1']);
  file('service.pem', cert);
  file('service-key.pem', key);
  file('orgctl-master-key', 'a'.repeat(64));
  file('new-key', 'b'.repeat(64));
  const env = { ...emptyEnvironment(), PATH: `${directory}:${process.env['PATH']}` };
  const inPlace = (script: string) => script.replaceAll('/run/secrets', place);

  const settings = inPlace(codeBlock(page, 'createdb'))
    .replace(/^createdb.*\n/, '')
    .replace(/'postgres:[^']+'/, `'${url}'`)
    .replace(/\norgctl serve$/, '');
  expect(settings.split('\n')).toHaveLength(2);
  const flags = '--port 0 -o json';
  const first = await startsAndStops(`${settings}\nexec orgctl serve ${flags}`, env);

  const rotate = inPlace(codeBlock(page, 'ORGCTL_SERVE_NEW_MASTER_KEY='));
  const rotated = await runProcess('bash', ['-ec', `${settings}\n${rotate}`], { env });
  expect(rotated).toMatchObject({ code: 0 });

  const start = codeBlock(page, 'orgctl serve --host')
    .replace('--port 8443', flags)
    .replace(/ +#.*$/, '');
  const newKey = `export ORGCTL_SERVE_MASTER_KEY="$(cat ${place}/new-key)"`;
  const again = await startsAndStops(`${settings}\n${newKey}\ncd ${place}\nexec ${start}`, env);
  expect(again.keyId).toBe(first.keyId);
});
