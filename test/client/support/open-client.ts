import { onTestFinished } from 'vitest';
import { readAdvice } from '../../../src/cli/error-report.js';
import { type Api, createApi } from '../../../src/client/api.js';
import type { ConnectorOptions } from '../../../src/client/network/connector.js';
import { openSender } from '../../../src/client/network/direct-sender.js';
import {
  createTransport,
  type Transport,
  type TransportOptions,
} from '../../../src/client/transport/transport.js';
import { OrgctlError } from '../../../src/errors/errors.js';

export const credential = { keyId: 'key_4711', secret: `${'0123456789abcdef'.repeat(3)}ABCDEFGHIJKLMNOP` };
/** 2026-03-01T12:00:00Z, in milliseconds since the epoch. */
export const noon = Date.UTC(2026, 2, 1, 12);

export const get = { method: 'GET', target: '/teams' } as const;
export const post = {
  method: 'POST',
  target: '/teams',
  body: Buffer.from('{"name":"a"}'),
  contentType: 'application/json',
} as const;

export type ClientOptions = Partial<Omit<TransportOptions, 'sender' | 'origin' | 'signal'>> & {
  readonly caFile?: string | undefined;
  readonly env?: ConnectorOptions['env'] | undefined;
};

export interface OpenClient {
  readonly transport: Transport;
  readonly api: Api;
  readonly notes: string[];
  readonly traced: string[];
  /** The waits between attempts, in milliseconds; none of them takes any time. */
  readonly waits: number[];
  /** Ends whatever is under way. */
  readonly interrupt: AbortController;
}

let open: (options: ConnectorOptions) => TransportOptions['sender'] = openSender;

/** Opens clients over another sender than Node's HTTP client, until called without one. */
export function openOver(other: typeof open = openSender): void {
  open = other;
}

/** A client of one origin: the clock stands at noon, waits take no time, and it is closed with the test. */
export function openClient({ origin }: { readonly origin: string }, options: ClientOptions = {}): OpenClient {
  const { caFile, env = {}, ...rest } = options;
  const sender = open({ origin, caFile, env });
  const notes: string[] = [];
  const traced: string[] = [];
  const waits: number[] = [];
  const interrupt = new AbortController();
  const transport = createTransport({
    sender,
    origin,
    prefix: '',
    credential,
    auth: 'hmac',
    clock: () => noon,
    timeout: 10_000,
    deadline: 60_000,
    retries: 0,
    signal: interrupt.signal,
    userAgent: 'orgctl/test',
    note: (text) => void notes.push(text),
    trace: (line) => void traced.push(line),
    random: () => 0.5,
    wait: async (milliseconds) => void waits.push(milliseconds),
    ...rest,
  });
  onTestFinished(() => transport.close());
  return { transport, api: createApi(transport), notes, traced, waits, interrupt };
}

/** What a call failed with: its class, code, message and details, in one flat object, its hint as the command line has it. */
export async function failureOf(call: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    const value = await call;
    return { resolved: value };
  } catch (error) {
    if (!(error instanceof OrgctlError)) throw error;
    return { code: error.code, message: error.message, ...error.details, ...readAdvice(error) };
  }
}
