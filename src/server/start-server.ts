import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { withHint } from '../errors/errors.js';
import type { KeyCredential } from '../storage/api-keys.js';
import type { Engine } from '../storage/engine.js';
import { DirectoryInUse } from '../storage/sqlite/engine.js';
import { openStore, type Store } from '../storage/store.js';
import { ownProcessId } from '../terminal/process/process-system.js';
import { isLoopback } from '../text/base-url.js';
import { type ServerCertificate, serverCertificate } from './certificate/certificate.js';
import { checkServerOptions } from './check-options.js';
import { type ManagementConsole, openConsoleListener } from './console/open-console.js';
import { ServerClock } from './control/clock.js';
import type { ControlDoor } from './control/control-handler.js';
import { controlService } from './control/controlled.js';
import { type Controllers, controllers, requireController } from './control/guard.js';
import { openControl } from './control/open-control.js';
import { type DataDirectory, databaseName, openDataDirectory, openEngine } from './data/data-directory.js';
import { listProfileKeys } from './data/first-key.js';
import { masterKeySource } from './data/master-key.js';
import { leaveServerFile } from './data/server-file.js';
import type { OpenedDialect } from './dialect/open-dialect.js';
import { defaultLimits } from './http/limits.js';
import { certificateHosts, listen, probePort, toUrl } from './http/listen.js';
import type { Handle, Listener } from './http/listener.js';
import { type Notify, notifying } from './journal/log.js';
import { openService } from './open-service.js';
import type { ServerOptions } from './options/server-options.js';
import type { RunningServer } from './running-server.js';
import { initialState } from './seed/initial-state.js';
import type { Service } from './service.js';

type Release = () => Promise<void>;

