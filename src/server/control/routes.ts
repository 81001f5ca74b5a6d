import type { HandlersIn } from '../../api/control/call-types.js';
import type { newProfileSchema } from '../../api/control/control.js';
import { requireFaultRules } from '../../api/faults/fault-rule.js';
import type { z } from '../../api/schema/schema.js';
import { OrgctlError, UsageError } from '../../errors/errors.js';
import { equalInConstantTime } from '../../signing/basic/basic.js';
import type { Store } from '../../storage/store.js';
import { badRequest, HttpError } from '../http/http-error.js';
import type { Handle } from '../http/listener.js';
import type { SaveProfile, ServerOptions } from '../options/server-options.js';
import type { Service } from '../service.js';
import { parseAdvance } from './clock.js';
import type { Control } from './control.js';
import { type ControlDoor, callRoutes, controlHandler } from './control-handler.js';
import { journalStream } from './journal-stream.js';
import { noSuchKey } from './keys.js';
import { parseWindow } from './open-control.js';
import { itemRoutes } from './resource-routes.js';

export interface ControlApiOptions {
  readonly control: Control;
  readonly service: Service;
}

/** Every method of `Control`, and every organization's resources, over HTTP (docs/reference/control-api.md). */
export function controlApi({ control, service }: ControlApiOptions, door: ControlDoor): Handle {
  const { isOfPage = false } = door;
  const { store, journal, options: program } = service;
  const options = { control, store, saveProfile: program.saveProfile, isOfPage };
  const handlers = {
    ...dataHandlers(control, options),
    ...testHandlers(control, options),
    ...journalHandlers(control),
    ...keyHandlers(options),
    ...stopHandler(program),
  };
  return controlHandler(
    [...callRoutes(handlers), journalStream(journal, door), ...itemRoutes(options)],
    door,
  );
}

function dataHandlers(
  control: Control,
  { store }: { readonly store: Store },
): HandlersIn<'console' | 'data' | 'organizations' | 'quotas' | 'status'> {
  return {
    'status.get': () => control.status(),
    'organizations.list': async () => ({ organizations: await control.organizations() }),
    'console.link': async () => ({ console: await control.consoleLink() }),
    async 'data.reset'() {
      await control.reset();
      return { reset: true };
    },
    'data.snapshots': async () => ({ snapshots: await control.snapshots() }),
    'data.snapshot': async () => ({ snapshot: await control.snapshot() }),
    async 'data.restore'({ snapshot }) {
      await control.restore(snapshot);
      return { snapshot };
    },
    async 'data.copy'() {
      const { data } = await control.status();
      if (data === undefined || store.copyTo === undefined)
        throw new HttpError(404, 'only an embedded database in a data directory can be copied');
      const { copyRunning } = await import('../maintenance/copy-running.js');
      return { copy: await copyRunning(store.copyTo, data) };
    },
    'quotas.get': ({ organization }) => control.quotas.get(organization),
    'quotas.set': ({ limits, organization }) => control.quotas.set(limits, organization),
  };
}

function stopHandler({ requestStop }: ServerOptions): HandlersIn<'server'> {
  return {
    'server.stop'() {
      if (requestStop === undefined)
        throw new HttpError(404, 'only the program that started this server can stop it');
      // Only after this handler, because closing the server waits for the response.
      setImmediate(requestStop);
    },
  };
}

function testHandlers(
  { clock, faults, stubs, rateLimit }: Control,
  { isOfPage = false }: Pick<KeyRouteOptions, 'isOfPage'>,
): HandlersIn<'clock' | 'faults' | 'stubs' | 'rateLimit'> {
  // The console's page shows the grammar itself, so it needs no hint.
  const refuseRule = <Result>(work: () => Promise<Result>) => refuseUnreadable(work, !isOfPage);
  return {
    'clock.get': () => clock.get(),
    'clock.set': ({ time }) => clock.set(time),
    'clock.advance': ({ by }) => clock.advance(parseAdvance(by)),
    'faults.get': async () => ({ faults: await faults.get() }),
    'faults.set': ({ rules }) => refuseRule(async () => ({ faults: await setFaults(faults, rules) })),
    'faults.clear': () => faults.clear(),
    'stubs.get': async () => ({ stubs: await stubs.get() }),
    'stubs.set': async ({ stubs: wanted }) => ({
      stubs: await refuseRule(() => stubs.set(wanted)),
    }),
    'stubs.clear': () => stubs.clear(),
    'rateLimit.get': async () => ({ rateLimit: (await rateLimit.get()) ?? null }),
    'rateLimit.set': async ({ requests, window }) => ({
      rateLimit: await rateLimit.set({ requests, window: parseWindow(window) }),
    }),
    'rateLimit.clear': () => rateLimit.clear(),
  };
}

