/** Source of a fact: the API reference, or orgctl. */
export type DocumentSource = 'ref' | 'ours';

export interface DocumentSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly required?: readonly string[];
  /** Schema of further fields; `{}` for any. */
  readonly additionalProperties?: DocumentSchema;
  readonly items?: DocumentSchema;
  readonly anyOf?: readonly DocumentSchema[];
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

interface DocumentContent {
  readonly 'application/json': {
    readonly schema: DocumentSchema;
    readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  };
}

export interface DocumentParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly schema: DocumentSchema;
  readonly 'x-source': DocumentSource;
}

interface DocumentHeader {
  readonly description: string;
  readonly required: boolean;
  readonly 'x-source': DocumentSource;
}

export interface DocumentAnswer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, DocumentHeader>>;
  readonly content?: DocumentContent;
  readonly 'x-source': DocumentSource;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly DocumentParameter[];
  readonly requestBody?: {
    readonly description: string;
    readonly content: DocumentContent;
    readonly 'x-source': DocumentSource;
  };
  readonly responses: Readonly<Record<string, DocumentAnswer | { readonly $ref: string }>>;
  readonly 'x-source': DocumentSource;
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly components: {
    readonly schemas: Readonly<Record<string, DocumentSchema>>;
    readonly responses: Readonly<Record<string, DocumentAnswer>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}

export interface SecurityScheme {
  readonly name?: string;
  readonly description: string;
  readonly 'x-source': DocumentSource;
}

export interface DocumentOperation extends DescribedOperation {
  readonly method: string;
  readonly path: string;
}

export function listOperations({ paths }: ApiDocument, tag: string): DocumentOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, described]) => ({ ...described, method: method.toUpperCase(), path })),
  );
}

export function listAnswers(
  { responses }: DocumentOperation,
  { components }: ApiDocument,
): [string, DocumentAnswer][] {
  return Object.entries(responses).flatMap(([status, answer]) => {
    const found = '$ref' in answer ? components.responses[readReferenceName(answer.$ref)] : answer;
    return found === undefined ? [] : [[status, found] as [string, DocumentAnswer]];
  });
}

export function resolveSchema(schema: DocumentSchema, { components }: ApiDocument): DocumentSchema {
  return schema.$ref === undefined ? schema : (components.schemas[readReferenceName(schema.$ref)] ?? {});
}

function readReferenceName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
