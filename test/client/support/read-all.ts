import type { Api } from '../../../src/client/api.js';
import { followPages } from '../../../src/client/follow-pages.js';
import { type ForeignForms, foreignService } from '../../support/foreign-service.js';
import { type ClientOptions, openClient } from './open-client.js';

/** The names of all connections, and why they may not be all. */
export async function readConnections({ connections }: Pick<Api, 'connections'>) {
  const names: unknown[] = [];
  const doubts: string[] = [];
  const onIncomplete = ({ message }: Error) => void doubts.push(message);
  for await (const { data } of followPages(connections.list, {}, { what: 'connections', onIncomplete }))
    names.push(...data.map((row) => row['name']));
  return { names, doubts };
}

/** Those of a foreign service, and what it was asked. */
export async function readAll(forms: ForeignForms, options: ClientOptions = {}) {
  const service = await foreignService(forms);
  return { ...(await readConnections(openClient(service, options).api)), calls: service.calls };
}
