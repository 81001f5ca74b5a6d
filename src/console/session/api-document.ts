/** Who says that something is so: the API reference, or orgctl where that does not show it. */
export type Source = 'ref' | 'ours';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** Of further fields; `{}` where they may be anything. */
  readonly additionalProperties?: JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}

interface Content {
  readonly 'application/json': {
    readonly schema: JsonSchema;
    readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  };
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly schema: JsonSchema;
  readonly 'x-source': Source;
}

interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly 'x-source': Source;
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Content;
  readonly 'x-source': Source;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly description: string;
    readonly content: Content;
    readonly 'x-source': Source;
  };
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>;
  readonly 'x-source': Source;
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, Answer>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}

export interface SecurityScheme {
  readonly name?: string;
  readonly description: string;
  readonly 'x-source': Source;
}

export interface Operation extends DescribedOperation {
  readonly method: string;
  readonly path: string;
}

export function operationsOf({ paths }: ApiDocument, tag: string): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, described]) => ({ ...described, method: method.toUpperCase(), path })),
  );
}

export function answersOf({ responses }: Operation, { components }: ApiDocument): [string, Answer][] {
  return Object.entries(responses).flatMap(([status, answer]) => {
    const found = '$ref' in answer ? components.responses[nameOf(answer.$ref)] : answer;
    return found === undefined ? [] : [[status, found] as [string, Answer]];
  });
}

/** A schema itself, where a reference stands for it. */
export function resolved(schema: JsonSchema, { components }: ApiDocument): JsonSchema {
  return schema.$ref === undefined ? schema : (components.schemas[nameOf(schema.$ref)] ?? {});
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
