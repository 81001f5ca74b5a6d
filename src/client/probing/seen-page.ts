import { isResource, type Resource, readId } from '../../api/resources/resource.js';
import { printJson } from '../../text/exact-json.js';
import { findFailure } from '../answers/assert-succeeded.js';
import { pickField, type ResourceNames, spellNames } from '../reading/fields.js';
import { knownForms } from '../reading/forms.js';
import type { Page } from '../reading/page.js';
import { readList } from '../reading/read-list.js';
import { headersByName, type ObservedCall, readCallValue, splitTarget } from './observed-call.js';
import type { SoughtForms } from './sought-forms.js';

export interface ServicePlace {
  readonly origin: string;
  readonly basePath: string;
}

export interface SeenPage {
  readonly query: URLSearchParams;
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string[]>>;
  readonly page: Page<Resource>;
  readonly rows: readonly Resource[];
  /** IDs of the items in order; for an item without an ID, its JSON. */
  readonly ids: readonly string[];
}

export function callsOfList(
  calls: readonly ObservedCall[],
  kind: string,
  { basePath }: ServicePlace,
): ObservedCall[] {
  return calls.filter(
    (call) => call.request.method === 'GET' && splitTarget(call, basePath)?.path === `/${kind}`,
  );
}

/** The page in the response to a list call, if any. */
export function readSeenPage(
  call: ObservedCall,
  names: ResourceNames,
  { list }: SoughtForms,
  { origin, basePath }: ServicePlace,
): SeenPage | undefined {
  const value = readCallValue(call);
  const asked = splitTarget(call, basePath);
  if (value === undefined || asked === undefined) return undefined;
  if (isResource(value) && findFailure(value, { isOwn: false, called: call.request }) !== undefined)
    return undefined;
  const headers = headersByName(call);
  const target = call.request.target.slice(basePath.length);
  const answer = { value, headers, asked: { origin, prefix: basePath, target } };
  const page = readList(answer, names, { list, item: knownForms.item }, isResource);
  const holder = page && findHolder(value, names, list.items);
  if (page === undefined) return undefined;
  const rows = holder === undefined ? page.data : rowsIn(value, holder);
  const ids = page.data.map((row) => readId(row) ?? printJson(row));
  return { query: asked.query, value, headers, page, rows, ids };
}

/** The field that holds the items; `null` for a bare array, `undefined` if it is not at the top level. */
export function findHolder(
  value: unknown,
  names: ResourceNames,
  items: readonly (string | null)[],
): string | null | undefined {
  if (Array.isArray(value)) return null;
  const fields = spellNames(
    items.filter((name) => name !== null),
    names,
    false,
  );
  return fields.find((name) => Array.isArray(pickField(value, name)));
}

function rowsIn(value: unknown, holder: string | null): readonly Resource[] {
  const list: unknown = holder === null ? value : pickField(value, holder);
  return Array.isArray(list) ? list.filter(isResource) : [];
}
