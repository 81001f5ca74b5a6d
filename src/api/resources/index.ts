import { apiKeys } from './api-key.js';
import { connections } from './connection.js';
import type { ApiKeyTypes, ConnectionTypes, ResourceTypes, TeamTypes } from './records.js';
import type { PlainDeclaration, ResourceDeclaration } from './resource.js';
import { teams } from './team.js';

/** Adding a resource begins here (docs/project-layout.md). */
const declarations = [apiKeys, connections, teams] as const satisfies readonly Typed<DeclaredTypes>[];

/** Types only, so that programs need no zod to compile. */
export type DeclaredTypes = ApiKeyTypes | ConnectionTypes | TeamTypes;

type Typed<Types extends ResourceTypes> = Types extends ResourceTypes
  ? Pick<Types, 'kind' | 'property' | 'quota'> &
      (Types extends { readonly hasOwnCode: true } ? ResourceDeclaration : PlainDeclaration)
  : never;

export type ResourceKind = DeclaredTypes['kind'];
export type DeclaredResource = Extract<(typeof declarations)[number], { readonly kind: ResourceKind }>;
export const resources: readonly DeclaredResource[] = declarations;
export type ResourceTable = DeclaredResource['table'];

/** Such as `API key` for `api-keys`; returns an undeclared kind unchanged. */
export function toSingular(kind: string): string {
  return resources.find((resource) => resource.kind === kind)?.singular ?? kind;
}

type LimitedResource = Extract<DeclaredResource, { readonly quota: number }>;

/** The kinds of resources whose number is limited. */
export type QuotaKind = Extract<DeclaredTypes, { readonly quota: number }>['kind'];

export function hasQuota(resource: DeclaredResource): resource is LimitedResource {
  return 'quota' in resource;
}

export const limitedResources: readonly LimitedResource[] = resources.filter(hasQuota);

export const quotaKinds: readonly QuotaKind[] = limitedResources.map(({ kind }) => kind);

export function isQuotaKind(value: string): value is QuotaKind {
  return quotaKinds.some((kind) => kind === value);
}

export type PlainTypes = Exclude<DeclaredTypes, { readonly hasOwnCode: true }>;
export type PlainResource = Exclude<DeclaredResource, { readonly hasOwnCode: true }>;

export function isPlainResource(resource: DeclaredResource): resource is PlainResource {
  return !('hasOwnCode' in resource);
}

const plainResources: readonly PlainResource[] = resources.filter(isPlainResource);

/** Maps each plain resource, keyed by its kind or its property name. */
export function mapPlainResources<Key extends 'kind' | 'property', Made>(
  key: Key,
  make: (resource: PlainResource) => Made,
): Readonly<Record<PlainTypes[Key], Made>> {
  const made: Readonly<Record<string, Made>> = Object.fromEntries(
    plainResources.map((resource) => [resource[key], make(resource)]),
  );
  if (!hasEachPlain(made, key)) throw new Error('a resource is missing');
  return made;
}

function hasEachPlain<Key extends 'kind' | 'property', Made>(
  made: Readonly<Record<string, Made>>,
  key: Key,
): made is Record<PlainTypes[Key], Made> {
  return plainResources.every((resource) => Object.hasOwn(made, resource[key]));
}
