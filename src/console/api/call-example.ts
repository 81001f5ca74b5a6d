import { api, makeItemCalls } from '../session/api.js';
import {
  type ApiDocument,
  type DocumentOperation,
  listAnswers,
  listOperations,
  resolveSchema,
} from '../session/api-document.js';

export interface NamedExample {
  readonly id: string;
  readonly name: string;
}

/** An existing resource whose ID fits the path; for PATCH and DELETE, never the signing key. @throws ApiError */
export async function idToCall(
  { path, method, tags: [kind] }: DocumentOperation,
  signingKey: string,
  organization: string | undefined,
): Promise<NamedExample | undefined> {
  if (!path.includes('{id}')) return undefined;
  if (kind === 'api-keys') {
    const keys = await api.keys.list(organization);
    return keys.find(({ id }) => method === 'GET' || id !== signingKey);
  }
  if (kind === undefined) return undefined;
  const { data } = await makeItemCalls(kind).list({ organization, page: 1, limit: 1, search: undefined });
  return data[0];
}

export function exampleId({ path, tags: [tag = ''] }: DocumentOperation, document: ApiDocument): string {
  const read = listOperations(document, tag).find((other) => other.path === path && other.method === 'GET');
  const answer = read && listAnswers(read, document).find(([status]) => status === '200')?.[1];
  const schema = answer?.content?.['application/json'].schema;
  const [example] = (schema && resolveSchema(schema, document).examples) ?? [];
  return isNamedExample(example) ? example.id : 'ID';
}

function isNamedExample(example: unknown): example is NamedExample {
  return typeof example === 'object' && example !== null && 'id' in example && typeof example.id === 'string';
}

export function examplesOfBody({ requestBody }: DocumentOperation, document: ApiDocument): string[] {
  if (requestBody === undefined) return [];
  const { examples = [] } = resolveSchema(requestBody.content['application/json'].schema, document);
  return examples.map((example) => JSON.stringify(example, null, 2));
}

/** Path and query with values, in ASCII; omits empty query parameters. */
export function fillTarget(
  { path, parameters }: DocumentOperation,
  filled: (name: string) => string,
): string {
  // `encodeURIComponent` throws on half a surrogate pair; browsers send a replacement character instead.
  const encoded = (name: string) => encodeURIComponent(filled(name).replace(/\p{Surrogate}/gu, '\ufffd'));
  const target = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encoded(name));
  const query = parameters
    .filter(({ name, in: place }) => place === 'query' && filled(name) !== '')
    .map(({ name }) => `${name}=${encoded(name)}`);
  return query.length === 0 ? target : `${target}?${query.join('&')}`;
}
