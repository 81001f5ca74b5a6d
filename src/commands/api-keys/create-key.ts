import type { Resource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { toReport } from '../../cli/error-report.js';
import type { Api } from '../../client/api.js';
import { withHint } from '../../errors/errors.js';
import { findKeys, keepUnread, showUnread, unreadBody } from '../resource/once-shown.js';

export type CreatedKey = Resource & { readonly id: string; readonly secret: string };

/** Creates a key whose secret stdout is to show. A response that is not understood is shown whole. @throws creation errors */
export function createToShow(body: Resource, api: Api, context: Context): Promise<CreatedKey> {
  return create(body, api, (error) => showUnread(error, context));
}

/** Creates a key whose secret is to be stored. A response that is not understood is kept in a file. @throws creation errors */
export function createToStore(body: Resource, api: Api, context: Context): Promise<CreatedKey> {
  return create(body, api, (error) => keepUnread(error, nameIn(body), context));
}

async function create(
  body: Resource,
  { apiKeys }: Api,
  rescueUnread: (error: unknown) => Promise<unknown>,
): Promise<CreatedKey> {
  try {
    return await apiKeys.create(body);
  } catch (error) {
    if (unreadBody(error) !== undefined) throw await rescueUnread(error);
    if (!mayBeDone(error)) throw error;
    const name = nameIn(body);
    const which = name === undefined ? 'a key' : `a key named ${JSON.stringify(name)}`;
    throw withHint(error, {
      hint: `${which} may exist, and its secret is lost; find it`,
      next: findKeys(name),
    });
  }
}

function nameIn({ name }: Resource): string | undefined {
  return typeof name === 'string' ? name : undefined;
}

/** Whether a creation may have been carried out in spite of its error. */
export function mayBeDone(error: unknown): boolean {
  const { code, method } = toReport(error);
  // An interruption has a method only if the request may have arrived.
  const isInterruption = ['hung_up', 'interrupted', 'terminated'].includes(code);
  return isInterruption ? method !== undefined : ['outcome_unknown', 'server', 'internal'].includes(code);
}

/** The new key without its secret, whatever the name of that field. */
export function withoutSecret(created: CreatedKey): Resource {
  const fields = Object.entries(Object.getOwnPropertyDescriptors(created));
  const others = fields.filter(([, { value }]) => value !== created.secret);
  return Object.defineProperties<Resource>({}, Object.fromEntries(others));
}
