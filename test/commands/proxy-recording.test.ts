import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService({ quotas: { teams: 100 } });
const node = process.execPath;

function newPath(): string {
  return join(temporaryDirectory(), 'calls.jsonl');
}

/** Calls the proxy as a client that knows the key. */
function script(targets: readonly string[]): string {
  const { keyId, secret } = service.server;
  const authorization = `Basic ${Buffer.from(`${keyId}:${secret}`).toString('base64')}`;
  return `
    (async () => {
      for (const target of ${JSON.stringify(targets)})
        await (await fetch(process.env.ORGCTL_BASE_URL + target, { headers: { authorization: '${authorization}' } })).text();
      const body = JSON.stringify({ name: 'b', config: { password: 'hunter2-hunter2' } });
      await fetch(process.env.ORGCTL_BASE_URL + '/connections', { method: 'POST', body, headers: { authorization: '${authorization}', 'content-type': 'application/json' } });
    })();`;
}

async function record(
  flags: readonly string[],
  targets: readonly string[] = ['/teams', '/teams?limit=1', '/quotas'],
) {
  return runCli(['proxy', ...flags, '--', node, '-e', script(targets)], { env: service.environment() });
}

describe('proxy --record', () => {
  it.skipIf(process.platform === 'win32')('writes through nothing that is there already', async () => {
    const file = newPath();
    const other = newPath();
    writeFileSync(other, 'mine', { mode: 0o644 });
    const places: Readonly<Record<string, () => unknown>> = {
      'a link to a file': () => symlinkSync(other, file),
      'a link to nothing': () => symlinkSync(`${other}.new`, file),
      'a pipe': () => execFileSync('mkfifo', [file]),
      'a directory': () => mkdirSync(file),
      'a file that others may write': () => {
        writeFileSync(file, 'mine');
        chmodSync(file, 0o666);
      },
    };
    for (const [what, make] of Object.entries(places)) {
      make();
      const before = lstatSync(file);
      const refused = {
        code: 2,
        stderr: expect.stringContaining(`cannot record to ${file}: it already exists`),
      };
      expect(await record(['--record', file]), what).toMatchObject(refused);
      const { ino, size, mode } = lstatSync(file);
      expect({ ino, size, mode }, what).toEqual({ ino: before.ino, size: before.size, mode: before.mode });
      rmSync(file, { recursive: true });
    }
    expect(readFileSync(other, 'utf8')).toBe('mine');
    expect(existsSync(`${other}.new`)).toBe(false);
  });
});
