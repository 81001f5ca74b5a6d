import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { changedBy, isChanging } from '../client/exchange/request.js';
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
  ConfigError,
  describeLostDirectory,
  type ErrorCode,
  type ErrorDetails,
  OrgctlError,
  readMessage,
} from '../errors/errors.js';
import { sanitize, sanitizeJson, sanitizeLines } from '../terminal/text/sanitize.js';
import type { Context } from './context.js';
import { exits } from './exit.js';

/** An error as printed. The JSON line appends `problems` to the message. */
export interface ErrorReport extends Omit<ErrorDetails, 'cause'> {
  readonly code: ErrorCode;
  readonly message: string;
  readonly exitCode: number;
}

const reportBug =
  'please report this bug at https://example.com/orgctl/issues, with the output of the same command with --verbose, and of orgctl --version';

/** An error that orgctl does not define counts as a bug. */
export function toReport(error: unknown, aim?: AddOptions): ErrorReport {
  const lost = describeLostDirectory(error);
  if (lost !== undefined)
    return toReport(new ConfigError(lost, { hint: 'change to a directory that exists' }), aim);
  if (!(error instanceof OrgctlError)) {
    const message = `internal error: ${readMessage(error)}`;
    return { code: 'internal', message, hint: reportBug, exitCode: exits.internal[0] };
  }
  const { code, message, details } = error;
  return { code, message, exitCode: exits[code][0], ...details, ...readAdvice(error, aim) };
}

/** The hint of an error as text; `aim` completes the command in it. */
export function readAdvice(
  error: { readonly code?: ErrorCode; readonly details: Omit<ErrorDetails, 'cause' | 'answer'> },
  aim: AddOptions = (words) => words,
): Pick<Advice, 'hint' | 'next'> {
  const { hint, next = adviseLooking(error), status } = error.details;
  if (next !== undefined) return { hint: hintText(hint, aim(next)), next: toNext(aim(next)) };
  if (hint !== undefined || (status !== 401 && status !== 403)) return { hint };
  return { hint: hintText('see which key is used', aim(whoamiCommand)), next: aim(whoamiCommand) };
}

const uncertain = ['outcome_unknown', 'server', 'hung_up', 'interrupted', 'terminated'];

/** The command that shows whether a change was made, or what stands in its way. */
function adviseLooking({ code, details }: Parameters<typeof readAdvice>[0]): readonly string[] | undefined {
  const { status, method = 'GET', path = '' } = details;
  const called = { method, target: path };
  if (!isChanging(called) || !(uncertain.includes(code ?? '') || status === 409)) return undefined;
  const { kind, id } = changedBy(called);
  if (kind === undefined) return quotasCommand;
  const isOfOne = id !== undefined && (status !== 409 || method === 'DELETE');
  return ['orgctl', kind, ...(isOfOne ? ['get', ...toOperands(id)] : ['list', '--all'])];
}

/** Text for stderr, with hidden characters escaped. `verbose` adds the stack of an internal error. */
export async function errorText(
  error: unknown,
  report: ErrorReport,
  style: Readonly<Record<'json' | 'color' | 'verbose', boolean>>,
): Promise<string> {
  const stack = style.verbose && report.code === 'internal' ? readStack(error) : '';
  const { code, message, problems = [], hint, next, exitCode, status, method, path } = report;
  if (style.json) {
    const { retryable, retryAfter, quota } = report;
    const said = { code, message: [message, ...problems].join('\n'), hint, next, exitCode };
    const line = JSON.stringify({ error: { ...said, status, method, path, retryable, retryAfter, quota } });
    return `${stack}${sanitizeJson(line)}\n`;
  }
  const chalk = style.color ? await (await import('../terminal/text/color.js')).loadChalk() : undefined;
  const lines = [`${chalk?.bold.red('error:') ?? 'error:'} ${sanitize(message)}`];
  for (const problem of problems) lines.push(`  ${sanitize(problem)}`);
  if (hint !== undefined) lines.push(`${chalk?.bold('hint:') ?? 'hint:'} ${sanitize(hint)}`);
  return `${stack}${lines.join('\n')}\n`;
}

/** Omits other properties of an error, which may hold secrets. */
function readStack(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const said = String(error);
  const frames = error.stack?.startsWith(said) ? error.stack.slice(said.length) : '';
  const cause = error.cause === undefined ? '' : `caused by ${readStack(error.cause)}`;
  return `${sanitize(said)}${sanitizeLines(frames)}\n${cause}`;
}

const isOfServer = (noun: string | undefined) => noun === 'local' || noun === 'serve';

/** Makes a function that adds this command line's target to a suggested command that names none. */
export function openAim({ flags, system }: Context, command: CommandUnknownOpts | undefined): AddOptions {
  const { profile, baseUrl } = flags();
  const name = profile ?? (system.env['ORGCTL_PROFILE'] || undefined);
  // A typed address may hold a password, so the hint says URL instead.
  const address = baseUrl === undefined ? [] : ['--base-url', 'URL'];
  const service = [...(name === undefined ? [] : ['-p', name]), ...address];
  const isLocal = isOfServer(topName(command));
  const data = command?.opts()['data'];
  const server = isLocal && typeof data === 'string' ? ['--data', data] : [];
  return (words) => {
    const noun = words[words.indexOf('orgctl') + 1] ?? '';
    const own = ['--help', ...(isOfServer(noun) ? ['--data'] : ['-p', '--profile', '--base-url'])];
    // Commands that act on no service, or name their own.
    const isUntargeted = /^(?:profile|help|completion|openapi|-.*)?$/.test(noun);
    if (isUntargeted || words.some((word) => own.includes(word))) return words;
    // A suggested `local` must not act on the default server by accident.
    const added = noun === 'local' && !isLocal ? ['--data', 'DIR'] : isOfServer(noun) ? server : service;
    return words.toSpliced(words.includes('--') ? words.indexOf('--') : words.length, 0, ...added);
  };
}

function topName(command: CommandUnknownOpts | undefined): string | undefined {
  return command?.parent?.parent ? topName(command.parent) : command?.name();
}
