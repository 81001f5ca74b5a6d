import { describe, expect, it } from 'vitest';
import { emptyEnvironment, runCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { connections, fileOf } from './support/connection-entries.js';
import { type Answer, pageAnswer, pageOf, scriptedService } from './support/scripted-service.js';

const service = useService({ quotas: { connections: 250 } });

/** Connections whose IDs begin with a number of their own. */
function items(page: number, count = 2) {
  return Array.from({ length: count }, (_, index) => ({ id: `${page}-${index}`, name: `c${page}-${index}` }));
}

async function listing(answer: Answer, args: readonly string[] = ['--all']) {
  const { env, peer } = await scriptedService({ 'GET /connections': answer });
  const ended = await runCli(['connections', 'list', '-o', 'jsonl', ...args], { env });
  const lines = ended.stdout.split('\n').slice(0, -1);
  return { ended, targets: peer.requests.map(({ target }) => target), lines };
}

describe('connections list', () => {
  const list = (line: string) =>
    runCli(['connections', 'list', ...line.split(' ')], { env: service.environment() });

  it('of none is [], and on a table a word on stderr', async () => {
    for (const line of ['-o json', '--all -o json']) {
      expect(await list(line)).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
    }
    expect(await list('-o table')).toEqual({ code: 0, stdout: '', stderr: 'no connections\n' });
    const filtered = { code: 0, stdout: '', stderr: 'no matching connections\n' };
    expect(await list('--name z* -o table')).toEqual(filtered);
  });

  it('keeps the port beside the host on a terminal of 80 columns, and omits what is further right', async () => {
    const config = { host: 'db.example.com', port: 5432, database: 'orders', user: 'app' };
    const row = { id: `conn_${'1'.repeat(24)}`, name: 'orders', type: 'postgresql', config };
    const { env } = await scriptedService({
      'GET /connections': () => pageAnswer([row], { total: 1, page: 1, pages: 1 }),
    });
    const { stdout } = await runCli(['connections', 'list', '--color', 'never'], {
      env,
      isTTY: true,
      columns: 80,
    });
    expect(stdout).toMatch(/^ID +NAME +TYPE +HOST +PORT\n/);
  });

  it('shows one page and says that there is more, or follows all pages, each once', async () => {
    const all = connections(43);
    const env = service.environment();
    expect(await runCli(['connections', 'create', '--file', fileOf(all)], { env })).toMatchObject({
      code: 0,
    });
    const pages: readonly (readonly [string, number, string])[] = [
      ['', 20, 'showing 20 of 43, page 1 of 3; next page: --page 2; everything: --all'],
      ['--limit 20 --page 3 ', 3, 'showing 3 of 43, page 3 of 3; everything: --all'],
      ['-q ', 20, ''],
    ];
    for (const [line, count, note] of pages) {
      const ended = await list(`${line}-o jsonl`);
      expect(ended.stdout.trim().split('\n')).toHaveLength(count);
      expect(ended.stderr).toBe(note && `${JSON.stringify({ note })}\n`);
    }
    for (const line of ['--all', '--all --limit 7']) {
      const ended = await list(`${line} -o json --query [].name`);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      const names: string[] = JSON.parse(ended.stdout);
      expect(names.toSorted()).toEqual(all.map(({ name }) => name).toSorted());
    }
  });

  it.each([
    ['--limit 99999999999999999999', 'must be a whole number, 1 or more'],
    ['--page 0', '--page 0: must be a whole number'],
    ['--all --page 2', 'cannot be used with option'],
  ])('refuses %s', async (line, message) => {
    const ended = await runCli(['connections', 'list', ...line.split(' ')], { env: emptyEnvironment() });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it.each([
    [[], '/connections'],
    [['--limit', '5', '--page', '3'], '/connections?limit=5&page=3'],
    [['--all'], '/connections?limit=100'],
    [['--all', '--limit', '5'], '/connections?limit=5'],
  ])('asks the service as %j says', async (args, target) => {
    const onePage: Answer = () => pageAnswer(items(1), { total: 2, page: 1, pages: 1 });
    expect((await listing(onePage, args)).targets).toEqual([target]);
  });
});

describe('what is chosen of a list', () => {
  const rows = [
    { id: 'key_1', name: 'ci-b', enabled: true, last_used_at: null, created_at: '2020-01-01T00:00:00.000Z' },
    { id: 'key_2', name: 'ci-a', enabled: false, last_used_at: '2020-06-01T00:00:00.000Z', created_at: 'x' },
    { id: 'key_3', name: 'web', enabled: true, last_used_at: '2999-01-01T00:00:00.000Z', created_at: 'y' },
  ];
  /** The IDs of a list, which has a page for each row, and what is said beside it. */
  async function chosen(args: readonly string[]) {
    const { env, peer } = await scriptedService({
      'GET /api-keys': (request) => {
        const page = pageOf(request);
        return pageAnswer(rows.slice(page - 1, page), { total: 3, page, pages: 3 });
      },
    });
    const ended = await runCli(['api-keys', 'list', '-o', 'json', ...args], { env });
    const ids =
      ended.code === 0 && ended.stdout.startsWith('[')
        ? JSON.parse(ended.stdout).map(({ id }: { id: string }) => id)
        : [];
    return { ids, ended, requests: peer.requests.length };
  }

  it.each([
    [['--name', 'ci-*'], 'key_1 key_2'],
    [['--disabled'], 'key_2'],
    [['--unused-for', '90d'], 'key_1 key_2'],
    [['--unused-for', '90d', '--name', '*b'], 'key_1'],
  ])('%j of all pages', async (args, ids) => {
    const all = await chosen(['--all', ...args]);
    expect(all).toMatchObject({
      ids: ids.split(' ').filter(Boolean),
      ended: { code: 0, stderr: '' },
      requests: 3,
    });
  });

  it('is of one page without --all, which a note says', async () => {
    const { ids, ended } = await chosen(['--name', 'web']);
    expect(ids).toEqual([]);
    expect(ended.stderr).toContain('searched 1 of 3, page 1 of 3');
  });

  it.each([[['--unused-for', '90'], '--unused-for 90: not a duration']])(
    '%j is refused before anything is sent',
    async (args, message) => {
      const { ended, requests } = await chosen(args);
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
      expect(requests).toBe(0);
    },
  );
});
