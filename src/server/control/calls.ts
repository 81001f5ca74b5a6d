import type { MadeAnswer } from '../../api/control/call-types.js';
import type { CallName } from '../../api/control/calls.js';
import { controlInputs as inputs } from '../../api/control/control.js';
import { equalInConstantTime } from '../../signing/basic/basic.js';
import type { StoredApiKey } from '../../storage/api-keys.js';
import { isDuplicate } from '../../storage/engine.js';
import { durationExamples, parseDuration } from '../../text/duration.js';
import { badRequest, HttpError } from '../http/answer.js';
import { organizationName } from '../options.js';
import type { Service } from '../service.js';
import type { IssuedKey, KeyToIssue, ListedKey } from './control.js';
import type { Run } from './control-handler.js';
import {
  type Controlled,
  destinationOf,
  noSuchKey,
  requireEntry,
  requireKey,
  requireOrganization,
  type Watched,
} from './controlled.js';
import { explainDetail } from './explained.js';

/** The calls that a proxy answers, too. */
export const readingCalls = {
  'status.get': ({ facts, clockState, faultStates, journal }) => ({
    ...facts(),
    clock: clockState(),
    faults: faultStates(),
    requests: journal.counts,
  }),
  'console.link': ({ consoleLink }) => ({ console: consoleLink() }),
  'clock.get': ({ clockState }) => clockState(),
  'faults.get': ({ faultStates }) => ({ faults: faultStates() }),
  'journal.list': ({ journal }, read) => {
    const { count = false, ...query } = read(inputs['journal.list']);
    return count ? { count: journal.count(query) } : { entries: journal.entries(query) };
  },
  'journal.get': (watched, read) =>
    explainDetail(requireEntry(watched.journal, read(inputs['journal.get']).id), destinationOf(watched)),
} satisfies { readonly [Name in CallName]?: Run<Watched, MadeAnswer<Name>> };

const dataCalls = {
  async 'data.reset'({ service, content }) {
    // Uses of old keys must not be recorded in the new data.
    await service.usage.flush();
    service.serverClock.reset();
    // Before the data is replaced, because a failure claims that nothing was changed.
    await service.rateLimiter.reset();
    await service.store.contents.replace(content());
    service.faults.reset();
    service.stubs.reset();
    service.journal.clear();
    return { reset: true };
  },
  async 'data.snapshot'({ service, snapshots }) {
    await service.usage.flush();
    return { snapshot: await snapshots.take(service.serverClock.state.time) };
  },
  'data.snapshots': ({ snapshots }) => ({ snapshots: snapshots.list() }),
  async 'data.restore'({ service: { store, usage }, snapshots }, read) {
    const { snapshot } = read(inputs['data.restore']);
    const taken = snapshots.contentOf(snapshot);
    await usage.flush();
    await store.contents.replace(taken);
    return { snapshot };
  },
  async 'data.copy'({ service: { store }, facts }) {
    const { data } = facts();
    if (data === undefined || store.copyTo === undefined)
      throw new HttpError(404, 'only an embedded database in a data directory can be copied');
    const { copyRunning } = await import('../maintenance/check-data.js');
    return { copy: await copyRunning(store.copyTo, data) };
  },
  'organizations.list': async ({ service }) => ({ organizations: await service.store.organizations.list() }),
  'organizations.create': ({ service }, read) => {
    const { name = organizationName, quotas = {} } = read(inputs['organizations.create']);
    return service.store.organizations.create(name, quotas, { name: 'control' });
  },
  async 'quotas.get'({ service: { store, organization: first } }, read) {
    const { organization = first } = read(inputs['quotas.get']);
    await requireOrganization(store, organization);
    return store.quotas.of(organization);
  },
  async 'quotas.set'({ service: { store, organization: first } }, read) {
    const { limits, organization = first } = read(inputs['quotas.set']);
    await requireOrganization(store, organization);
    return store.quotas.setLimits(organization, limits);
  },
} satisfies Rows;

const testCalls = {
  'clock.set': ({ service }, read) => service.serverClock.set(read(inputs['clock.set']).time),
  'clock.advance': ({ service }, read) => service.serverClock.advance(read(inputs['clock.advance']).by),
  'faults.set': ({ service: { faults } }, read) => {
    faults.set(read(inputs['faults.set']).rules);
    return { faults: faults.get() };
  },
  'faults.clear': ({ service }) => {
    service.faults.clear();
  },
  'stubs.get': ({ service }) => ({ stubs: service.stubs.get() }),
  'stubs.set': ({ service: { stubs } }, read) => {
    stubs.set(read(inputs['stubs.set']).stubs);
    return { stubs: stubs.get() };
  },
  'stubs.clear': ({ service }) => {
    service.stubs.clear();
  },
  'rateLimit.get': ({ service }) => ({ rateLimit: service.rateLimiter.limit ?? null }),
  'rateLimit.set': ({ service: { rateLimiter } }, read) => {
    const { requests, window } = read(inputs['rateLimit.set']);
    const rateLimit = { requests, window: readWindow(window) };
    rateLimiter.limit = rateLimit;
    return { rateLimit };
  },
  'rateLimit.clear': ({ service }) => {
    service.rateLimiter.limit = undefined;
  },
  'journal.clear': ({ journal }) => {
    journal.clear();
  },
  // Loads the code on demand: most servers never use it.
  async 'requests.send'(controlled, read) {
    const { sendRequest } = await import('./send-request.js');
    return sendRequest(read(inputs['requests.send']), controlled);
  },
  'server.stop': ({ service: { options } }) => {
    if (options.requestStop === undefined)
      throw new HttpError(404, 'only the program that started this server can stop it');
    // Only after this call, because closing the server waits for the response.
    setImmediate(options.requestStop);
  },
} satisfies Rows;

