import type { IncomingMessage, Server } from 'node:http';
import fastify, { type FastifyInstance, type FastifyServerFactory } from 'fastify';
import { printJson } from '../../contract/exact-json.js';
import { type ControlApiOptions, controlApi } from '../control/routes.js';
import { unreadableExchange } from '../journal/recorder.js';
import { answerBrokenRequest } from '../listening/broken-request.js';
import { healthRoutes } from '../routes/health.js';
import { errorHandler } from './answer-error.js';
import type { HttpError } from './http-error.js';
import { type ServiceOptions, service } from './service.js';
import { ownPath, routableTarget } from './url-space.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** When the request arrived, by `performance.now()`. */
    arrivedAt: number;
  }
}

export interface AppOptions extends ServiceOptions, ControlApiOptions {
  readonly serverFactory: FastifyServerFactory<Server>;
  /** Why a request is refused by its head or its connection alone. */
  readonly problemOf: (request: IncomingMessage) => HttpError | undefined;
  /** Whether the server is about to stop, so that connections are not kept. */
  readonly closing: () => boolean;
}

/**
 * Puts the whole server together, without listening. A request passes the hooks here, then those of its scope (the
 * service, or the control API) and its route; every error ends in the one error handler.
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { clock, recorder } = options;
  const app = fastify<Server>({
    serverFactory: options.serverFactory,
    clientErrorHandler: (error, socket) =>
      answerBrokenRequest(error, socket, (refusal) =>
        recorder.record(unreadableExchange(refusal.statusCode, clock()), refusal),
      ),
    rewriteUrl: ({ url = '/' }) => routableTarget(url),
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // Requests that came before the end are finished, not refused.
    return503OnClosing: false,
    // The limit on headers is the limit on a path; a long identifier is not found like any other.
    routerOptions: { maxParamLength: 64 * 1024 },
  });
  app.setReplySerializer((payload) => printJson(payload));
  app.decorateRequest('refusal', null);
  app.decorateRequest('arrivedAt', 0);
  app.setErrorHandler(errorHandler(options.report));
  leaveBodiesAlone(app);
  hooks(app, options);
  healthRoutes(app, options.store);
  app.register((scope, _options, done) => {
    service(scope, options);
    done();
  });
  const control = (scope: FastifyInstance, _options: object, done: () => void) => {
    controlApi(scope, options);
    done();
  };
  app.register(control, { prefix: ownPath.control });
  await app.ready();
  return app;
}

/** The hooks of every request, whatever its scope. */
function hooks(app: FastifyInstance, { problemOf, clock, closing }: AppOptions): void {
  app.addHook('onRequest', (request, _reply, done) => {
    request.arrivedAt = performance.now();
    done(problemOf(request.raw));
  });
  const date = dateHeader(clock);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header('date', date());
    if (closing()) reply.header('connection', 'close');
    done();
  });
}

/** The `Date` header by a server's own clock, made once a second: clients read their skew from it. */
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

/** Bodies are checked by the contract's own schemas; the framework's compilers are half of what it loads at a start. */
function noCompiler(): never {
  throw new Error('routes have no JSON schema');
}

/** Bodies are read before authentication, as raw bytes, and parsed by the routes that want one. */
function leaveBodiesAlone(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}
