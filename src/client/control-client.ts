import type { Dispatcher } from 'undici';
import type { JournalQueryText, StubInput } from '../api/control/control.js';
import {
  clockAnswerSchema,
  consoleInvitationSchema,
  consoleLinkSchema,
  controlledKeySchema,
  type FaultAnswer,
  faultsAnswerSchema,
  issuedKeySchema,
  type JournalEntryAnswer,
  journalAnswerSchema,
  journalEntrySchema,
  keysAnswerSchema,
  missedSchema,
  type StubAnswer,
  snapshotAnswerSchema,
  statusAnswerSchema,
  stubsAnswerSchema,
} from '../api/control/control-answers.js';
import { journalEvent, readEvents, type ServerSentEvent } from '../api/control/control-events.js';
import { quotaRecordSchema } from '../api/quota.js';
import type { z } from '../api/schema/schema.js';
import { advise, OrgctlError, OutcomeUnknownError, withHint } from '../errors/errors.js';
import { parseJson, printJson } from '../text/exact-json.js';
import { answerError, redirectError } from './answers/answer-error.js';
import { decode } from './answers/decode.js';
import { type Answer, ExchangeFailure, exchange } from './exchange/exchange.js';
import { calledAs, type Method } from './exchange/request.js';
import { failureError } from './transport/failure-error.js';

export interface ControlOptions {
  /** The address of the control API, such as `https://127.0.0.1:8443/_control`. */
  readonly address: URL;
  /** Its bearer token. */
  readonly token: string;
  readonly dispatcher: Dispatcher;
  /** Milliseconds that one call may take. */
  readonly timeout: number;
  /** Aborts whatever is in progress; its reason is thrown. */
  readonly signal: AbortSignal;
}

/** Requests as they are answered, and the state of the stream. */
export interface JournalNews {
  readonly entries: readonly JournalEntryAnswer[];
  /** How many entries this reader missed before these. */
  readonly missed: number;
  /** The ID to resume from. */
  readonly lastId: string | undefined;
}

/** The largest answer that is read, in bytes: a whole journal with bodies of 16 KiB. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** Milliseconds of silence after which a stream is given up; the server sends a sign of life every 15 seconds. */
const longestSilence = 60_000;

/**
 * Typed calls of the control API of `orgctl serve` [ours].
 *
 * All throw ServiceError for an answer other than 2xx, NetworkError when the server was not reached, and
 * OutcomeUnknownError when a change got no answer.
 */
export function createControlClient(options: ControlOptions) {
  const { dispatcher } = options;
  const read = async <Schema extends z.ZodMiniType>(path: string, schema: Schema) =>
    decode(await send(options, 'GET', path), schema);
  const change = async <Schema extends z.ZodMiniType>(
    [method, path]: readonly [Method, string],
    schema: Schema,
    body?: object,
  ) => decode(await send(options, method, path, body), schema);
  const key = (id: string) => `/keys/${encodeURIComponent(id)}`;
  return {
    status: () => read('/status', statusAnswerSchema),
    consoleLink: () => change(['POST', '/console/links'], consoleLinkSchema),
    consoleInvitation: () => change(['POST', '/console/codes'], consoleInvitationSchema),
    reset: async () => void (await send(options, 'POST', '/reset')),
    snapshot: () => change(['POST', '/snapshot'], snapshotAnswerSchema),
    restore: (snapshot: string) => change(['POST', '/restore'], snapshotAnswerSchema, { snapshot }),
    clock: {
      get: () => read('/clock', clockAnswerSchema),
      set: (time: string) => change(['PUT', '/clock'], clockAnswerSchema, { time }),
      advance: (by: string) => change(['POST', '/clock/advance'], clockAnswerSchema, { by }),
    },
    faults: {
      get: async (): Promise<FaultAnswer[]> => (await read('/faults', faultsAnswerSchema)).faults,
      set: async (rules: readonly string[]): Promise<FaultAnswer[]> =>
        (await change(['PUT', '/faults'], faultsAnswerSchema, { rules })).faults,
      clear: async () => void (await send(options, 'DELETE', '/faults')),
    },
    stubs: {
      get: async (): Promise<StubAnswer[]> => (await read('/stubs', stubsAnswerSchema)).stubs,
      set: async (stubs: readonly (string | StubInput)[]): Promise<StubAnswer[]> =>
        (await change(['PUT', '/stubs'], stubsAnswerSchema, { stubs })).stubs,
      clear: async () => void (await send(options, 'DELETE', '/stubs')),
    },
    quotas: {
      set: (limits: Readonly<Record<string, number>>, organization: string | undefined) =>
        change(['PUT', '/quotas'], quotaRecordSchema, { limits, organization }),
    },
    keys: {
      list: async (organization: string | undefined) =>
        (await read(`/keys${queryOf({ organization })}`, keysAnswerSchema)).keys,
      issue: (input: { readonly name?: string | undefined; readonly organization?: string | undefined }) =>
        change(['POST', '/keys'], issuedKeySchema, input),
      enable: (id: string) => change(['POST', `${key(id)}/enable`], controlledKeySchema),
      disable: (id: string) => change(['POST', `${key(id)}/disable`], controlledKeySchema),
      revoke: async (id: string) => void (await send(options, 'DELETE', key(id))),
    },
    journal: {
      get: async (query: JournalQueryText): Promise<JournalEntryAnswer[]> =>
        (await read(`/journal${queryOf(query)}`, journalAnswerSchema)).entries,
      /** The stream, starting after `lastId`; it ends when the server does. */
      follow: (query: JournalQueryText, lastId: string | undefined) => follow(options, query, lastId),
    },
    close: () => dispatcher.destroy(),
  };
}

