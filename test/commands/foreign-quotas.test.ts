import { describe, expect, it } from 'vitest';
import { foreignService } from '../support/foreign-service.js';
import { runCli } from '../support/run-cli.js';

describe('quotas that cannot be read', () => {
  const read = async (body: unknown, line: string) => {
    const create = () => ({ status: 201, body: { id: 1 } });
    const { env } = await foreignService({ quotas: { body }, create });
    return runCli(line.split(' '), { env });
  };
  const connections = { limit: 10, used: 1 };

  it('are named beside others, and count for --fail-over and --kind', async () => {
    const body = { teams: { limit: 10 }, connections };
    const plain = await read(body, 'quotas');
    expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('connections') });
    expect(plain.stderr).toContain('the quota of teams cannot be read');
    const shown = { teams: { limit: 10 }, connections: { ...connections, remaining: 9 } };
    expect(JSON.parse((await read(body, 'quotas -o json')).stdout)).toEqual(shown);
    expect((await read(body, 'quotas --fail-over 90')).code).toBe(10);
    expect((await read(body, 'quotas --fail-over 5')).code).toBe(13);
    expect((await read(body, 'quotas --kind teams')).code).toBe(10);
    const other = await read(body, 'quotas --kind connections --fail-over 90');
    expect(other).toMatchObject({ code: 0, stderr: '' });
  });
});
