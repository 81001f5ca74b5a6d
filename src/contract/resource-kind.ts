/** The resource kinds that have a quota (reference, section 8). */
export const resourceKinds = ['api-keys', 'connections', 'teams'] as const;

export type ResourceKind = (typeof resourceKinds)[number];

export function isResourceKind(value: string): value is ResourceKind {
  return resourceKinds.some((kind) => kind === value);
}
