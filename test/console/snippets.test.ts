import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languages, linesFor } from '../../src/console/keys/first-request.js';
import { nodeLines, pythonLines } from '../../src/console/snippets/program-lines.js';
import { orgctlLines, signedCurlLines } from '../../src/console/snippets/request-lines.js';
import { hereDocument } from '../../src/console/ui/shell.js';
import { useToolOnPath } from '../support/built-tool.js';
import { isMissing } from '../support/programs.js';
import { runProcess } from '../support/run-built-tool.js';
import { temporaryDirectory, withProfileFile } from '../support/run-cli.js';
import { useService } from '../support/service.js';

// What the console has to copy, pasted in bash. That its buttons copy this is in api.test.ts.

const toolOnPath = useToolOnPath();
const service = useService();

const forms = {
  'orgctl request': [orgctlLines, 'bin/orgctl request POST'],
  'signed curl': [signedCurlLines, 'bin/openssl dgst -sha256'],
  'Node.js': [nodeLines, 'bin/node --input-type=module'],
  Python: [pythonLines, 'bin/python3 -'],
} as const;
const programs = ['openssl', 'curl', 'od', 'tr', 'cut', 'date', 'cat', 'orgctl', 'node', 'python3'];

/** A directory for a PATH, whose programs note their arguments in `log` before they are the real ones. */
async function tellingPrograms(): Promise<{ bin: string; log: string }> {
  const directory = temporaryDirectory();
  const [bin, log] = [join(directory, 'bin'), join(directory, 'log')];
  await mkdir(bin);
  for (const name of programs) {
    const script = `#!/bin/bash\nprintf '%s\\n' "$0 $*" >> '${log}'\nPATH="\${PATH#*:}" exec ${name} "$@"\n`;
    await writeFile(join(bin, name), script, { mode: 0o755 });
  }
  return { bin, log };
}

const origin = () => {
  const { url, caFile, keyId } = service.server;
  return { url, caFile, keyId, profile: undefined };
};

/** Pastes lines in a bash that has the tool; what both the programs and curl print last is the body. */
async function paste(lines: string, env: Record<string, string | undefined> = {}, bin = toolOnPath) {
  const path = `${bin}:${toolOnPath}:${process.env['PATH']}`;
  const home = temporaryDirectory();
  const { code, stdout, stderr } = await runProcess('bash', ['-c', lines], {
    env: { PATH: path, HOME: home, ORGCTL_SECRET: service.server.secret, ...env },
  });
  const body = (stdout.split('\r\n\r\n').at(-1) ?? '').replace(/^\d+ /, '');
  return { code, stderr, body };
}

describe.skipIf(isMissing('bash', 'curl', 'python3')).each(Object.entries(forms))(
  'a request as %s',
  (_name, [toLines, ran]) => {
    it('is sent as it was typed, with no secret in any argument', async () => {
      const name = 'it\'s "quoted" $HOME `id` \\n !! %s – ünï 😀';
      const config = { host: 'db', port: 1, database: 'd', user: 'u', password: 'correct horse', ssl: true };
      const body = JSON.stringify({ name, type: 'pg', config }, null, 2);
      const { bin, log } = await tellingPrograms();
      const call = { method: 'POST', target: '/connections', body };
      const created = await paste(toLines(call, origin()), {}, bin);
      expect(created).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(created.body)).toMatchObject({ name });
      const told = readFileSync(log, 'utf8');
      expect(told).toContain(ran);
      const { secret } = service.server;
      // Not shown where one is found.
      for (const text of [secret, Buffer.from(secret).toString('hex'), 'correct horse']) {
        expect(told.includes(text)).toBe(false);
      }
    });

    it('is sent without a body, with any query', async () => {
      const target = `/teams?limit=${encodeURIComponent(" &'%é")}`;
      const { body, stderr } = await paste(toLines({ method: 'GET', target, body: '' }, origin()));
      expect(body + stderr).toContain('limit must be one integer from 1 to 100');
    });
  },
);

it.skipIf(isMissing('bash'))(
  'orgctl request takes address and key from a profile where there is one',
  async () => {
    const { url: baseUrl, caFile, keyId, secret } = service.server;
    const local = { baseUrl, caFile, keyId, secret };
    const profile = { ...withProfileFile({ version: 1, profiles: { local } }), ORGCTL_SECRET: undefined };
    const call = { method: 'GET', target: '/quotas', body: '' };
    const lines = orgctlLines(call, { ...origin(), profile: 'local' });
    expect(lines).toBe('orgctl request GET /quotas --profile local');
    expect(await paste(lines, profile)).toMatchObject({ code: 0 });
  },
);

it.skipIf(isMissing('bash', 'curl', 'python3')).each(languages)(
  'the first request in %s has its secret, and is accepted',
  async (language) => {
    const { secret } = service.server;
    const { body } = await paste(linesFor(language, { ...origin(), secret }), { ORGCTL_SECRET: undefined });
    expect(JSON.parse(body)).toHaveProperty('data.0.teams.limit', 20);
  },
);

it.skipIf(isMissing('bash'))('a here-document is not ended by a line of its text', async () => {
  const text = 'a $HOME\nEND\nEND_\n\\';
  const { stdout } = await runProcess('bash', ['-c', hereDocument('cat', text)]);
  expect(stdout).toBe(`${text}\n`);
});
