import type { Resource } from '../../../src/api/resources/resource.js';
import { type FetchPage, followPages } from '../../../src/client/follow-pages.js';
import { type ForeignForms, foreignService } from '../../support/foreign-service.js';
import { type ClientOptions, openClient } from './open-client.js';

/** The names of all that a list has, and why they may not be all. */
async function readNames(list: FetchPage<Resource>) {
  const names: unknown[] = [];
  const doubts: string[] = [];
  const onIncomplete = ({ message }: Error) => void doubts.push(message);
  for await (const { data } of followPages(list, {}, { what: 'rows', onIncomplete }))
    names.push(...data.map((row) => row['name']));
  return { names, doubts };
}

/** Those of a foreign service's connections, and what it was asked. */
export async function readAll(forms: ForeignForms, options: ClientOptions = {}) {
  const service = await foreignService(forms);
  return { ...(await readNames(openClient(service, options).api.connections.list)), calls: service.calls };
}
