import { z } from '../schema/schema.js';
import { isPlainResource, type PlainResource, resources } from './index.js';

export interface PlainKind {
  readonly kind: PlainResource['kind'];
  readonly singular: string;
  readonly plural: string;
  readonly fields: readonly PlainField[];
}

export interface PlainField {
  readonly name: string;
  readonly form: 'text' | 'lines' | 'json';
  readonly isOptional: boolean;
}

/** Runs at build time, so that the console's bundle needs no schemas. */
export function plainKinds(): readonly PlainKind[] {
  return resources.filter(isPlainResource).map(({ kind, singular, plural, input }) => ({
    kind,
    singular,
    plural,
    fields: Object.entries(input.shape)
      .filter(([name]) => name !== 'name')
      .map(([name, schema]) => toField(name, schema)),
  }));
}

function toField(name: string, schema: z.core.$ZodType): PlainField {
  const isOptional = schema instanceof z.ZodMiniOptional;
  return { name, form: formFor(isOptional ? schema.def.innerType : schema), isOptional };
}

function formFor(schema: z.core.$ZodType): PlainField['form'] {
  if (schema instanceof z.ZodMiniString) return 'text';
  return schema instanceof z.ZodMiniArray && schema.def.element instanceof z.ZodMiniString ? 'lines' : 'json';
}