const keyCalls = {
  'keys.first': ({ service, facts, isPage }) => {
    if (isPage) throw new HttpError(403, 'Forbidden: the console never reads the secret of an existing key');
    return findFirstKey(service, facts().keyId);
  },
  'keys.list': async ({ service }, read) => ({
    keys: await listKeys(service, read(inputs['keys.list']).organization),
  }),
  'keys.issue': ({ service }, read) => issueKey(service, read(inputs['keys.issue'])),
  'keys.disable': ({ service }, read) =>
    changeKey(service, read(inputs['keys.disable']).id, { enabled: false }),
  'keys.enable': ({ service }, read) => changeKey(service, read(inputs['keys.enable']).id, { enabled: true }),
  'keys.rename': ({ service }, read) => {
    const { id, name } = read(inputs['keys.rename']);
    return changeKey(service, id, { name });
  },
  async 'keys.revoke'({ service: { store } }, read) {
    const { id } = read(inputs['keys.revoke']);
    const key = await requireKey(store, id);
    await store.apiKeys.delete(key.organizationId, id);
  },
  async 'profiles.save'({ service: { store, options }, facts }, read) {
    const { name, keyId, secret } = read(inputs['profiles.save']);
    if (options.saveProfile === undefined) throw new HttpError(404, 'this server cannot save profiles');
    const key = await requireKey(store, keyId);
    // Otherwise a wrong secret would only show at the profile's first use.
    if (!equalInConstantTime(secret, key.secret)) throw badRequest(`this is not the secret of ${keyId}`);
    const { url, caFile } = facts();
    const isKept = await options.saveProfile({ name, url, keyId, secret, caFile });
    if (!isKept) throw new HttpError(409, `profile ${JSON.stringify(name)} already exists`);
    return { profile: name };
  },
} satisfies Rows;

type Rows = { readonly [Name in CallName]?: Run<Controlled, MadeAnswer<Name>> };

/** What each call does. HTTP, `server.control` and the console run these. */
export const calls = { ...readingCalls, ...dataCalls, ...testCalls, ...keyCalls } satisfies {
  readonly [Name in CallName]: Run<Controlled>;
};

function readWindow(window: number | string): number {
  const milliseconds = typeof window === 'number' ? window : parseDuration(window);
  if (milliseconds !== undefined && milliseconds > 0 && Number.isFinite(milliseconds)) return milliseconds;
  throw badRequest(`window must be a duration such as ${durationExamples}, or milliseconds`);
}

/** @throws HttpError 404 for an unknown organization */
async function listKeys({ store }: Service, organization: string | undefined): Promise<ListedKey[]> {
  if (organization !== undefined) await requireOrganization(store, organization);
  const keys = await store.apiKeys.listOfAll();
  return organization === undefined ? keys : keys.filter((key) => key.organization === organization);
}

/** @throws HttpError 404 for an unknown organization, 409 for a taken ID */
async function issueKey(
  { store, organization: first }: Service,
  { organization = first, name = 'control', id, secret }: KeyToIssue,
): Promise<IssuedKey> {
  await requireOrganization(store, organization);
  const created = await store.apiKeys.create(organization, { name, id, secret }).catch((error: unknown) => {
    throw isDuplicate(error) ? new HttpError(409, `key ${JSON.stringify(id)} already exists`) : error;
  });
  return { ...created, organization };
}

/** @throws HttpError 404 for an unknown key */
async function changeKey(
  { store }: Service,
  keyId: string,
  change: Partial<Pick<StoredApiKey, 'enabled' | 'name'>>,
): Promise<ListedKey> {
  const { organizationId: organization } = await requireKey(store, keyId);
  const key = await store.apiKeys.update(organization, keyId, (current) => ({ ...current, ...change }));
  if (key === undefined) throw noSuchKey(keyId);
  return { ...key, organization };
}

/** An enabled key, preferably the first. @throws HttpError 404 */
async function findFirstKey({ store, organization }: Service, firstId: string) {
  const first = await store.apiKeys.credential(firstId);
  const key = first?.enabled ? first : await store.apiKeys.oldest(organization);
  if (key?.enabled) return { keyId: key.keyId, secret: key.secret };
  const fate = first === undefined ? 'has been deleted' : 'is disabled';
  throw new HttpError(404, `the first key of this server, ${firstId}, ${fate}, and no other one is enabled`);
}