async function setFaults(faults: Control['faults'], rules: readonly string[]) {
  requireFaultRules(rules);
  return faults.set(rules);
}

function journalHandlers({
  journal,
  signatures,
  requests,
}: Control): HandlersIn<'journal' | 'signatures' | 'requests'> {
  return {
    'journal.list': async ({ count = false, ...wanted }) =>
      count ? { count: await journal.count(wanted) } : { entries: await journal.get(wanted) },
    'journal.get': (id) => journal.find(/^\d{1,15}$/.test(id) ? Number(id) : 0),
    'journal.clear': () => journal.clear(),
    'signatures.check': (signed) => signatures.check(signed),
    'requests.send': (request) => requests.send(request),
  };
}

export interface KeyRouteOptions {
  readonly control: Control;
  readonly store: Store;
  readonly saveProfile: SaveProfile | undefined;
  readonly isOfPage?: boolean;
}

function keyHandlers(options: KeyRouteOptions): HandlersIn<'keys' | 'profiles'> {
  const { keys } = options.control;
  return {
    'keys.first': () => firstKey(options),
    'keys.list': async ({ organization }) => ({ keys: await keys.list(organization) }),
    'keys.issue': (key) => keys.issue(key),
    'keys.disable': (id) => keys.disable(id),
    'keys.enable': (id) => keys.enable(id),
    'keys.rename': ({ id, name }) => keys.rename(id, name),
    'keys.revoke': (id) => keys.revoke(id),
    async 'profiles.save'(asked) {
      await storeProfile(asked, options);
      return { profile: asked.name };
    },
  };
}

/** Returns an enabled key, preferably the first. Refuses the console's page, which must not get existing secrets. */
async function firstKey({ control, store, isOfPage = false }: KeyRouteOptions) {
  if (isOfPage) throw new HttpError(403, 'Forbidden: the console never reads the secret of an existing key');
  const { keyId, organization } = await control.status();
  const first = await store.apiKeys.credential(keyId);
  const key = first?.enabled ? first : await store.apiKeys.oldest(organization);
  if (key?.enabled) return { keyId: key.keyId, secret: key.secret };
  const fate = first === undefined ? 'has been deleted' : 'is disabled';
  throw new HttpError(404, `the first key of this server, ${keyId}, ${fate}, and no other one is enabled`);
}

async function storeProfile(
  { name, keyId, secret }: z.output<typeof newProfileSchema>,
  { control, store, saveProfile }: KeyRouteOptions,
): Promise<void> {
  if (saveProfile === undefined) throw new HttpError(404, 'this server cannot save profiles');
  const key = await store.apiKeys.credential(keyId);
  if (key === undefined) throw noSuchKey(keyId);
  // Otherwise a wrong secret would only show at the profile's first use.
  if (!equalInConstantTime(secret, key.secret)) throw badRequest(`this is not the secret of ${keyId}`);
  const { url, caFile } = await control.status();
  const isKept = await refuseUnreadable(() => saveProfile({ name, url, keyId, secret, caFile }));
  if (!isKept) throw new HttpError(409, `profile ${JSON.stringify(name)} already exists`);
}

/** Makes our errors responses. @throws HttpError 400, or 500 for problems of the server */
async function refuseUnreadable<Result>(work: () => Promise<Result>, hasHint = true): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OrgctlError)) throw error;
    const { message, details } = error;
    const { hint } = details;
    const text = hint === undefined || !hasHint ? message : `${message}; ${hint}`;
    throw error instanceof UsageError ? badRequest(text) : new HttpError(500, text, { check: 'server' });
  }
}
