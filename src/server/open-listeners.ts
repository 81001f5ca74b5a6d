import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { readMessage } from '../errors/errors.js';
import type { Store } from '../storage/store.js';
import { isLoopback } from '../text/base-url.js';
import { FailedAttempts } from './admission/failed-attempts.js';
import type { UsageRecorder } from './admission/usage-recorder.js';
import { buildApp, buildControl } from './app.js';
import { type ManagementConsole, openConsoleListener } from './console/open-console.js';
import type { ControlApiOptions } from './control/routes.js';
import type { TestControls } from './control/test-controls.js';
import type { OpenedDialect } from './dialect/open-dialect.js';
import { chooseWriter } from './explain/command-writer.js';
import { ByteBudget } from './http/byte-budget.js';
import { defaultLimits } from './http/limits.js';
import { Turns } from './http/turns.js';
import { UnprovenRequests } from './http/unproven-requests.js';
import { ownTargets } from './http/url-space.js';
import type { Notify } from './journal/log.js';
import { LateApp } from './late/late-app.js';
import { ConnectionLimiter } from './listening/connection-limiter.js';
import { Drain } from './listening/drain.js';
import { createHttpServer, type TlsIdentity } from './listening/http-server.js';
import { listen } from './listening/listen.js';
import { problemOfHead } from './listening/request-head.js';
import type { ServerOptions } from './options/server-options.js';

export type Release = () => Promise<void>;

export interface ListenerOptions extends Pick<ControlApiOptions, 'control' | 'authorize'> {
  readonly options: ServerOptions;
  readonly store: Store;
  readonly testControls: TestControls;
  readonly usage: UsageRecorder;
  readonly notify: Notify;
  readonly directory: string | undefined;
  readonly tls: TlsIdentity | undefined;
  readonly host: string;
  readonly port: number;
  readonly maxSkew: number;
  readonly dialect: OpenedDialect | undefined;
}

export interface Listening {
  readonly port: number;
  readonly console: ManagementConsole | undefined;
}

export async function openListeners(listener: ListenerOptions, releases: Release[]): Promise<Listening> {
  const { options, store, testControls, usage, control, notify, tls, host, maxSkew, dialect } = listener;
  const writeCommand = chooseWriter(options);
  const { saveProfile, requestStop } = options;
  const { journal, faults, stubs, rateLimiter, recorder } = testControls;
  const clock = testControls.clock.now;
  const report = (error: unknown) => notify('error', readMessage(error));
  const kept = { control, store, saveProfile, requestStop, journal };
  const answering = { ...kept, report, clock, writeCommand, turns: new Turns() };
  const drain = new Drain();
  const limits = { ...defaultLimits, ...options.limits };
  const unproven = new UnprovenRequests();
  const room = new ConnectionLimiter(limits, unproven);
  let management: ManagementConsole | undefined;
  const door = { held: new ByteBudget(limits.heldBytes, unproven), ...guardEntry(room, drain) };
  const mountControl = mountControlWith(answering);
  const mount = (scope: FastifyInstance) => mountControl(scope, { ...door, authorize: listener.authorize });
  const lateControl = new LateApp(
    () => buildControl({ report, clock, ...door, serverFactory: () => app.server }, mount),
    report,
  );
  const app = await buildApp({
    ...answering,
    ...door,
    lateControl,
    consoleAddress: () => management?.url,
    usage,
    protocol: tls ? 'https' : 'http',
    maxSkew,
    faults,
    stubs,
    targets: dialect?.targets ?? ownTargets,
    dialect,
    rateLimiter,
    recorder,
    unproven,
    failedAttempts: new FailedAttempts(limits),
    postpone: drain.postpone.bind(drain),
    serverFactory(handler) {
      const server = createHttpServer(handler, { tls, limits, spelling: dialect?.spelling, room });
      drain.watch(server);
      return server;
    },
  });
  releases.push(async () => {
    await app.close();
    await lateControl.close();
  });
  const bound = await listen(app.server, host, listener.port);
  // In parallel, so that the grace periods do not add up.
  releases.push(async () => {
    await Promise.all([drain.close(app.server), management?.close()]);
  });
  warnOfOthers(host, options, notify);
  const consolePort = portOfConsole(options);
  if (consolePort !== undefined)
    management = await openConsoleListener({
      ...{ report, clock, writeCommand },
      mountControl,
      port: consolePort,
      limits,
      notify,
      directory: listener.directory,
    });
  releases.push(prepareSoon(lateControl));
  return { port: bound, console: management };
}

function guardEntry(room: ConnectionLimiter, drain: Drain) {
  return {
    problemOf: (request: IncomingMessage) => room.problemOf(request.socket) ?? problemOfHead(request),
    closing: () => drain.closing,
    ended: drain.ended,
  };
}

type ControlDoor = Pick<ControlApiOptions, 'held' | 'ended' | 'authorize' | 'isOfPage'>;

/** Loads the control API only on demand: servers start faster without it. */
function mountControlWith(answering: Omit<ControlApiOptions, keyof ControlDoor>) {
  return async (scope: FastifyInstance, door: ControlDoor) => {
    const { controlApi } = await import('./control/routes.js');
    controlApi(scope, { ...answering, ...door });
  };
}

/** Milliseconds; a server that runs only for one command seldom needs the control API. */
const prepareAfter = 1000;

/** Loads the control API before an upgrade replaces its files: without it, `orgctl local stop` could not work. */
function prepareSoon(late: LateApp): Release {
  const timer = setTimeout(() => late.prepare(), prepareAfter).unref();
  return async () => clearTimeout(timer);
}

function portOfConsole({ console: wanted = false }: ServerOptions): number | undefined {
  if (wanted === false) return undefined;
  return wanted === true ? 0 : (wanted.port ?? 0);
}

function warnOfOthers(host: string, { controlHosts = [] }: ServerOptions, notify: Notify): void {
  if (!isLoopback(host)) notify('warning', `listening on ${host}: other machines can reach this server`);
  if (controlHosts.length === 0) return;
  const names = controlHosts.join(', ');
  notify(
    'warning',
    `other machines can reach the control API under ${names}: anyone with its token can control this server`,
  );
}
