import { getSystemErrorMap } from 'node:util';
import type { Advice } from './advice.js';

/** Stable codes, grouped by who can fix the error. `exit.ts` has their exit codes. */
export type ErrorCode =
  | 'internal'
  | 'usage'
  | 'config'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'quota_exceeded'
  | 'rate_limited'
  | 'network'
  | 'server'
  | 'outcome_unknown'
  | 'partial'
  | 'threshold'
  | 'rejected'
  | 'changes'
  | 'hung_up'
  | 'interrupted'
  | 'terminated';

/** A response as it arrived. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; repeated headers are arrays. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes that arrived. They may contain a secret that is shown only once. */
  readonly body: Buffer;
}

export interface ErrorDetails extends Advice {
  readonly problems?: readonly string[] | undefined;
  readonly status?: number | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  /** Whether repeating the request can help. */
  readonly retryable?: boolean | undefined;
  /** Seconds to wait, as the service asked. */
  readonly retryAfter?: number | undefined;
  readonly quota?: QuotaFigures | undefined;
  /** Overrides the exit code, as for signals. */
  readonly exitCode?: number | undefined;
  readonly cause?: unknown;
  readonly answer?: RawAnswer | undefined;
}

export interface QuotaFigures {
  readonly kind: string;
  readonly limit: number;
  readonly used: number;
}

// Not properties, because logging an error would show them.
const answers = new WeakMap<object, RawAnswer>();

/** An expected error. Any other error is a bug, unless it is the reason of an abort. */
export abstract class OrgctlError extends Error {
  abstract readonly code: ErrorCode;
  readonly details: Omit<ErrorDetails, 'cause' | 'answer'>;

  constructor(message: string, details: ErrorDetails = {}) {
    const { cause, answer, ...rest } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.details = rest;
    if (answer !== undefined) answers.set(this, answer);
  }

  /** The response behind the error. After an unreadable 2xx to `POST /api-keys`, only this has the secret. */
  get answer(): RawAnswer | undefined {
    return answers.get(this);
  }
}

/** The user can fix it: a bad flag, argument, file or input. */
export class UsageError extends OrgctlError {
  override readonly name = 'UsageError';
  readonly code = 'usage';
}

/** This machine's setup is wrong: profiles, credentials, files, conflicting sources. */
export class ConfigError extends OrgctlError {
  override readonly name = 'ConfigError';
  readonly code = 'config';
}

/** For an optional package that npm did not install, or installed for another platform. */
export function refuseMissingPackage(what: string, name: string, cause: unknown): ConfigError {
  return new ConfigError(`${what}: the package ${name} is missing or does not fit this machine`, {
    hint: 'install orgctl with npm and its optional packages (--include=optional); the executable has none',
    cause,
  });
}

/** The request was not delivered, or a read got no response, or not all of it in time. */
export class NetworkError extends OrgctlError {
  override readonly name = 'NetworkError';
  readonly code = 'network';
}

/** A change may have been made, but no response confirms it. */
export class OutcomeUnknownError extends OrgctlError {
  override readonly name = 'OutcomeUnknownError';
  readonly code = 'outcome_unknown';
}

export type ServiceErrorCode = 'quota_exceeded' | StatusCode;

type StatusCode = 'unauthenticated' | 'forbidden' | 'not_found' | 'rate_limited' | 'server' | 'rejected';

export function serviceErrorCode(status: number): StatusCode {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'server' : 'rejected';
}

/** Whether an error says that a resource does not exist: 404 or 410. */
export function isGone(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.code === 'not_found' || error.details.status === 410);
}

/** Whether an error says that the service does not show a resource, although it may exist. */
export function isUnreadable(error: unknown): error is ServiceError {
  return error instanceof ServiceError && [403, 405, 501].includes(error.details.status ?? 0);
}

/** The service refused, or its response does not fit the API reference. The server's `control` throws it, too. */
export class ServiceError extends OrgctlError {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;

  constructor(code: ServiceErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details);
    this.code = code;
  }
}

/** Ignores failures of a call. @throws other errors, such as an interruption */
export function assertCallFailed(error: unknown): undefined {
  if (error instanceof ServiceError || error instanceof NetworkError) return undefined;
  throw error;
}

/** The command ran, with a result for scripts: not everything succeeded, a threshold was reached, or changes exist. */
export class ResultError extends OrgctlError {
  override readonly name = 'ResultError';
  readonly code: 'partial' | 'threshold' | 'changes';

  constructor(code: ResultError['code'], message: string, details: ErrorDetails = {}) {
    super(message, details);
    this.code = code;
  }
}

const interruptions = {
  SIGHUP: { code: 'hung_up', message: 'hung up' },
  SIGINT: { code: 'interrupted', message: 'interrupted' },
  SIGTERM: { code: 'terminated', message: 'terminated' },
} as const;

type InterruptingSignal = keyof typeof interruptions;

export class InterruptedError extends OrgctlError {
  override readonly name = 'InterruptedError';
  readonly code: (typeof interruptions)[InterruptingSignal]['code'];
  readonly signal: InterruptingSignal;

  constructor(signal: InterruptingSignal, details: ErrorDetails = {}) {
    super(interruptions[signal].message, details);
    this.signal = signal;
    this.code = interruptions[signal].code;
  }
}

export function toInterruption(signal: AbortSignal | undefined): OrgctlError {
  return signal?.reason instanceof OrgctlError ? signal.reason : new InterruptedError('SIGINT');
}

/** The user declined; the message says what was not done. */
export class DeclinedError extends OrgctlError {
  override readonly name = 'DeclinedError';
  readonly code = 'interrupted';
}

/** Replaces the advice of our own errors; returns any other error unchanged. */
export function withHint(error: unknown, advice: string | Advice): unknown {
  const { hint, next } = typeof advice === 'string' ? { hint: advice } : advice;
  return error instanceof OrgctlError
    ? Object.assign(error, { details: { ...error.details, hint, next } })
    : error;
}

export function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Describes a file system error in plain words, such as `no such file or directory`. */
export function describeFileError(error: unknown): string {
  const known = error instanceof Error && 'errno' in error && typeof error.errno === 'number';
  const [code, words] = (known && getSystemErrorMap().get(Number(error.errno))) || [];
  return (
    describeLostDirectory(error) ?? (code === 'EISDIR' ? 'is a directory' : (words ?? readMessage(error)))
  );
}

/** Describes the error for a relative path if the working directory was removed; else `undefined`. */
export function describeLostDirectory(error: unknown): string | undefined {
  const isLost = error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
  return isLost ? 'the working directory no longer exists' : undefined;
}

/** The `code` of Node's and undici's errors, such as `ENOENT`. */
export function readSystemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const noRoomCodes = ['ENOSPC', 'EDQUOT'];

/** Failures of the machine, whatever path was given. */
const machineCodes = new Set([...noRoomCodes, 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** For a user's file that cannot be written. `cause` says whether the user or the machine is at fault. */
export function refuseWriting(message: string, cause: unknown): UsageError | ConfigError {
  const details = { ...adviseWriting(cause), cause };
  const isOfMachine = machineCodes.has(readSystemCode(cause) ?? '');
  return isOfMachine ? new ConfigError(message, details) : new UsageError(message, details);
}

export function adviseWriting(error: unknown, otherwise?: string): Pick<Advice, 'hint'> {
  const isFull = noRoomCodes.includes(readSystemCode(error) ?? '');
  return { hint: isFull ? 'free some space on the disk, and run the command again' : otherwise };
}
