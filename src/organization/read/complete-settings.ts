import { connections, isPostgres, postgresEssentials } from '../../api/resources/connection.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import {
  type IdentifiedResource,
  isResource,
  type Resource,
  withFields,
} from '../../api/resources/resource.js';
import type { Api } from '../../client/api.js';
import { attemptsAtOnce } from '../../commands/resource/attempts.js';
import { isMissing } from './missing.js';

/** Reads each connection whose type or settings the list omits, or shows in part. @throws if reading fails */
export async function completeSettings(
  { kind }: DeclaredResource,
  listed: readonly IdentifiedResource[],
  api: Pick<Api, 'connections'>,
): Promise<readonly IdentifiedResource[]> {
  if (kind !== connections.kind || listed.every(isWhole)) return listed;
  const { default: pMap } = await import('p-map');
  const complete = async (one: IdentifiedResource) =>
    isWhole(one) ? one : withWholeRecord(one, await readRecord(one, api));
  return pMap(listed, complete, { concurrency: attemptsAtOnce });
}

/** Whether a list shows all settings. If it shows them beside the name instead of in `config`, some may be missing. */
function isWhole(connection: Resource): boolean {
  const { type, config } = connection;
  if (typeof type !== 'string' || !isResource(config)) return false;
  const isPart = isPostgres(type)
    ? postgresEssentials.some((name) => (config[name] ?? null) === null)
    : Object.keys(config).length === 0;
  return !isPart && Object.values(connection).includes(config);
}

/** The record of a connection; empty if the service does not return it by its ID. */
async function readRecord({ id }: IdentifiedResource, api: Pick<Api, 'connections'>): Promise<Resource> {
  try {
    return await api.connections.get(id);
  } catch (error) {
    if (isMissing(error)) return {};
    throw error;
  }
}

/** Keeps the ID and name from the list, because they have been checked. */
function withWholeRecord(one: IdentifiedResource, record: Resource): IdentifiedResource {
  const listed = isResource(one['config']) ? one['config'] : {};
  const { config } = record;
  const settings = isResource(config) && { config: { ...listed, ...config } };
  return withFields(one, { ...record, ...settings, id: one.id, name: one['name'] });
}
