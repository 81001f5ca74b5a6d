import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyServerFactory } from 'fastify';
import { printJson } from '../../text/exact-json.js';
import { errorHandler } from './answer-error.js';
import type { HttpError } from './http-error.js';
import { announcesBody, awaitsContinue, discardRest } from './receive-body.js';
import { routableTarget } from './url-space.js';

declare module 'fastify' {
  interface FastifyRequest {
    arrivedAt: number;
  }
}

export interface BareAppOptions {
  readonly serverFactory: FastifyServerFactory<Server>;
  readonly onBroken: (error: Error, socket: Socket) => void;
  readonly toLocal?: ((target: string) => string) | undefined;
  readonly problemOf: (request: IncomingMessage) => HttpError | undefined;
  readonly report: (error: unknown) => void;
  readonly clock: () => number;
  readonly closing: () => boolean;
}

export function bareApp(options: BareAppOptions): FastifyInstance {
  const { toLocal } = options;
  const app = fastify<Server>({
    serverFactory: options.serverFactory,
    clientErrorHandler: options.onBroken,
    rewriteUrl:
      toLocal === undefined
        ? ({ url = '/' }) => routableTarget(url)
        : ({ url = '/' }) => routableTarget(toLocal(url)),
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // Shutdown finishes requests that have arrived.
    return503OnClosing: false,
    // A long identifier gets 404, as any unknown one does.
    routerOptions: { maxParamLength: 64 * 1024 },
  });
  app.setReplySerializer((payload) => printJson(payload));
  app.decorateRequest('refusal', null);
  app.decorateRequest('arrivedAt', 0);
  app.setErrorHandler(errorHandler(options.report));
  leaveBodiesAlone(app);
  hooks(app, options);
  return app;
}

function hooks(app: FastifyInstance, { problemOf, clock, closing }: BareAppOptions): void {
  app.addHook('onRequest', (request, _reply, done) => {
    request.arrivedAt = performance.now();
    done(problemOf(request.raw));
  });
  const date = dateHeader(clock);
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    reply.header('date', date());
    // Without 100 Continue, the body may or may not come, so the next bytes would be ambiguous.
    if (closing() || awaitsContinue(raw)) reply.header('connection', 'close');
    if (!raw.complete && announcesBody(raw)) discardRest(reply.raw);
    done();
  });
}

/** The server's time, to the second: clients measure their skew by it. */
function dateHeader(clock: () => number): () => string {
  let second = Number.NaN;
  let text = '';
  return () => {
    const now = Math.floor(clock() / 1000);
    if (now !== second) {
      second = now;
      text = new Date(now * 1000).toUTCString();
    }
    return text;
  };
}

/** Replaces the framework's compilers, because loading them would slow the start. */
function noCompiler(): never {
  throw new Error('routes have no JSON schema');
}

function leaveBodiesAlone(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}
