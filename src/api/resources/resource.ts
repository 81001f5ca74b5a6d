import { ExactNumber } from '../../text/exact-number.js';
import { z } from '../schema/schema.js';

/**
 * A resource as the service returns it. The reference shows no fields of connections and teams, and of an API key
 * only `id`; so nothing is demanded here and everything passes through untouched.
 */
export const resourceSchema = z.custom<Resource>(isResource, 'Invalid input: expected object');
export type Resource = Record<string, unknown>;

/** What holds one resource in a row of results, such as `apiKey`. */
export function toRowField({ property }: Pick<ResourceDeclaration, 'property'>): string {
  return property.replace(/s$/, '');
}

/**
 * Whether a value is a JSON object. A record's schema would look at every field and copy it, and take as long over a page
 * as JSON.parse does.
 */
export function isResource(value: unknown): value is Resource {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** The same for who knows what resource it is. */
export function isResourceLike<Known>(value: unknown): value is Known {
  return isResource(value);
}

/** A resource whose ID is known, as text. */
export interface IdentifiedResource extends Resource {
  readonly id: string;
}

/**
 * The ID of a resource as requests have it: a text, or a whole number digit by digit. `undefined` for everything else,
 * which identifies nothing.
 */
export function readId({ id }: Resource): string | undefined {
  if (typeof id === 'number' || id instanceof ExactNumber) {
    const text = String(id);
    return /^\d+$/.test(text) ? text : undefined;
  }
  return typeof id === 'string' && isIdText(id) ? id : undefined;
}

/** A copy with further fields. What a client lets be read by our names (they are not enumerable) can be read so in it, too. */
export function withFields<Fields extends object>(resource: Resource, fields: Fields): Resource & Fields {
  return Object.assign(
    Object.defineProperties<Resource>({}, Object.getOwnPropertyDescriptors(resource)),
    fields,
  );
}

/**
 * Whether a text can be an ID. Percent-encoding does not help the empty text, `.` and `..`, which clients and proxies
 * resolve (RFC 3986, section 5.2.4), nor half of a surrogate pair.
 */
export function isIdText(text: string): boolean {
  return !/^\.{0,2}$|\p{Surrogate}/u.test(text);
}

/** Whether the API reference describes something, or it is our choice. */
export type CallSource = 'ref' | 'ours';

/** All that is one resource. What differs from one to another beyond this is code, in its own file on each side. */
export interface ResourceDeclaration {
  /** As paths, commands and quotas name it, such as `api-keys`. */
  readonly kind: string;
  /** As programs name it, such as `apiKeys`. */
  readonly property: string;
  /** As sentences name one and several. */
  readonly singular: string;
  readonly plural: string;
  /** What its IDs begin with, before the underscore. */
  readonly idPrefix: string;
  readonly table: string;
  /** Whether storage, seeds, files of organizations and the console have code for it; all others need this alone. */
  readonly hasOwnCode?: true;
  /** The limit of a new organization's quota; absent where there is no quota. */
  readonly quota?: number;
  /** The calls that there are. */
  readonly calls: {
    readonly list: CallSource;
    readonly create: CallSource;
    readonly get?: CallSource;
    readonly update?: CallSource;
    readonly delete: CallSource;
  };
  /** The body of POST. */
  readonly input: z.ZodMiniType;
  /** Whether the reference shows the fields of that. */
  readonly inputSource: CallSource;
  /** Where a body is one of several: the schema that errors refer to. */
  readonly inputFor?: (body: unknown) => z.ZodMiniType;
  /** The body of PATCH, where there is one. */
  readonly patch?: z.ZodMiniType;
  /**
   * The resource as it is answered [ours]; all of these fields are columns of its table. Made when asked for: no client
   * needs it, and schemas take their time to be made.
   */
  answer(): z.ZodMiniObject;
  /**
   * Fields that hold no secret, beside those that all resources have: logs, traces, plans and files of organizations show
   * them, in bodies of every kind. Text that looks like a secret is masked in them too.
   */
  readonly harmless?: readonly string[];
  /** The settings in `config` that are secrets, by the resource's type. Others may hold one, too. */
  secretSettings?(type: unknown): readonly string[];
  /** The answer to POST, where that has more. */
  created?(): z.ZodMiniObject;
}

/** A resource without code of its own. */
export interface PlainDeclaration extends ResourceDeclaration {
  /** Of every field but the name there is a column: a text as it is, everything else as JSON. */
  readonly input: z.ZodMiniObject;
  readonly patch: z.ZodMiniObject;
  readonly calls: Readonly<Record<'list' | 'create' | 'get' | 'update' | 'delete', CallSource>>;
  /** One as it may be created, and its ID: for descriptions. */
  readonly example: { readonly id: string; readonly name: string; readonly [field: string]: unknown };
}

/** A time, as answers have it [ours]. */
export const timestampSchema = () => z.iso.datetime();

/** A resource's name. */
export const nameSchema = z.string().check(z.minLength(1), z.maxLength(255));
