import { expect, it } from 'vitest';
import { type BulkEntry, type BulkOptions, runBulk } from '../../../src/commands/resource/bulk.js';
import { changeView } from '../../../src/commands/resource/noun.js';
import { InterruptedError, ResultError, ServiceError, UsageError } from '../../../src/errors/errors.js';
import { startProgress } from '../../../src/terminal/interaction/progress.js';
import { makePrinter, type PrinterOptions } from '../../../src/terminal/output/printer.js';
import { makeStreams } from '../../../src/terminal/output/streams.js';
import type { CompiledExpression } from '../../../src/terminal/query/query.js';
import { memorySystem } from '../../support/memory-system.js';

const done = (id: string): BulkEntry => ({ label: { id }, run: async () => ({ result: 'deleted' }) });
const fails = (id: string, error: unknown): BulkEntry => ({
  label: { id },
  run: async () => {
    throw error;
  },
});
const refused = new ServiceError('not_found', 'no such team', { status: 404 });

/** A query that does not apply to any rows. */
function queryThat(error: Error): CompiledExpression {
  const query = () => {
    throw error;
  };
  return Object.assign(query, { fields: new Set<string>() });
}

/** Runs entries at a terminal whose clock goes on by a tenth of a second at each look; says what was thrown, and shown. */
async function run(
  entries: readonly BulkEntry[],
  { hint, query }: Pick<BulkOptions, 'hint'> & Pick<PrinterOptions, 'query'> = {},
  signal = new AbortController().signal,
) {
  const system = memorySystem({ isTTY: { stderr: true } });
  const streams = makeStreams(system);
  let time = 0;
  const context = {
    signal,
    streams,
    note: (text: string) => streams.stderr.write(`${text}\n`),
    printer: async () => makePrinter({ streams, format: 'jsonl', color: false, quiet: false, query }),
    progress: async (task: { label: string }) =>
      startProgress({ streams, quiet: false, now: () => (time += 100) }, task),
  };
  const noun = { singular: 'team', plural: 'teams' };
  const options = { what: 'deleting teams', noun, view: changeView, hint };
  const thrown: unknown = await runBulk(entries, options, context).catch((error: unknown) => error);
  return { thrown, stdout: system.stdoutText(), stderr: system.stderrText() };
}

it('shows how far it is, and takes that away at the end, also where it fails', async () => {
  const erase = '\r\u001b[K';
  const counted = `${erase}deleting teams 1/2${erase}deleting teams 2/2${erase}`;
  expect((await run([done('a'), done('b')])).stderr).toBe(`${counted}2 deleted\n`);
  expect((await run([fails('a', refused), done('b')])).stderr).toBe(counted);
});

it('says what was not done, and what to do, if only that the rows say it', async () => {
  const entries = [done('a'), fails('b', refused)];
  const { thrown, stdout } = await run(entries);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { id: 'a', result: 'deleted' },
    { id: 'b', result: 'failed', code: 'not_found', error: 'no such team' },
  ]);
  expect(thrown).toBeInstanceOf(ResultError);
  const message = '2 teams: 1 deleted, 1 failed';
  expect(thrown).toMatchObject({ message, details: { hint: 'see the rows above' } });
  expect((await run(entries, { hint: 'do this' })).thrown).toMatchObject({ details: { hint: 'do this' } });
});

it('says that the work was done where its rows are not found or not readable', async () => {
  const query = queryThat(new UsageError('--query: of no use here'));
  const { thrown } = await run([done('a'), done('b')], { query });
  expect(thrown).toBeInstanceOf(ServiceError);
  const details = { hint: 'the work was done: 2 deleted' };
  expect(thrown).toMatchObject({
    message: '--query: of no use here',
    details,
    cause: expect.any(UsageError),
  });
});

it('has no rows of what was not begun when a signal came', async () => {
  const interrupted = new InterruptedError('SIGINT');
  const signal = AbortSignal.abort(interrupted);
  const entries = [done('a'), fails('b', interrupted), fails('c', interrupted)];
  const { thrown, stdout } = await run(entries, {}, signal);
  expect(JSON.parse(stdout)).toEqual({ id: 'a', result: 'deleted' });
  const hint = '3 teams: 1 deleted, 2 not tried; see the rows above';
  expect(thrown).toMatchObject({ code: 'interrupted', details: { hint } });
  const none = { hint: expect.stringContaining('0 teams: none done') };
  expect((await run([], {}, signal)).thrown).toMatchObject({ details: none });
});
