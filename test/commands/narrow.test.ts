import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { runCli } from '../support/run-cli.js';
import { pageAnswer, scriptedService } from './support/scripted-service.js';

const id = 'conn_40b469499eaf4399ba3224a7';

async function shown(columns: number, args: readonly string[]) {
  const connections = { limit: 10, used: 3, remaining: 7 };
  const teams = { limit: 20, used: 25, remaining: 0 };
  const { env } = await scriptedService({
    'GET /quotas': () =>
      httpAnswer(200, { data: [{ connections, teams }], total: 1, page: 1, limit: 20, pages: 1 }),
    'GET /connections': () =>
      pageAnswer([{ id, name: 'app', type: 'postgresql', config: { host: 'db.example.com', port: 5432 } }], {
        total: 1,
        page: 1,
        pages: 1,
      }),
  });
  const { stdout, stderr } = await runCli(args, { env: { ...env, NO_COLOR: '1' }, isTTY: true, columns });
  return { lines: stdout.trimEnd().split('\n'), stderr };
}

describe('on a narrow terminal', () => {
  it('quotas keep every figure, and the bar gives way', async () => {
    const { lines, stderr } = await shown(42, ['quotas']);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(42);
    expect(lines.map((line) => line.split(/\s+/))).toEqual([
      ['KIND', 'LIMIT', 'USED', 'REMAINING', 'USAGE'],
      ['teams', '20', '25', '0', '125%'],
      ['connections', '10', '3', '7', '30%'],
    ]);
    expect(stderr).toBe('');
    expect((await shown(60, ['quotas'])).lines[2]).toMatch(/█████░{13} {2}30%$/);
  });

  it.each([
    [60, ['USER', 'SSL', 'CREATED']],
    // A port goes rather than the host that it belongs to.
    [44, ['PORT']],
  ])('of %i columns a list keeps its IDs, and says what there was no room for', async (columns, dropped) => {
    const { lines, stderr } = await shown(columns, ['connections', 'list']);
    expect(lines[1]).toContain(id);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    for (const header of dropped) {
      expect(stderr).toContain(header);
      expect(lines[0]).not.toContain(header);
    }
  });
});
