import { once } from '../../platform/once.js';
import { ExactNumber } from '../../text/exact-number.js';
import { z } from '../schema/schema.js';

/** A resource as the service returns it. The API reference shows few fields, so all pass through. */
export type Resource = Record<string, unknown>;

/** The name of the field for a resource in a row of results, such as `apiKey`. */
export function toRowField({ property }: Pick<ResourceDeclaration, 'property'>): string {
  return property.replace(/s$/, '');
}

export function isResource(value: unknown): value is Resource {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

export function isResourceLike<Known>(value: unknown): value is Known {
  return isResource(value);
}

export interface IdentifiedResource extends Resource {
  readonly id: string;
}

/** An ID as requests write it: text, or an integer's digits; `undefined` for anything else. */
export function readId({ id }: Resource): string | undefined {
  if (typeof id === 'number' || id instanceof ExactNumber) {
    const text = String(id);
    return /^\d+$/.test(text) ? text : undefined;
  }
  return typeof id === 'string' && isIdText(id) ? id : undefined;
}

/**
 * A copy with more fields. Keeps non-enumerable fields: if a service names a field differently, the client
 * adds one under the API reference's name.
 */
export function withFields<Fields extends object>(resource: Resource, fields: Fields): Resource & Fields {
  return Object.assign(
    Object.defineProperties<Resource>({}, Object.getOwnPropertyDescriptors(resource)),
    fields,
  );
}

/** Whether commands treat a text as an ID, and not as a name. */
export function hasIdShape({ idPrefix }: { readonly idPrefix: string }, text: string): boolean {
  return text.startsWith(`${idPrefix}_`);
}

/** Refuses empty text, lone surrogates, and `.` and `..`, which clients and proxies resolve (RFC 3986, 5.2.4). */
export function isIdText(text: string): boolean {
  return !/^\.{0,2}$|\p{Surrogate}/u.test(text);
}

/** The properties of one resource. Further differences are code (`hasOwnCode`) in client, server and commands. */
export interface ResourceDeclaration {
  readonly kind: string;
  readonly property: string;
  readonly singular: string;
  readonly plural: string;
  readonly idPrefix: string;
  readonly table: string;
  readonly hasOwnCode?: true;
  /** Limit for new organizations. */
  readonly quota: number;
  readonly input: z.ZodMiniType;
  /** If `input` is a union: the member that errors refer to. */
  readonly inputFor?: (body: unknown) => z.ZodMiniType;
  readonly patch: z.ZodMiniType;
  /** The response; each field is a database column. A function, so that clients need not build it. */
  answer(): z.ZodMiniObject;
  /** Settings in `config` that are known to be secret for a `type`; others may be secret, too. */
  secretSettings?(type: unknown): readonly string[];
  created?(): z.ZodMiniObject;
}

export interface PlainDeclaration extends ResourceDeclaration {
  /** Each field is a database column: text as is, other values as JSON. */
  readonly input: z.ZodMiniObject;
  readonly patch: z.ZodMiniObject;
}

export const timestampSchema = () => z.iso.datetime();

/** Refuses blank names by a pattern, because JSON Schema can express it. */
export const nameSchema = once(() =>
  z.string().check(z.minLength(1, { abort: true }), z.regex(/\S/, 'must not be blank'), z.maxLength(255)),
);
