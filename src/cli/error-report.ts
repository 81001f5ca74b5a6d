import { changedBy, decodePath, isChanging } from '../client/exchange/request.js';
import {
  type AddOptions,
  type Advice,
  advise,
  adviseText,
  hintText,
  type Say,
  type Subject,
  sayWith,
  toNext,
  toOperands,
} from '../errors/advice.js';
import {
  describeLostDirectory,
  type ErrorCode,
  type ErrorDetails,
  OrgctlError,
  readMessage,
} from '../errors/errors.js';
import { type ClientOptionName, withOptionsRenamed } from '../errors/server-option.js';
import { formatDuration } from '../text/duration.js';
import { exitCodes } from './exit.js';

/** An error as printed. The JSON line appends `problems` to the message. */
export interface ErrorReport extends Omit<ErrorDetails, 'cause' | 'see' | 'say'> {
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
  const { see: _see, say: _say, exitCode = exitCodes[error.code], ...details } = error.details;
  const { hint, next } = readAdvice(error, addOptions);
  return { code: error.code, message: error.message, ...details, hint, next, exitCode };
}

export const readOnlyHint = 'use another profile for changes: --profile NAME';

export const whoamiCommand = ['orgctl', 'whoami'] as const;

/** The hint of an error, with commands and flags instead of the library's terms. */
export function readAdvice(
  { details }: { readonly details: Omit<ErrorDetails, 'cause' | 'answer'> },
  addOptions: AddOptions = (words) => words,
): Pick<Advice, 'hint' | 'next'> {
  const { hint, next, see, say } = details.hint === undefined ? adviseRefused(details) : details;
  // Other details may have replaced the hint that `say` wrote.
  if (say !== undefined && sayWith(say) === hint) {
    return { hint: sayWith(say, addOptions), next: next && toNext(addOptions(next)) };
  }
  if (next !== undefined) return { hint: hintText(hint, addOptions(next)), next: toNext(addOptions(next)) };
  if (hint === undefined) return {};
  const inFlags = withOptionsRenamed(hint, findFlag);
  if (see === undefined) return { hint: inFlags };
  return readAdvice({ details: adviseLooking(see, inFlags) }, addOptions);
}

/** Advice by status, for a refusal that has no hint. */
function adviseRefused({ status, method = '', path = '' }: ErrorDetails): Advice {
  if (status === 401) return { hint: 'see which credential is used', see: { what: 'settings' } };
  if (status === 403) {
    return { hint: 'the key may lack a role for this; see which key is used', see: { what: 'settings' } };
  }
  const called = { method, target: path };
  if (!isChanging(called)) return {};
  if (status === 409 && method === 'DELETE') {
    return { hint: 'the resource may still be in use; look at it', see: changedBy(called) };
  }
  const [collection] = String(changedBy(called).of ?? '').split('/');
  return status === 409 && collection !== ''
    ? { hint: 'see whether the name is taken', see: { what: 'resource', of: collection } }
    : {};
}

function adviseLooking({ what, of = '' }: Subject, hint: string): Advice {
  switch (what) {
    case 'settings':
      return advise(whoamiCommand, (command) => `${hint}: ${command}`);
    case 'address':
      return {
        ...adviseText(
          (format) =>
            `${hint} ${format(whoamiCommand)} shows the address; ${format(['orgctl', 'serve'])} starts a service on this machine`,
        ),
        next: whoamiCommand,
      };
    case 'credential':
      return advise(whoamiCommand, (command) => `${hint}: ${command} shows where both come from`);
    case 'answer':
      return adviseRequest(`/${of === '' ? 'quotas' : of}`, hint);
    case 'authority-file':
      return advise(
        whoamiCommand,
        (command) => `${command} shows where the path comes from; to use another file: --ca-file FILE`,
      );
    case 'authority':
      return advise(['orgctl', 'doctor'], (command) => `${hint}; to find out which: ${command}`);
    case 'clock':
      return advise(['orgctl', 'doctor'], (command) => `${hint}; to measure the difference: ${command}`);
    case 'quotas':
      return advise(['orgctl', 'quotas'], (command) => `see what is used: ${command}; ${hint}`);
    case 'resource':
      return advise(commandFor(of), (command) => `${hint}: ${command}`);
    case 'disabled-key':
      return advise(
        ['orgctl', 'local', 'keys', 'enable', of],
        (command) => `${hint}; on a local server: ${command}`,
      );
    case 'read-only':
      return { hint: readOnlyHint };
    case 'master-key':
      return adviseText((format) => `${hint} with: ${format(['orgctl', 'serve', 'rotate-master-key'])}`);
    case 'data-in-use':
      return advise(['orgctl', 'local', 'stop', '--data', of], (command) => `${hint}: ${command}`);
    case 'damaged-data':
      return adviseText(
        (format) =>
          `${hint} with: ${format(['orgctl', 'serve', 'restore', 'FILE', '--force', '--data', of])}`,
      );
  }
}

function adviseRequest(target: string, hint: string): Advice {
  const next = ['orgctl', 'request', 'GET', target];
  const probe = ['orgctl', 'probe'];
  const say: Say = (format) =>
    `${hint}: ${format(next)}; to see which forms the service uses: ${format(probe)}`;
  return { ...adviseText(say), next };
}

function commandFor(place: string): readonly string[] {
  const [collection = '', id] = place.split('/');
  if (collection === '') return ['orgctl', 'quotas'];
  const words = id === undefined ? ['list', '--all'] : ['get', ...toOperands(decodePath(id))];
  return ['orgctl', collection, ...words];
}

function findFlag(name: string, value: string | undefined): string | undefined {
  const flag = clientFlags.get(name);
  if (flag === undefined || value === undefined) return flag;
  return `${flag} ${/^\d+$/.test(value) ? formatDuration(Number(value)) : value}`;
}

const clientFlags: ReadonlyMap<string, string> = new Map(
  Object.entries({
    baseUrl: '--base-url',
    caFile: '--ca-file',
    deadline: '--deadline',
    retries: '--retries',
    timeout: '--timeout',
  } satisfies Record<ClientOptionName, string>),
);

export function toJsonLine(report: ErrorReport): string {
  const { code, hint, next, exitCode, status, method, path, retryable, retryAfter, quota } = report;
  const message = [report.message, ...(report.problems ?? [])].join('\n');
  const error = { code, message, hint, next, exitCode, status, method, path, retryable, retryAfter, quota };
  return `${JSON.stringify({ error })}\n`;
}
