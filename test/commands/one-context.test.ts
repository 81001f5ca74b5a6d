import { describe, expect, it } from 'vitest';
import { emptyEnvironment, runCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { connections, fileOf } from './support/connection-entries.js';

const skewNotes = (stderr: string) => stderr.match(/signing with the service.s clock/g)?.length;

describe('the clock of a service is corrected, and told, once by a command', () => {
  const service = useService({ clockOffset: 3_600_000 });

  it('that sends several kinds of requests', async () => {
    const { control } = service.server;
    await control.journal.clear();
    const create = ['connections', 'create', '--file', fileOf(connections(2)), '--skip-existing'];
    const ended = await runCli(create, { env: service.environment() });
    expect([ended.code, skewNotes(ended.stderr)]).toEqual([0, 1]);
    const statuses = (await control.journal.get()).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(1);
  });

  it('that has several keys', async () => {
    const env = emptyEnvironment();
    const admin = service.environment({ ORGCTL_CONFIG_DIR: env['ORGCTL_CONFIG_DIR'] });
    await runCli(['api-keys', 'create', '--name', 'old', '--save-profile', 'prod'], { env: admin });
    await runCli(['profile', 'use', 'prod'], { env });
    const ended = await runCli(['api-keys', 'rotate'], { env });
    expect([ended.code, skewNotes(ended.stderr)]).toEqual([0, 1]);
  });
});
