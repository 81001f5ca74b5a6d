import { expect, it, onTestFinished, vi } from 'vitest';
import { pageAnswer, pageOf, scriptedService } from '../../commands/support/scripted-service.js';
import { runCli } from '../../support/run-cli.js';

/** Time stands still but for what is returned, which has so many milliseconds pass. */
function holdTime(): (milliseconds: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return (milliseconds) => void vi.advanceTimersByTime(milliseconds);
}

it.each(['teams list --all', 'request GET /teams --paginate'])(
  '%s ends when all pages together took longer than the deadline, however many there are said to be',
  async (line) => {
    const passTime = holdTime();
    const { env } = await scriptedService({
      'GET /teams': (request) => {
        passTime(100);
        const page = pageOf(request);
        return pageAnswer([{ id: `${page}` }], { total: 1e9, page, pages: 1e9 + page });
      },
    });
    const { code, stdout, stderr } = await runCli(
      [...line.split(' '), '--deadline', '300ms', '-o', 'jsonl'],
      { env },
    );
    expect([code, stdout.startsWith('{"id":"1"}\n{"id":"2"}\n')]).toEqual([9, true]);
    expect(stderr).toMatch(/the deadline of 300ms.*raise the deadline.*600ms/);
  },
);
