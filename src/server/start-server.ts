import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { readMessage, withHint } from '../errors/errors.js';
import { defaultMaxSkew } from '../signing/hmac/timestamp.js';
import type { KeyCredential } from '../storage/api-keys.js';
import type { Engine } from '../storage/engine/engine.js';
import { DirectoryInUse } from '../storage/sqlite/engine.js';
import { openStore, type Store } from '../storage/store.js';
import { ownProcessId } from '../terminal/process/process-system.js';
import { type RequestLimiter, SharedRateLimiter } from './admission/rate-limiter.js';
import { UsageRecorder } from './admission/usage-recorder.js';
import { type ServerCertificate, serverCertificate } from './certificate/certificate.js';
import { checkServerOptions } from './check-options.js';
import { checkArguments } from './control/check-arguments.js';
import { controllers, requireController } from './control/guard.js';
import { makeControl, type ServerFacts } from './control/open-control.js';
import { openTestControls, type TestControls } from './control/test-controls.js';
import { type DataDirectory, databaseName, openDataDirectory } from './data/data-directory.js';
import { masterKeySource } from './data/master-key.js';
import { openEngine } from './data/open-engine.js';
import { listProfileKeys } from './data/profile-keys.js';
import { leaveServerFile } from './data/server-file.js';
import type { OpenedDialect } from './dialect/open-dialect.js';
import { type Notify, notifying } from './journal/log.js';
import { certificateHosts, probePort, toUrl } from './listening/listen.js';
import { type Listening, openListeners, type Release } from './open-listeners.js';
import type { ServerOptions } from './options/server-options.js';
import type { RunningServer } from './running-server.js';
import { initialState } from './seed/initial-state.js';

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
  const { host = defaultHost, port = 0, maxSkew = defaultMaxSkew } = options;
  const dialect = await loadDialect(options);
  const ownControls = openTestControls(options);
  const notify = notifying(options.onLog, ownControls.clock.now);
  const directory = await openDataDirectory(options.data);
  releases.push(directory.release);
  const engine = await openEngine(directory.database, options.database).catch(offerOtherData);
  const store = await openStore(engine, {
    clock: ownControls.clock.now,
    masterKey: masterKeySource(directory, options),
  });
  releases.push(store.close);
  const testControls = { ...ownControls, rateLimiter: makeRateLimiter(store, options, ownControls) };
  // One server at a time, because servers that share a database may also share their directory.
  const [{ key, content, seededKeys, seedPassedOver }, certificate] = await store.alone(async () => [
    await initialState(store, options),
    await certificateFor(options, directory, host, notify),
  ]);
  if (seedPassedOver) notify('warning', 'the seed was not applied: the store already has data');
  const usage = openUsage(store, testControls, notify);
  releases.push(() => usage.flush());
  const organization = key.organizationId;
  const tls = options.tls ?? certificate;
  const startedAt = new Date().toISOString();
  let listening: Listening | undefined;
  const facts = (): ServerFacts => ({
    url: toUrl(tls ? 'https' : 'http', host, listening?.port ?? port) + (dialect?.basePath ?? ''),
    dialect: dialect?.name,
    pid: ownProcessId(),
    startedAt,
    organization,
    keyId: key.keyId,
    ...describeData(directory, engine),
    caFile: certificate?.caFile,
    console: listening?.console?.url,
    savesProfiles: options.saveProfile !== undefined,
    profile: options.profile,
  });
  const controlled = { options, store, usage, testControls, maxSkew, content, organization, dialect };
  const control = makeControl({ ...controlled, facts, tls, releases, console: () => listening?.console });
  const controlToken = randomBytes(32).toString('hex');
  const allowed = controllers(controlToken, options);
  const authorize = (request: IncomingMessage) => requireController(request, allowed);
  const parts = { options, store, testControls, usage, control, authorize, notify, tls, host, port };
  const own = { maxSkew, dialect, directory: chooseOwn(directory, engine) };
  listening = await openListeners({ ...parts, ...own }, releases);
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
    ...(listening.console && { console: listening.console.firstLink() }),
    control: checkArguments(control),
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

/** The data directory, if it outlives the server and belongs only to it. */
function chooseOwn({ kept, path }: DataDirectory, { exclusive }: Engine): string | undefined {
  return kept && exclusive ? path : undefined;
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

function makeRateLimiter(
  { rateWindows }: Store,
  { rateLimit }: ServerOptions,
  testControls: TestControls,
): RequestLimiter {
  if (rateWindows === undefined) return testControls.rateLimiter;
  return new SharedRateLimiter(rateWindows, rateLimit, testControls.clock.now);
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

function openUsage({ apiKeys }: Store, { clock }: TestControls, notify: Notify): UsageRecorder {
  return new UsageRecorder({
    apiKeys,
    clock: clock.now,
    onError: (error) => notify('error', readMessage(error)),
  });
}