export type ControlClient = ReturnType<typeof createControlClient>;

async function send(options: ControlOptions, method: Method, path: string, body?: object): Promise<Answer> {
  const { address, dispatcher, timeout, signal } = options;
  const target = `${address.pathname}${path}`;
  const called = calledAs(method, target);
  const way = { origin: address.origin, allowed: allowed(timeout), signal };
  const request = {
    origin: address.origin,
    path: target,
    method,
    headers: { ...headersOf(options), ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : printJson(body),
  };
  const answer = await exchange(dispatcher, request, { maxBytes: maxAnswerBytes, timeout, signal }).catch(
    (failure: unknown) => {
      throw toSteer(failureError(failure, called, way));
    },
  );
  return accepted(answer);
}

function accepted(answer: Answer): Answer {
  if (answer.status < 300) return answer;
  throw answer.status < 400 ? redirectError(answer) : answerError(answer, Date.now(), 'ID');
}

async function* follow(
  options: ControlOptions,
  query: JournalQueryText,
  lastId: string | undefined,
): AsyncGenerator<JournalNews> {
  const { address, dispatcher, timeout, signal } = options;
  const path = `${address.pathname}/journal/stream${queryOf(query)}`;
  const called = calledAs('GET', path);
  try {
    const { statusCode, headers, body } = await dispatcher.request({
      origin: address.origin,
      path,
      method: 'GET',
      headers: { ...headersOf(options), 'last-event-id': lastId },
      signal,
      headersTimeout: timeout,
      bodyTimeout: longestSilence,
    });
    if (statusCode >= 300) {
      accepted({ called, status: statusCode, headers, body: Buffer.from(await body.arrayBuffer()) });
    }
    for await (const { events, lastId } of readEvents(body)) yield { ...newsOf(events), lastId };
  } catch (error) {
    const way = { origin: address.origin, allowed: allowed(timeout), signal };
    throw error instanceof OrgctlError
      ? error
      : failureError(new ExchangeFailure(error, false, undefined), called, way);
  }
}

function newsOf(events: readonly ServerSentEvent[]): Omit<JournalNews, 'lastId'> {
  const entries: JournalEntryAnswer[] = [];
  let missed = 0;
  for (const { name, data } of events) {
    if (name === journalEvent.request) entries.push(journalEntrySchema.parse(parseJson(data)));
    else if (name === journalEvent.missed) missed += missedSchema.parse(parseJson(data)).count;
  }
  return { entries, missed };
}

function headersOf({ token }: ControlOptions): Record<string, string> {
  return { authorization: `Bearer ${token}`, accept: 'application/json' };
}

function queryOf(query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

function allowed(timeout: number) {
  return { timeout, option: 'timeout', value: timeout } as const;
}

/** The command that shows whether a change was made differs from the service's. */
function toSteer(error: unknown): unknown {
  return error instanceof OutcomeUnknownError
    ? withHint(
        error,
        advise(['orgctl', 'local', 'status'], (command) => `look before you repeat it: ${command}`),
      )
    : error;
}
