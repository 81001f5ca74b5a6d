import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ServerOptions, startServer } from '../../src/server/index.js';
import { tokenOf, Visitor } from '../server/support/visitor.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { startServe } from './support/serve.js';

/** Runs a command against a server on a data directory of its own. */
async function steered(options: ServerOptions, run: (data: string) => Promise<void>): Promise<void> {
  const data = temporaryDirectory();
  const server = await startServer({ data, http: true, ...options });
  try {
    await run(data);
  } finally {
    await server.close();
  }
}

/** A browser to be: what it was started with, a line each. */
function browser(exit = 0) {
  const directory = temporaryDirectory();
  const program = join(directory, 'xdg-open');
  const seen = join(directory, 'seen');
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > ${seen}\nenv >> ${seen}\nexit ${exit}\n`);
  chmodSync(program, 0o755);
  const env = {
    ...emptyEnvironment(),
    ORGCTL_SECRET: 'a secret',
    PATH: `${directory}:${process.env['PATH']}`,
  };
  return { env, platform: 'linux' as const, seen: () => readFileSync(seen, 'utf8') };
}

describe('local console', () => {
  it('prints an address that lets a browser in', async () => {
    await steered({ console: true }, async (data) => {
      const { code, stdout, stderr } = await runCli(['local', 'console', '--data', data]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const address = stdout.trimEnd();
      const { origin } = new URL(address);
      expect((await new Visitor({ console: origin }).enter(address)).status).toBe(200);
      const asJson = await runCli(['local', 'console', '--data', data, '-o', 'json']);
      expect(JSON.parse(asJson.stdout)).toEqual({ console: expect.stringContaining(`${origin}/#t=`) });
      // The file says where it is, and no token.
      const file = readFileSync(join(data, 'server.json'), 'utf8');
      expect(JSON.parse(file)).toMatchObject({ console: origin });
      expect((await runCli(['local', 'status', '--data', data])).stdout).toContain(
        `CONSOLE       ${origin}\n`,
      );
    });
  });

  it('opens it with --open by an address without a secret, and hands on no credentials', async () => {
    await steered({ console: true }, async (data) => {
      const { seen, ...options } = browser();
      const { code, stdout, stderr } = await runCli(['local', 'console', '--open', '--data', data], options);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('asks for the code') });
      const [address = '', typed = ''] = stdout.split(/\ncode: |\n$/);
      expect(seen().split('\n')[0]).toBe(address);
      // All that its arguments and environment tell is where the console is.
      expect(address).toBe(`${new URL(address).origin}/`);
      expect(seen()).not.toContain(typed);
      expect(seen()).not.toContain('ORGCTL_');
      const visitor = new Visitor({ console: address });
      expect((await visitor.send('POST', '/session', { token: '' })).status).toBe(401);
      expect((await visitor.send('POST', '/session', { token: typed })).status).toBe(200);
    });
  });

  it('says when no browser can be opened, and prints the address all the same', async () => {
    await steered({ console: true }, async (data) => {
      const failing = await runCli(['local', 'console', '--open', '--data', data], browser(3));
      expect(failing).toMatchObject({ code: 0, stdout: expect.stringContaining('code: ') });
      expect(failing.stderr).toContain('xdg-open failed (exit 3): open the address yourself');
      const env = { ...emptyEnvironment(), PATH: temporaryDirectory() };
      const none = await runCli(['local', 'console', '--open', '--data', data], { env, platform: 'linux' });
      expect(none.stderr).toContain('xdg-open cannot be run (ENOENT)');
      const asJson = ['local', 'console', '--open', '-o', 'json', '--data', data];
      const { stdout, stderr } = await runCli(asJson, browser(3));
      expect(JSON.parse(stdout)).toMatchObject({ code: expect.any(String) });
      for (const line of stderr.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('note');
    });
  });

  it('says so where there is no console, and where there is no server: exit 3', async () => {
    const data = temporaryDirectory();
    const none = await runCli(['local', 'console', '--data', data]);
    expect(none).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('no server runs') });
    await steered({}, async (data) => {
      const off = await runCli(['local', 'console', '--data', data]);
      expect(off).toMatchObject({ code: 3, stdout: '' });
      expect(off.stderr).toContain('has no management console');
      expect(off.stderr).toContain('--console-port');
    });
  });
});

describe('serve', () => {
  it('says in the ready line where the console is, with a token', async () => {
    const { ready, stop } = await startServe(['--ephemeral', '--http', '--console-port', '0']);
    const { origin } = new URL(String(ready.console));
    expect((await new Visitor({ console: origin }).enter(ready.console)).status).toBe(200);
    const { stderr } = await stop();
    expect(stderr).not.toContain(tokenOf(ready.console));
  });

  it('keeps a key that is issued in the console as a profile, and never in the place of another', async () => {
    const env = emptyEnvironment();
    const { ready, stop } = await startServe(['--ephemeral', '--console-port', '0'], env);
    const visitor = new Visitor({ console: ready.console });
    await visitor.enter(ready.console);
    const issued = await visitor.send('POST', '/_control/keys', { name: 'ci' });
    const { id: keyId, secret } = JSON.parse(issued.text);
    const keep = (name: string) => visitor.send('POST', '/_control/profiles', { name, keyId, secret });
    expect((await keep('ci')).status).toBe(201);
    const used = await runCli(['whoami', '-p', 'ci', '-o', 'json'], { env });
    expect(used.stdout).toContain(keyId);
    expect((await runCli(['quotas', '-p', 'ci'], { env })).code).toBe(0);
    expect((await keep('ci')).status).toBe(409);
    const wrong = await keep('no name');
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('is not a profile name')]);
    await stop();
  });

  it.each([
    [['--no-console', '--console-port', '0'], 'cannot be combined'],
    [['--console-port', 'x'], '--console-port x: not a port'],
  ])('refuses %j', async (flags, message) => {
    const ended = await runCli(['serve', '--ephemeral', '--port', '0', ...flags]);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});
