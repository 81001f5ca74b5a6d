import { changedBy, decodePath, isChanging } from '../client/exchange/request.js';
import {
  type AddOptions,
  type Advice,
  hintText,
  quotasCommand,
  toNext,
  toOperands,
  whoamiCommand,
} from '../errors/advice.js';
import {
  describeLostDirectory,
  type ErrorCode,
  type ErrorDetails,
  OrgctlError,
  readMessage,
} from '../errors/errors.js';
import { exitCodes } from './exit.js';

/** An error as printed. The JSON line appends `problems` to the message. */
export interface ErrorReport extends Omit<ErrorDetails, 'cause'> {
  readonly code: ErrorCode;
  readonly message: string;
  readonly exitCode: number;
}

const bugsAt = 'https://example.com/orgctl/issues';

/** Describes an error for printing. An error that orgctl does not define counts as a bug. */
export function toReport(error: unknown, addOptions?: AddOptions): ErrorReport {
  const message = describeLostDirectory(error);
  if (message !== undefined) {
    const hint = 'change to a directory that exists';
    return { code: 'config', message, hint, exitCode: exitCodes.config };
  }
  if (!(error instanceof OrgctlError)) {
    return {
      code: 'internal',
      message: `internal error: ${readMessage(error)}`,
      hint: `this is a bug in orgctl: please report it at ${bugsAt}, with the output of the same command with --verbose, and of orgctl --version`,
      exitCode: exitCodes.internal,
    };
  }
  const { exitCode = exitCodes[error.code], ...details } = error.details;
  const { hint, next } = readAdvice(error, addOptions);
  return { code: error.code, message: error.message, ...details, hint, next, exitCode };
}

/** The hint of an error as text, with its command aimed. */
export function readAdvice(
  error: { readonly code?: ErrorCode; readonly details: Omit<ErrorDetails, 'cause' | 'answer'> },
  aim: AddOptions = (words) => words,
): Pick<Advice, 'hint' | 'next'> {
  const { hint, next = adviseLooking(error) } = adviseRefused(error.details) ?? error.details;
  return next === undefined ? { hint } : { hint: hintText(hint, aim(next)), next: toNext(aim(next)) };
}

/** Advice by status, for a refusal that has none. */
function adviseRefused({ hint, next, status, method = '' }: ErrorDetails): Advice | undefined {
  if (hint !== undefined || next !== undefined) return undefined;
  if (status === 401) return { hint: 'see which credential is used', next: whoamiCommand };
  if (status === 403)
    return { hint: 'the key may lack a role for this; see which key is used', next: whoamiCommand };
  if (status !== 409 || method === 'GET') return undefined;
  return {
    hint:
      method === 'DELETE' ? 'the resource may still be in use; look at it' : 'see whether the name is taken',
  };
}

const uncertain: ReadonlySet<ErrorCode | undefined> = new Set([
  'outcome_unknown',
  'server',
  'hung_up',
  'interrupted',
  'terminated',
]);

/** The command that shows whether a change was made, or what stands in its way. */
function adviseLooking({ code, details }: Parameters<typeof readAdvice>[0]): readonly string[] | undefined {
  const { status, method = 'GET', path = '' } = details;
  const called = { method, target: path };
  if (!isChanging(called) || !(uncertain.has(code) || status === 409)) return undefined;
  const { kind, id } = changedBy(called);
  if (kind === undefined) return quotasCommand;
  const isOfOne = id !== undefined && (status !== 409 || method === 'DELETE');
  return ['orgctl', kind, ...(isOfOne ? ['get', ...toOperands(decodePath(id))] : ['list', '--all'])];
}

export function toJsonLine(report: ErrorReport): string {
  const { code, hint, next, exitCode, status, method, path, retryable, retryAfter, quota } = report;
  const message = [report.message, ...(report.problems ?? [])].join('\n');
  const error = { code, message, hint, next, exitCode, status, method, path, retryable, retryAfter, quota };
  return `${JSON.stringify({ error })}\n`;
}
