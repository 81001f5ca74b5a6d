import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileOf } from '../commands/support/connection-entries.js';
import { apply, entry, listed, organization } from '../commands/support/organization.js';
import { errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { marked, other, useOrganizationService } from './support/organization-service.js';

const { service, environment } = useOrganizationService();

describe('--no-commands', () => {
  const command = 'touch /tmp/never';

  it.each([
    ['connections[0].config.password', { connections: [entry('a', { password: { command } })] }],
    ['connections[0].config.a[0].b', { connections: [other({ a: [{ b: marked({ command }) }] })] }],
    ['api-keys[0].secret_to', { 'api-keys': [{ name: 'k', secret_to: { command } }] }],
  ])('refuses a command in %s, before the service is asked', async (place, kinds) => {
    const env = environment();
    await service.server.control.journal.clear();
    const { ended } = await apply(organization(kinds), env, '--no-commands');
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(ended)['message']).toContain(`${place}: is a command, which --no-commands forbids`);
    expect(await service.server.control.journal.get()).toEqual([]);
  });

  it('refuses one that this run would not run, and with a saved plan', async () => {
    const env = environment();
    await apply(organization({ connections: [entry('a')] }), env);
    const path = fileOf(organization({ connections: [entry('a', { password: { command } })] }), 'org.yaml');
    const plan = join(temporaryDirectory(), 'plan.json');
    expect(await runCli(['diff', path, '--set-secrets', '--out', plan], { env })).toMatchObject({ code: 0 });
    for (const more of [['--yes'], ['--plan', plan]]) {
      const ended = await runCli(['apply', path, '--no-commands', ...more], { env });
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--no-commands forbids') });
    }
  });

  it('takes data of the same shape, and other references', async () => {
    const connections = [entry('a', { options: { command } }), other({ command, hook: { command } })];
    const file = organization({ connections });
    const { ended } = await apply(file, environment(), '--no-commands');
    expect(ended.code).toBe(0);
    expect(await listed('connections', environment())).toHaveLength(2);
  });
});

describe('a saved plan', () => {
  it('has the commands and files, and no secret; what it shows is run once it is applied', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'token'), 'topsecret\n');
    const command = `echo ran >> ${join(directory, 'ran')}; echo topsecret`;
    const path = join(directory, 'org.yaml');
    const connections = [entry('a', { password: { command }, token: marked({ file: './token' }) })];
    writeFileSync(path, organization({ connections }));
    const plan = join(directory, 'plan.json');
    const env = environment();
    await runCli(['diff', path, '--out', plan], { env });
    const saved = readFileSync(plan, 'utf8');
    expect(saved).not.toContain('topsecret\n');
    expect(JSON.parse(saved).changes).toMatchObject([
      { secrets: [{ from: { command } }, { from: { file: './token' } }] },
    ]);
    expect(existsSync(join(directory, 'ran'))).toBe(false);
    const ended = await runCli(['apply', path, '--plan', plan], { env });
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining(`from command ${command}`) });
    expect(readFileSync(join(directory, 'ran'), 'utf8')).toBe('ran\n');
  });

  it('is refused with other commands in it, and runs none of them', async () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'org.yaml');
    writeFileSync(path, organization({ connections: [entry('a', { password: { command: 'echo x' } })] }));
    const plan = join(directory, 'plan.json');
    const env = environment();
    await runCli(['diff', path, '--out', plan], { env });
    const ran = join(directory, 'ran');
    writeFileSync(plan, readFileSync(plan, 'utf8').replace('echo x', `touch ${ran}`));
    expect(await runCli(['apply', path, '--plan', plan], { env })).toMatchObject({ code: 14 });
    expect(existsSync(ran)).toBe(false);
  });
});
