import type { IncomingMessage, Server } from 'node:http';
import fastify, { type FastifyInstance, type FastifyServerFactory } from 'fastify';
import { printJson } from '../../contract/exact-json.js';
import { type ControlApiOptions, controlApi } from '../control/routes.js';
import { earlyRefusals } from '../journal/early-refusals.js';
import { answerBrokenRequest } from '../listening/broken-request.js';
import { healthRoutes } from '../routes/health.js';
import { type ServiceOptions, service } from '../service.js';
import { dateHeader } from './date-header.js';
import { errorHandler } from './error-handler.js';

export interface AppOptions extends ServiceOptions, ControlApiOptions {
  readonly serverFactory: FastifyServerFactory<Server>;
  /** Told of errors that nobody expected. */
  readonly report: (error: unknown) => void;
  /** Whether the server is about to stop, so that connections are not kept. */
  readonly closing: () => boolean;
}

/** Puts the whole server together, without listening. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { ofBrokenRequest } = earlyRefusals(options);
  const app = fastify<Server>({
    serverFactory: options.serverFactory,
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, ofBrokenRequest),
    rewriteUrl: routableUrl,
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // Requests that came before the end are finished, not refused.
    return503OnClosing: false,
    // The limit on headers is the limit on a path; a long identifier is not found like any other.
    routerOptions: { maxParamLength: 64 * 1024 },
  });
  app.setReplySerializer((payload) => printJson(payload));
  app.decorateRequest('refusal', null);
  app.setErrorHandler(errorHandler(options.report));
  leaveBodiesAlone(app);
  const date = dateHeader(options.clock);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header('date', date());
    if (options.closing()) reply.header('connection', 'close');
    done();
  });
  healthRoutes(app, options.store);
  app.register((scope, _options, done) => {
    service(scope, options);
    done();
  });
  const control = (scope: FastifyInstance, _options: object, done: () => void) => {
    controlApi(scope, options);
    done();
  };
  app.register(control, { prefix: '/_control' });
  await app.ready();
  return app;
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

/**
 * A target whose escapes cannot be decoded would be refused before any hook has run; here it is authenticated first,
 * over the target as it came, and then not found, like every other path that is not there.
 */
function routableUrl({ url = '/' }: IncomingMessage): string {
  if (!url.includes('%')) return url;
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return url;
  } catch (error) {
    if (error instanceof URIError) return '/';
    throw error;
  }
}
