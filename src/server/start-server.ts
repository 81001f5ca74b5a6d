import { randomBytes } from 'node:crypto';
import { once } from '../platform/once.js';
import { openStore } from '../storage/store.js';
import { ownProcessId } from '../terminal/process/system.js';
import { isLoopback } from '../text/base-url.js';
import { serverCertificate } from './certificate/certificate.js';
import { type ManagementConsole, openConsoleListener } from './console/open-console.js';
import { serverClock } from './control/clock.js';
import type { Controlled } from './control/controlled.js';
import { controllers, requireController } from './control/guard.js';
import { openControl } from './control/open-control.js';
import { openDataDirectory, openEngine } from './data/data-directory.js';
import { masterKeySource } from './data/master-key.js';
import { leaveServerFile } from './data/server-file.js';
import { HttpError } from './http/answer.js';
import type { Connections } from './http/connections.js';
import { certificateHosts, listen, toUrl } from './http/listen.js';
import type { Handle } from './http/listener.js';
import { type Notify, notifying } from './journal/log.js';
import { checkServerOptions, type RunningServer, type ServerOptions } from './options.js';
import { initialState, profileKey } from './seed/initial-state.js';
import { handleRequest } from './serve-request.js';
import { openService, type Service } from './service.js';

type Release = () => Promise<void>;

/** Milliseconds until the control API is loaded even if unused: an upgrade may replace its files. */
const loadAfter = 1000;

/**
 * Starts the service on this machine; resolves when it is ready. Several servers can run in one process.
 * @throws UsageError for an unusable option or port; ConfigError for unusable data, keys or certificate
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  checkServerOptions(options);
  const releases: Release[] = [];
  try {
    return await startParts(options, releases);
  } catch (error) {
    await releaseAll(releases).catch(() => undefined);
    throw error;
  }
}

/** Releases in reverse order. @throws the first error, after all releases */
async function releaseAll(releases: Release[]): Promise<void> {
  const failures: unknown[] = [];
  for (let release = releases.pop(); release !== undefined; release = releases.pop()) {
    await release().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function startParts(options: ServerOptions, releases: Release[]): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 0, console: wanted = false, saveProfile, profile } = options;
  const { state, directory, caFile, database, ...parts } = await openData(options, host, releases);
  const { keyId, secret, organizationId: organization } = state.key;
  const { dialect, notify, store } = parts;
  const data = directory.kept ? directory.path : undefined;
  const controlToken = randomBytes(32).toString('hex');
  const allowed = controllers(controlToken, options);
  const mountControl = async (connections: Connections) =>
    (await import('./control/control-api.js')).controlApi(controlled, connections);
  const ownControl = once(() => mountControl(service.listener.connections));
  const answerControl: Handle = async (request, response) => {
    requireController(request, allowed);
    return (await ownControl())(request, response);
  };
  const service: Service = openService({ ...parts, options, organization }, (request, response) =>
    handleRequest(request, response, service, answerControl),
  );
  setTimeout(() => ownControl().catch(() => undefined), loadAfter).unref();
  releases.push(() => service.usage.flush());
  let management: ManagementConsole | undefined;
  let bound = port;
  const start = { pid: ownProcessId(), startedAt: new Date().toISOString() };
  const { faults, stubs, rateLimiter, journal } = service;
  const controlled: Controlled = {
    ...{ service, journal, content: state.content, snapshots: [] },
    isClosed: () => releases.length === 0,
    status: () => ({
      url: toUrl(parts.tls ? 'https' : 'http', host, bound) + (dialect?.basePath ?? ''),
      ...{ ...start, organization, keyId, data, database, caFile, profile, dialect: dialect?.name },
      ...{ console: management?.url, savesProfiles: saveProfile !== undefined },
      ...{ clock: service.serverClock.state(), faults: faults.get(), rateLimit: rateLimiter.limit ?? null },
      stubs: stubs.get().map(({ request, status, hits }) => ({ request, status, hits })),
    }),
    consoleLink() {
      if (management === undefined) throw new HttpError(404, 'this server has no management console');
      return management.link();
    },
  };
  bound = await listen(service.listener.server, host, port);
  // In parallel, so that the grace periods do not add up.
  releases.push(async () => {
    await Promise.all([service.listener.close(), management?.close()]);
  });
  warnOfOthers(host, options, notify);
  const consolePort = typeof wanted === 'object' ? (wanted.port ?? 0) : 0;
  // Local programs may distrust the user's own certificate, so the console admits them.
  const guards = { mountControl, controllers: options.tls && allowed };
  if (wanted !== false) management = await openConsoleListener(consolePort, notify, guards);
  const facts = controlled.status();
  if (directory.kept) releases.push(await leaveServerFile(directory.path, { ...facts, token: controlToken }));
  const close = once(() => releaseAll(releases));
  return {
    ...{ url: facts.url, caFile, keyId, secret, organization, data, database, controlToken, close },
    profileKey: () => profileKey(store, organization),
    seededKeys: state.seededKeys,
    console: management?.firstLink(),
    control: openControl(controlled),
    [Symbol.asyncDispose]: close,
  };
}

async function openData(options: ServerOptions, host: string, releases: Release[]) {
  const wanted = options.dialect;
  const dialect =
    wanted === undefined ? undefined : (await import('./dialect/open-dialect.js')).openDialect(wanted);
  const clock = serverClock(options.clock ?? (() => Date.now()), options.clockOffset);
  const notify = notifying(options.onLog, clock.now);
  const directory = await openDataDirectory(options.data);
  releases.push(directory.release);
  const engine = await openEngine(directory.database, options.database);
  const store = await openStore(engine, clock.now, masterKeySource(directory, options));
  releases.push(store.close);
  const hosts = certificateHosts(host, options.tlsNames);
  const warn = (message: string) => notify('warning', message);
  // Under a lock: servers that share a database may also share a directory.
  const [state, certificate] = await store.alone(async () => [
    await initialState(store, options, warn),
    // Clients check the certificate by real time, not by the server's clock.
    options.http || options.tls
      ? undefined
      : await serverCertificate(directory.path, hosts, new Date(), warn),
  ]);
  const database = engine.exclusive ? undefined : engine.place;
  const [tls, caFile] = [options.tls ?? certificate, certificate?.caFile];
  return { store, serverClock: clock, notify, dialect, directory, state, tls, caFile, database };
}

function warnOfOthers(host: string, { controlHosts = [] }: ServerOptions, notify: Notify): void {
  if (!isLoopback(host)) notify('warning', `listening on ${host}: other machines can reach this server`);
  if (controlHosts.length > 0)
    notify('warning', `other machines can reach the control API under ${controlHosts.join(', ')}`);
}
