import { isPlainResource, type PlainResource, resources } from './index.js';

export interface PlainKind {
  readonly kind: PlainResource['kind'];
  readonly singular: string;
  readonly plural: string;
  /** The fields of the POST body besides the name. */
  readonly fields: readonly string[];
}

/** Runs at build time, so that the console's bundle needs no schemas. */
export function plainKinds(): readonly PlainKind[] {
  return resources.filter(isPlainResource).map(({ kind, singular, plural, input }) => {
    const fields = Object.keys(input.shape).filter((name) => name !== 'name');
    return { kind, singular, plural, fields };
  });
}
