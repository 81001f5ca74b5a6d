/** Placeholder for the resource's name in the name of a field: `connections` in lists, `connection` elsewhere. */
export const ownName = '{kind}';

/**
 * A service's choices where the API reference is silent: the content of a dialect file (docs/reference/dialects.md,
 * `orgctl/dialect.schema.json`). Checked when it is used; omitted parts are those of `reference`.
 */
export interface DialectInput {
  readonly dialect: 1;
  readonly basePath?: string | undefined;
  readonly [part: string]: unknown;
}

/** Named dialects; `reference` is the server's default. */
export type PresetName = 'reference' | 'bare' | 'cursor' | 'camel';
