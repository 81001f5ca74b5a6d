import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../cli/context.js';
import { withExamples } from '../cli/help-text.js';
import type { TypedView } from '../terminal/output/printer.js';
import { type Diagnostic, examine, type Finding } from '../verbs/doctor/examination.js';
import { type NetworkContext, networkChecks } from '../verbs/doctor/network-checks.js';
import { adviseCheck, type ServiceContext, serviceChecks } from '../verbs/doctor/service-checks.js';
import { setupChecks } from '../verbs/doctor/setup-checks.js';

interface DoctorOptions {
  readonly tryBasic?: boolean | undefined;
}

export function doctor(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        'Find out why requests fail. Checks file modes, profile, format of the secret, DNS, proxy, connection, TLS, clock and authentication, in this order; the first failed check counts as the cause and sets the exit code.',
      )
      .option(
        '--try-basic',
        'if the signature is refused, send the secret too, to find out whether it is wrong',
      ),
    [
      ['orgctl doctor', 'each check, the cause and the fix'],
      ['orgctl doctor --profile prod -o json', 'the same for a script'],
      ['orgctl doctor --try-basic', 'is the secret wrong, or the signature?'],
    ],
    { calls: 'service' },
  ).action((options) => runDoctor(options, context));
}

const findingView: TypedView<Finding> = {
  columns: [
    { header: 'CHECK', value: 'check' },
    {
      header: 'RESULT',
      value: 'result',
      style: (text, { result }, chalk) => {
        if (result === 'failed') return chalk.red(text);
        if (result === 'warning') return chalk.yellow(text);
        return result === 'ok' ? chalk.green(text) : chalk.dim(text);
      },
    },
    { header: 'DETAIL', value: 'detail', wraps: true, rank: 0 },
  ],
  fields: ['hint', 'code'],
};

async function runDoctor(
  { tryBasic = false }: DoctorOptions,
  context: NetworkContext &
    ServiceContext &
    Pick<Context, 'profiles' | 'printer' | 'progress' | 'streams' | 'note' | 'optionAdder'>,
): Promise<void> {
  const printer = await context.printer();
  printer.check(findingView, 'list');
  const checks = [...setupChecks(context), ...networkChecks(context), ...serviceChecks(tryBasic, context)];
  const { findings, cause, advice } = await examineAll(checks, context);
  await printer.list(findings, findingView);
  for (const { result, hint } of findings) {
    if (result === 'warning' && hint !== undefined) await context.note(hint);
  }
  if (cause !== undefined) throw adviseCheck(cause, advice.get('basic') ?? cause.details);
  if (context.streams.stderr.isTerminal) await context.note(verdict(findings));
}

function verdict(findings: readonly Finding[]): string {
  const warnings = findings.filter(({ result }) => result === 'warning').map(({ check }) => check);
  return warnings.length === 0
    ? 'everything works'
    : `everything works, with ${warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`}: ${warnings.join(', ')}`;
}

async function examineAll(checks: readonly Diagnostic[], context: Pick<Context, 'progress' | 'optionAdder'>) {
  const progress = await context.progress({ label: 'checking', total: checks.length });
  try {
    return await examine(checks, () => progress.tick(), await context.optionAdder());
  } finally {
    progress.done();
  }
}
