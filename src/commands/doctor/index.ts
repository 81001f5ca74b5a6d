import { command, option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { readAdvice } from '../../cli/error-report.js';
import { type ErrorCode, InterruptedError, OrgctlError, withHint } from '../../errors/errors.js';
import type { View } from '../../terminal/output/printer.js';
import * as checks from './checks.js';

interface Finding {
  readonly check: string;
  readonly result: checks.Verdict['result'] | 'failed';
  readonly detail: string;
  readonly hint?: string | undefined;
  readonly code?: ErrorCode;
}

const colors = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'dim' } as const;

const findingView: View<Finding> = {
  columns: [
    { header: 'CHECK', value: 'check' },
    {
      header: 'RESULT',
      value: 'result',
      style: (text, { result }, chalk) => chalk[colors[result]](text),
    },
    { header: 'DETAIL', value: 'detail', wraps: true, rank: 0 },
  ],
  fields: ['hint', 'code'],
};

export const doctor = command({
  description:
    'Find out why requests fail. Checks file modes, profile, format of the secret, DNS, proxy, connection, TLS, clock and authentication, in this order; the first failed check counts as the cause and sets the exit code.',
  options: [
    option('--try-basic', 'if the signature is refused, send the secret, to find out whether it is wrong'),
  ],
  examples: [
    ['orgctl doctor', 'each check, the cause and the fix'],
    ['orgctl doctor --try-basic', 'is the secret wrong, or the signature?'],
  ],
  calls: 'service',
  async run(context, _args, { tryBasic = false }) {
    const printer = await context.printer();
    printer.check(findingView);
    const { findings, cause } = await examine(tryBasic, context);
    await printer.list(findings, findingView);
    for (const { result, hint } of findings) {
      if (result === 'warning' && hint !== undefined) await context.note(hint);
    }
    if (cause !== undefined) throw cause;
    const isWell = findings.every(({ result }) => result !== 'warning');
    if (isWell && context.streams.stderr.isTerminal) await context.note('everything works');
  },
});

/** Runs checks in order. The first failure is the cause; later checks still run if it is of files or authentication. */
async function examine(tryBasic: boolean, context: Context) {
  const addOptions = await context.optionAdder();
  const findings: Finding[] = [];
  let cause: unknown;
  let obstacle: string | undefined;
  const check = async (name: string, run: () => Promise<checks.Verdict> | checks.Verdict) => {
    if (obstacle !== undefined) {
      findings.push({ check: name, result: 'skipped', detail: `not tried: it needs "${obstacle}"` });
      return;
    }
    try {
      const { advice: own, ...verdict } = await run();
      const { hint } = readAdvice({ details: own ?? {} }, addOptions);
      findings.push({ check: name, ...verdict, ...(hint !== undefined && { hint }) });
      if (name === 'basic' && own !== undefined) cause = withHint(cause, own);
    } catch (error) {
      if (!(error instanceof OrgctlError) || error instanceof InterruptedError) throw error;
      const { hint } = readAdvice(error, addOptions);
      findings.push({ check: name, result: 'failed', detail: error.message, hint, code: error.code });
      cause = name === 'basic' ? withHint(cause, error.details) : (cause ?? error);
      if (name !== 'files' && name !== 'authentication') obstacle = name;
    }
  };
  await check('files', () => checks.checkFiles(context));
  await check('profile', () => checks.checkProfile(context));
  let asking: Promise<checks.Asked> | undefined;
  const ask = () => {
    asking ??= checks.askService(context);
    return asking;
  };
  await check('secret', () => checks.checkSecret(context, ask));
  for (const name of checks.stages) await check(name, async () => checks.judgeStage(name, await ask()));
  if (tryBasic) await check('basic', async () => checks.checkBasic(await ask(), context));
  return { findings, cause };
}
