import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { CallName } from '../../api/control/calls.js';
import { controlInputs as inputs } from '../../api/control/control.js';
import type { MadeAnswer } from '../../api/control/control-answers.js';
import { createPrivately } from '../../platform/durable-file.js';
import { isDuplicate } from '../../storage/engine.js';
import { durationExamples, parseDuration } from '../../text/duration.js';
import { badRequest, HttpError } from '../http/answer.js';
import { organizationName } from '../options.js';
import type { Service } from '../service.js';
import type { ListedKey } from './control.js';
import type { Run } from './control-handler.js';
import {
  type Controlled,
  detailOf,
  notFound,
  requireEntry,
  requireKey,
  requireOrganization,
  type Watched,
} from './controlled.js';

/** The calls that a proxy answers, too. */
export const readingCalls = {
  'status.get': ({ status, journal }) => ({ ...status(), requests: journal.counts }),
  'console.link': ({ consoleLink }) => ({ console: consoleLink() }),
  'clock.get': ({ status }) => status().clock,
  'faults.get': ({ status }) => ({ faults: status().faults }),
  'journal.list': ({ journal }, read) => {
    const { count = false, ...query } = read(inputs['journal.list']);
    return count ? { count: journal.count(query) } : { entries: journal.entries(query) };
  },
  'journal.get': ({ journal }, read) => detailOf(requireEntry(journal, read(inputs['journal.get']).id)),
} satisfies { readonly [Name in CallName]?: Run<Watched, MadeAnswer<Name>> };

const keptSnapshots = 20;

