import type { Command } from '@commander-js/extra-typings';
import type { Dialect } from '../api/dialect/dialect.js';
import type { Context } from '../cli/context.js';
import { withExamples } from '../cli/help-text.js';
import { ResultError, UsageError } from '../errors/errors.js';
import { countNoun } from '../text/count-noun.js';

interface ProbeFlags {
  readonly against?: string | undefined;
  readonly from?: string | undefined;
  readonly tryBasic?: boolean | undefined;
}

export function probeCommand(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        `Show what the service chose where the API reference is silent: lists, paging, limits, quotas, errors and headers. It only reads, and marks what serve does differently. With -o yaml it writes a dialect file, without any of the organization's data, for serve --dialect and profile set --dialect.`,
      )
      .option('--against <file>', 'compare with a dialect file or preset; exit 15 when the service differs')
      .option('--from <file>', 'send nothing: read a recording of orgctl proxy --record')
      .option('--try-basic', 'send the secret too, to find out whether the service accepts Basic'),
    [
      ['orgctl probe', 'how does this service respond?'],
      ['orgctl probe -o yaml > dialect.yaml', 'then: orgctl serve --dialect dialect.yaml'],
      ['orgctl probe --from calls.jsonl -o yaml', 'from requests that orgctl proxy --record recorded'],
      ['orgctl probe --against dialect.yaml', 'in CI: exit 15 when the service has changed'],
    ],
    { calls: 'service', exits: ['changes'] },
  ).action((flags) => runProbe(flags, context));
}

/** @throws ResultError `changes` after printing the differences */
async function runProbe({ against, from, tryBasic }: ProbeFlags, context: Context): Promise<void> {
  if (from !== undefined && tryBasic) {
    throw new UsageError('--try-basic calls the service, but --from sends nothing', {
      hint: 'give one of them',
    });
  }
  const printer = await context.printer();
  const { readExpected } = await import('../verbs/probe/expected-dialect.js');
  const expected = against === undefined ? undefined : await readExpected(against, context);
  const { probed, calls, auth } = await (from === undefined
    ? askService(expected, tryBasic === true, context)
    : readRecording(from, expected, context));
  const { describeOmitted } = await import('../verbs/probe/omitted.js');
  const notes = describeOmitted(probed.observed);
  if (expected === undefined) {
    const { describeProbe, probeRows, probeView } = await import('../verbs/probe/report.js');
    const value = describeProbe(probed, calls, auth);
    const { value: format } = await context.settings().output();
    const isFile = format === 'yaml';
    await printer.value(isFile ? value.dialect : value, probeRows(probed, value), probeView);
    for (const note of notes) await context.note(note);
    return;
  }
  const { findDifferences } = await import('../client/probing/compare-dialect.js');
  const { differenceView } = await import('../verbs/probe/report.js');
  const differences = findDifferences(probed.observed, expected);
  await printer.list(differences, differenceView);
  for (const note of notes) await context.note(note.replace(/^omitted/, 'not compared'));
  if (differences.length > 0) {
    const count = countNoun(differences.length, 'difference');
    throw new ResultError('changes', `${count} from ${against}`, {
      ...{ hint: 'see all', next: ['orgctl', 'probe', ...(from === undefined ? [] : ['--from', from])] },
    });
  }
  await context.note(`no difference from ${against}`);
}

async function askService(expected: Dialect | undefined, tryBasic: boolean, context: Context) {
  const { probeEffectiveService } = await import('../verbs/probe/effective-service.js');
  return probeEffectiveService(expected, tryBasic, context);
}

async function readRecording(path: string, expected: Dialect | undefined, context: Context) {
  const { probeRecording } = await import('../verbs/probe/recorded-calls.js');
  const { passedOver, ...probe } = await probeRecording(path, expected, context);
  if (passedOver > 0)
    await context.note(`skipped ${countNoun(passedOver, 'recorded call')}: the others suffice`);
  return probe;
}
