import {
  addQuery,
  type CallName,
  journalStreamPath,
  type WrittenCall,
  writeCall,
} from '../api/control/calls.js';
import type { JournalQueryText } from '../api/control/control.js';
import {
  type CallAnswer,
  type CallArguments,
  controlAnswers,
  type JournalEntryAnswer,
  journalEntrySchema,
  missedSchema,
} from '../api/control/control-answers.js';
import { journalEvent, readEvents, type ServerSentEvent } from '../api/control/control-events.js';
import { z } from '../api/schema/schema.js';
import { OrgctlError, OutcomeUnknownError, ServiceError, withHint } from '../errors/errors.js';
import { parseJson, printJson } from '../text/exact-json.js';
import { answerError, redirectError } from './answers/answer-error.js';
import { decode } from './answers/decode.js';
import {
  type Answer,
  ExchangeFailure,
  ExchangeTimeoutError,
  exchange,
  type Sender,
} from './exchange/exchange.js';
import { type Called, calledAs, checkFirst, isChanging } from './exchange/request.js';
import { allowTime } from './exchange/retry.js';
import { failureError, type RequestContext } from './transport/failures.js';

export interface ControlOptions {
  readonly address: URL;
  readonly token: string;
  readonly sender: Sender;
  readonly timeout: number;
  /** Default: none. Control calls are not repeated, so the shorter of `timeout` and `deadline` applies. */
  readonly deadline?: number | undefined;
  readonly signal: AbortSignal;
}

export interface JournalNews {
  readonly entries: readonly JournalEntryAnswer[];
  readonly missed: number;
}

/** Bytes; enough for a full journal with bodies of 16 KiB. */
const maxBytes = 64 * 1024 * 1024;

/** Milliseconds; an idle server sends a keep-alive every 15 seconds. */
const longestSilence = 60_000;

const answers: { readonly [Name in CallName]: z.ZodMiniType<CallAnswer<Name>> } = controlAnswers;

/**
 * Typed calls to the control API of `orgctl serve` or `orgctl proxy`. They reject with a ServiceError for a refusal or
 * an unexpected response, a NetworkError if the server was not reached or a read got no response, an OutcomeUnknownError
 * if a change got no response, or the reason of an abort.
 */
export class ControlClient {
  readonly #options: ControlOptions;

  constructor(options: ControlOptions) {
    this.#options = options;
  }

  async call<Name extends CallName>(name: Name, ...[input]: CallArguments<Name>): Promise<CallAnswer<Name>> {
    const answer = await sendControl(this.#options, writeCall(name, input));
    return answer.status === 204
      ? z.parse(answers[name], undefined)
      : decode(answer, answers[name], maxBytes);
  }

  /** Yields requests from the journal, then new ones until the server stops. */
  follow(query: JournalQueryText): AsyncGenerator<JournalNews> {
    return followStream(this.#options, query);
  }

  close(): Promise<void> {
    return this.#options.sender.close();
  }
}

async function sendControl(options: ControlOptions, { method, target, body }: WrittenCall): Promise<Answer> {
  const { address, sender, signal } = options;
  const path = address.pathname + target;
  const request = {
    path,
    method,
    headers: [
      ...controlHeaders(options),
      ...(body === undefined ? [] : ['content-type', 'application/json']),
    ],
    body: body && Buffer.from(printJson(body)),
  };
  const way = describeWay(options);
  const limits = { maxBytes, timeout: way.allowed.timeout, signal };
  const answer = await exchange(sender, request, limits).catch((failure: unknown) => {
    const called = calledAs(method, path);
    throw withControlHint(failureError(failure, called, way), called);
  });
  return requireAccepted(answer);
}

function requireAccepted(answer: Answer): Answer {
  const { status, called } = answer;
  if (status < 300) return answer;
  throw withControlHint(status < 400 ? redirectError(answer) : answerError(answer, Date.now(), 'ID'), called);
}

/** Replaces hints that are about the service: its paths, its credential, or commands that show its resources. */
function withControlHint(error: unknown, called: Called): unknown {
  const isRefusal = error instanceof ServiceError;
  if (error instanceof OutcomeUnknownError || (isRefusal && error.code === 'server' && isChanging(called)))
    return withHint(error, checkStatus);
  if (!isRefusal) return error;
  if (error.code === 'quota_exceeded') return withHint(error, 'raise the limit with orgctl local quotas set');
  const isOfAccess = error.code === 'unauthenticated' || error.code === 'forbidden';
  return withHint(error, isOfAccess ? ownAccess : {});
}

const ownAccess = 'the ready line of the server has the address and the token of its control API';

const checkStatus = { ...checkFirst, next: ['orgctl', 'local', 'status'] };

async function* followStream(options: ControlOptions, query: JournalQueryText): AsyncGenerator<JournalNews> {
  const { address, sender, signal } = options;
  const path = address.pathname + addQuery(journalStreamPath, query);
  const called = calledAs('GET', path);
  const way = describeWay(options);
  const cut = new AbortController();
  const onAbort = () => cut.abort(signal.reason);
  signal.addEventListener('abort', onAbort);
  const stopAfter = (milliseconds: number) =>
    setTimeout(() => cut.abort(new ExchangeTimeoutError()), milliseconds);
  let timer = stopAfter(way.allowed.timeout);
  let hasBegun = false;
  try {
    signal.throwIfAborted();
    const request = { method: 'GET', path, headers: controlHeaders(options) };
    const { body, ...head } = await sender.open(request, cut.signal, () => undefined);
    hasBegun = true;
    if (head.status >= 300) requireAccepted({ called, ...head, body: await readStart(body) });
    for await (const { events } of readEvents(body)) {
      // The time that the caller takes for the events does not count.
      clearTimeout(timer);
      yield readNews(events);
      timer = stopAfter(longestSilence);
    }
  } catch (error) {
    if (error instanceof OrgctlError) throw error;
    const failure = new ExchangeFailure(cut.signal.aborted ? cut.signal.reason : error, hasBegun, undefined);
    throw failureError(failure, called, way);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    cut.abort();
  }
}

async function readStart(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) if (chunks.push(chunk) === 16) break;
  return Buffer.concat(chunks);
}

function readNews(events: readonly ServerSentEvent[]): JournalNews {
  const entries: JournalEntryAnswer[] = [];
  let missed = 0;
  for (const { name, data } of events) {
    if (name === journalEvent.request) entries.push(journalEntrySchema.parse(parseJson(data)));
    else if (name === journalEvent.missed) missed += missedSchema.parse(parseJson(data)).count;
  }
  return { entries, missed };
}

function controlHeaders({ token }: ControlOptions): string[] {
  return ['authorization', `Bearer ${token}`, 'accept', 'application/json'];
}

function describeWay({ address, signal, timeout, deadline }: ControlOptions): RequestContext {
  const longest = deadline ?? Number.POSITIVE_INFINITY;
  const allowed = allowTime(timeout, longest, performance.now() + longest);
  return { origin: address.origin, allowed, signal };
}
