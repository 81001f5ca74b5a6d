import type { FastifyReply, FastifyRequest } from 'fastify';

/** What the server tells whoever runs it. No entry ever holds a secret, a password or a valid signature. */
export type LogEntry = RequestEntry | NoticeEntry;

/** One request and its answer. */
export interface RequestEntry {
  readonly event: 'request';
  /** ISO 8601, by the server's clock. */
  readonly time: string;
  readonly method: string;
  /** As on the request line. */
  readonly target: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The authenticated key. */
  readonly keyId?: string | undefined;
  /** Why it was refused. */
  readonly reason?: string | undefined;
}

/** Something that whoever runs the server should know. */
export interface NoticeEntry {
  readonly event: 'warning' | 'error';
  readonly time: string;
  readonly message: string;
}

export type Log = (entry: LogEntry) => void;

/** The hook that tells of each request once it is answered. */
export function requestLog(log: Log, clock: () => number) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    log({
      event: 'request',
      time: new Date(clock()).toISOString(),
      method: request.method,
      target: request.originalUrl,
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      keyId: request.key?.keyId,
      reason: request.reason ?? undefined,
    });
  };
}