/**
 * Starts the service on this machine; resolves when it is ready. Several servers can run in one process.
 * @throws UsageError for an unusable option or port; ConfigError for unusable data, keys or certificate
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  checkServerOptions(options);
  await probeForNewData(options);
  const releases: Release[] = [];
  try {
    return await startParts(options, releases);
  } catch (error) {
    await releaseAll(releases).catch(() => undefined);
    throw error;
  }
}

/** Releases in reverse order. Continues after a failure, and throws the first failure at the end. */
async function releaseAll(releases: Release[]): Promise<void> {
  const failures: unknown[] = [];
  for (let release = releases.pop(); release !== undefined; release = releases.pop()) {
    await release().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

function closingOnce(releases: Release[]): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => {
    closing ??= releaseAll(releases);
    return closing;
  };
}

const defaultHost = '127.0.0.1';

function offerOtherData(error: unknown): never {
  if (!(error instanceof DirectoryInUse)) throw error;
  throw withHint(error, {
    ...error.details,
    hint: 'choose another data directory, or stop that server',
  });
}

async function startParts(options: ServerOptions, releases: Release[]): Promise<RunningServer> {
  const { host = defaultHost, port = 0, clock: source = () => Date.now() } = options;
  const dialect = await loadDialect(options);
  const serverClock = new ServerClock(source, options.clockOffset);
  const notify = notifying(options.onLog, serverClock.now);
  const directory = await openDataDirectory(options.data);
  releases.push(directory.release);
  const engine = await openEngine(directory.database, options.database).catch(offerOtherData);
  const store = await openStore(engine, {
    clock: serverClock.now,
    masterKey: masterKeySource(directory, options),
  });
  releases.push(store.close);
  // One server at a time, because servers that share a database may also share their directory.
  const [{ key, content, seededKeys, seedPassedOver }, certificate] = await store.alone(async () => [
    await initialState(store, options),
    await certificateFor(options, directory, host, notify),
  ]);
  if (seedPassedOver) notify('warning', 'the seed was not applied: the store already has data');
  const organization = key.organizationId;
  const tls = options.tls ?? certificate;
  const controlToken = randomBytes(32).toString('hex');
  const loadControl: OpenControl = async (door) => {
    const { controlApi } = await import('./control/control-api.js');
    return controlApi(controlled, door);
  };
  const parts = { options, store, serverClock, notify, dialect, tls, organization };
  const own = ownControl(() => service.listener, loadControl, controllers(controlToken, options));
  const service = openService(parts, own);
  setTimeout(() => own().catch(() => undefined), loadAfter).unref();
  releases.push(() => service.usage.flush());
  let bound = port;
  const fixed = {
    ...{ dialect: dialect?.name, pid: ownProcessId(), startedAt: new Date().toISOString(), organization },
    ...{ keyId: key.keyId, caFile: certificate?.caFile, ...describeData(directory, engine) },
    savesProfiles: options.saveProfile !== undefined,
    profile: options.profile,
  };
  const facts = () => ({
    url: toUrl(service.protocol, host, bound) + (dialect?.basePath ?? ''),
    ...fixed,
    console: service.console?.url,
  });
  const isClosed = () => releases.length === 0;
  const controlled = controlService(service, { content, facts, isClosed });
  bound = await listen(service.listener.server, host, port);
  // In parallel, so that the grace periods do not add up.
  releases.push(async () => {
    await Promise.all([service.listener.close(), service.console?.close()]);
  });
  warnOfOthers(host, options, notify);
  service.console = await openConsole(service, loadControl);
  const { url, caFile } = facts();
  releases.push(await leaveServerFile(directory, { ...facts(), token: controlToken }));
  const close = closingOnce(releases);
  return {
    url,
    ...(caFile !== undefined && { caFile }),
    ...describeKeys(key, store),
    ...describeData(directory, engine),
    ...(seededKeys && { seededKeys }),
    controlToken,
    ...(service.console && { console: service.console.firstLink() }),
    control: openControl(controlled),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Checks the port first, so that a start on a taken port leaves nothing in a new directory. */
async function probeForNewData({ data, host = defaultHost, port = 0 }: ServerOptions): Promise<void> {
  if (data === undefined || port === 0 || existsSync(join(data, databaseName))) return;
  await probePort(host, port);
}

/** Loads dialects on demand: most servers have none. */
async function loadDialect({ dialect }: ServerOptions): Promise<OpenedDialect | undefined> {
  if (dialect === undefined) return undefined;
  const { openDialect } = await import('./dialect/open-dialect.js');
  return openDialect(dialect);
}

function describeKeys({ keyId, secret, organizationId: organization }: KeyCredential, store: Store) {
  return { keyId, secret, organization, profileKeys: listProfileKeys(store, organization) };
}

function describeData(directory: DataDirectory, engine: Engine): Pick<RunningServer, 'data' | 'database'> {
  return {
    ...(directory.kept && { data: directory.path }),
    ...(!engine.exclusive && { database: engine.place }),
  };
}

/** Loads the control API's code: servers start faster without it. */
type OpenControl = (door: ControlDoor) => Promise<Handle>;

/**
 * Milliseconds until the control API is loaded anyway, because an upgrade may replace its files. A server that runs only
 * for one command seldom needs it.
 */
const loadAfter = 1000;

/** The control API on the service's port, opened once. */
function ownControl(
  listener: () => Listener,
  open: OpenControl,
  allowed: Controllers,
): () => Promise<Handle> {
  let opened: Promise<Handle> | undefined;
  const authorize = (request: IncomingMessage) => requireController(request, allowed);
  return () => {
    opened ??= open({ connections: listener().connections, authorize });
    return opened;
  };
}

async function openConsole(
  service: Service,
  mountControl: OpenControl,
): Promise<ManagementConsole | undefined> {
  const { console: wanted = false, limits } = service.options;
  if (wanted === false) return undefined;
  const { port = 0 } = wanted === true ? {} : wanted;
  const { clock, report, notify } = service;
  return openConsoleListener({
    ...{ clock, report, notify, mountControl, port },
    limits: { ...defaultLimits, ...limits },
  });
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

/** Certificates use real time, as clients do, whatever the server's clock shows. */
async function certificateFor(
  { http, tls, tlsNames = [] }: ServerOptions,
  directory: DataDirectory,
  host: string,
  notify: Notify,
): Promise<ServerCertificate | undefined> {
  if (http || tls) return undefined;
  return serverCertificate(directory.path, {
    hosts: certificateHosts(host, tlsNames),
    now: new Date(),
    warn: (message) => notify('warning', message),
  });
}
