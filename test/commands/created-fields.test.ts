import { expect, it } from 'vitest';
import { foreignService } from '../support/foreign-service.js';
import { runCli } from '../support/run-cli.js';

const created = { id: 'team_1', name: 'a', updated_at: null };
const create = async (...options: string[]) => {
  const { env } = await foreignService({
    list: () => ({ body: [created] }),
    create: () => ({ status: 201, body: created }),
  });
  return runCli(['teams', 'create', '--name', 'a', ...options], { env });
};

it.each(['ID', '[id, data.name]', 'data[].id'])(
  'a creation whose response lacks what --query %s selects is not shown as null',
  async (query) => {
    const ended = await create('--query', query, '-r');
    expect(ended.code).toBe(10);
    expect(JSON.parse(ended.stdout)).toEqual(created);
    expect(ended.stderr).toContain('the request was carried out; its whole response is on stdout');
  },
);

it.each([
  ['id', 'team_1\n'],
  ['updated_at', 'null\n'],
])('a creation shows what --query %s selects', async (query, stdout) => {
  expect(await create('--query', query, '-r')).toMatchObject({ code: 0, stdout });
});
