import { hasCall, listCalls, type Operation, readQuotas } from '../../api/operations.js';
import { type DeclaredResource, hasQuota, resources } from '../../api/resources/index.js';

/** An API call and its resource. */
export interface KnownCall {
  readonly operation: Operation;
  readonly name: 'list' | 'create' | 'get' | 'update' | 'delete' | 'quotas';
  /** Absent for `GET /quotas`. */
  readonly resource?: DeclaredResource | undefined;
  readonly hasQuota: boolean;
}

const callNames = ['list', 'create', 'get', 'update', 'delete'] as const;

const calls: readonly KnownCall[] = [
  { operation: readQuotas, name: 'quotas', hasQuota: false },
  ...resources.flatMap((resource) => {
    const listed = listCalls(resource);
    return callNames
      .filter((name) => hasCall(resource, name))
      .map((name): KnownCall => ({ operation: listed[name], name, resource, hasQuota: hasQuota(resource) }));
  }),
];

/** Described responses by operation ID, cached because building their schemas takes time. */
const described = new Map<string, ReturnType<Operation['answers']>>();

export function listAnswers({ id, answers }: Operation): ReturnType<Operation['answers']> {
  const known = described.get(id) ?? answers();
  described.set(id, known);
  return known;
}

/** The call with this method and this path below the base URL; `undefined` if the API has none. */
export function findCall(method: string, path: string): KnownCall | undefined {
  return calls.find(({ operation }) => operation.method === method && fits(operation.path, path));
}

function fits(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, at) => part === '{id}' || part === given[at]);
}