/** What each call does, over HTTP and in this process. */
export const calls = {
  ...readingCalls,
  async 'data.reset'({ service, content }) {
    // Uses of old keys must not be recorded in the new data.
    await service.usage.flush();
    service.serverClock.reset();
    // Before the data is replaced: the response to a failure says that nothing was changed.
    await service.rateLimiter.reset();
    await service.store.contents.replace(content());
    service.faults.reset();
    service.stubs.reset();
    service.journal.clear();
    return { reset: true };
  },
  async 'data.snapshot'({ service: { usage, store, serverClock }, snapshots }) {
    await usage.flush();
    const content = await store.contents.read();
    const last = Number(snapshots.at(-1)?.snapshot.replace('snapshot_', '') ?? 0);
    const snapshot = `snapshot_${last + 1}`;
    snapshots.push({ snapshot, time: serverClock.state().time, content });
    if (snapshots.length > keptSnapshots) snapshots.shift();
    return { snapshot };
  },
  'data.snapshots': ({ snapshots }) => ({
    snapshots: snapshots.map(({ snapshot, time }) => ({ snapshot, time })),
  }),
  async 'data.restore'({ service: { store, usage }, snapshots }, read) {
    const { snapshot } = read(inputs['data.restore']);
    const taken = snapshots.find((one) => one.snapshot === snapshot);
    if (taken === undefined) throw notFound('snapshot', snapshot);
    await usage.flush();
    await store.contents.replace(taken.content);
    return { snapshot };
  },
  async 'data.copy'({ service: { store }, status }) {
    const { data } = status();
    if (data === undefined || store.copyTo === undefined)
      throw new HttpError(404, 'only an embedded database in a data directory can be copied');
    const copy = `.orgctl-${randomBytes(12).toString('hex')}.db`;
    await createPrivately(join(data, copy), '');
    await store.copyTo(join(data, copy));
    return { copy };
  },
  'organizations.list': async ({ service }) => ({ organizations: await service.store.organizations.list() }),
  'organizations.create': ({ service }, read) => {
    const { name = organizationName, quotas = {} } = read(inputs['organizations.create']);
    return service.store.organizations.create(name, quotas, { name: 'control' });
  },
  async 'quotas.get'({ service: { store, organization: first } }, read) {
    const { organization = first } = read(inputs['quotas.get']);
    return requireOrganization(store, organization);
  },
  async 'quotas.set'({ service: { store, organization: first } }, read) {
    const { limits, organization = first } = read(inputs['quotas.set']);
    await requireOrganization(store, organization);
    return store.quotas.setLimits(organization, limits);
  },
  'clock.set': ({ service }, read) => service.serverClock.set(read(inputs['clock.set']).time),
  'clock.advance': ({ service }, read) => service.serverClock.advance(read(inputs['clock.advance']).by),
  'faults.set': ({ service: { faults } }, read) => {
    faults.set(read(inputs['faults.set']).rules);
    return { faults: faults.get() };
  },
  'faults.clear': ({ service }) => {
    service.faults.set([]);
  },
  'stubs.get': ({ service }) => ({ stubs: service.stubs.get() }),
  'stubs.set': ({ service: { stubs } }, read) => {
    stubs.set(read(inputs['stubs.set']).stubs);
    return { stubs: stubs.get() };
  },
  'stubs.clear': ({ service }) => {
    service.stubs.set([]);
  },
  'rateLimit.get': ({ service }) => ({ rateLimit: service.rateLimiter.limit ?? null }),
  'rateLimit.set': ({ service: { rateLimiter } }, read) => {
    const { requests, window: text } = read(inputs['rateLimit.set']);
    const window = typeof text === 'number' ? text : parseDuration(text);
    if (window === undefined || !(window > 0 && Number.isFinite(window)))
      throw badRequest(`window must be a duration such as ${durationExamples}, or milliseconds`);
    const rateLimit = { requests, window };
    rateLimiter.limit = rateLimit;
    return { rateLimit };
  },
  'rateLimit.clear': ({ service }) => {
    service.rateLimiter.limit = undefined;
  },
  'journal.clear': ({ journal }) => {
    journal.clear();
  },
  async 'requests.send'(controlled, read) {
    const { sendRequest } = await import('./send-request.js');
    return sendRequest(read(inputs['requests.send']), controlled);
  },
  'server.stop': ({ service: { options } }) => {
    if (options.requestStop === undefined)
      throw new HttpError(404, 'only the program that started this server can stop it');
    // Closing the server waits for this response.
    setImmediate(options.requestStop);
  },
  async 'keys.first'({ service: { store } }) {
    const key = await store.organizations.firstKey();
    if (key?.enabled) return { keyId: key.keyId, secret: key.secret };
    throw new HttpError(404, 'the first organization has no enabled key');
  },
  async 'keys.list'({ service: { store } }, read) {
    const { organization } = read(inputs['keys.list']);
    if (organization !== undefined) await requireOrganization(store, organization);
    const keys = await store.apiKeys.listOfAll();
    return { keys: keys.filter((key) => key.organization === (organization ?? key.organization)) };
  },
  async 'keys.issue'({ service: { store, organization: first } }, read) {
    const { organization = first, name = 'control', id, secret } = read(inputs['keys.issue']);
    await requireOrganization(store, organization);
    const created = await store.apiKeys.create(organization, { name, id, secret }).catch((error: unknown) => {
      throw isDuplicate(error) ? new HttpError(409, `key ${JSON.stringify(id)} already exists`) : error;
    });
    return { ...created, organization };
  },
  'keys.disable': ({ service }, read) =>
    changeKey(service, read(inputs['keys.disable']).id, { enabled: false }),
  'keys.enable': ({ service }, read) => changeKey(service, read(inputs['keys.enable']).id, { enabled: true }),
  'keys.rename': ({ service }, read) => {
    const { id, name } = read(inputs['keys.rename']);
    return changeKey(service, id, { name });
  },
  async 'keys.revoke'({ service: { store } }, read) {
    const { keyId, organizationId } = await requireKey(store, read(inputs['keys.revoke']).id);
    await store.apiKeys.delete(organizationId, keyId);
  },
  async 'profiles.save'({ service: { options }, status }, read) {
    const { name, keyId, secret } = read(inputs['profiles.save']);
    if (options.saveProfile === undefined) throw new HttpError(404, 'this server cannot save profiles');
    const { url, caFile } = status();
    const isKept = await options.saveProfile({ name, url, keyId, secret, caFile });
    if (!isKept) throw new HttpError(409, `profile ${JSON.stringify(name)} already exists`);
    return { profile: name };
  },
} satisfies { readonly [Name in CallName]: Run<Controlled, MadeAnswer<Name>> };

async function changeKey(
  { store }: Service,
  keyId: string,
  change: { readonly enabled?: boolean; readonly name?: string },
): Promise<ListedKey> {
  const { organizationId: organization } = await requireKey(store, keyId);
  const key = await store.apiKeys.update(organization, keyId, (current) => ({ ...current, ...change }));
  if (key === undefined) throw notFound('key', keyId);
  return { ...key, organization };
}
