import { resources } from './resources/index.js';
import type { ResourceDeclaration } from './resources/resource.js';

/** An API call; `openapi.yaml` describes it. */
export interface Operation {
  /** A unique name for programs, such as `teams.create`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
}

export type CallName = 'list' | 'create' | 'get' | 'update' | 'delete';

export function listCalls({ kind, property }: ResourceDeclaration): Readonly<Record<CallName, Operation>> {
  const [collection, item] = [`/${kind}`, `/${kind}/{id}`];
  return {
    list: { id: `${property}.list`, method: 'GET', path: collection },
    create: { id: `${property}.create`, method: 'POST', path: collection },
    get: { id: `${property}.get`, method: 'GET', path: item },
    update: { id: `${property}.update`, method: 'PATCH', path: item },
    delete: { id: `${property}.delete`, method: 'DELETE', path: item },
  };
}

export const readQuotas: Operation = { id: 'quotas.read', method: 'GET', path: '/quotas' };

export function operations(): readonly Operation[] {
  return [readQuotas, ...resources.flatMap((resource) => Object.values(listCalls(resource)))];
}

export function collectionPaths(): readonly string[] {
  return [readQuotas.path, ...resources.map(({ kind }) => `/${kind}`)];
}
