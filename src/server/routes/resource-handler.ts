import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallName } from '../../api/operations.js';
import type { DeclaredResource, ResourceKind } from '../../api/resources/index.js';
import type { Envelope } from '../../api/schema/envelope.js';
import type { z } from '../../api/schema/schema.js';
import type { ResourceFields, RowPageRequest, StoredResource } from '../../storage/resources.js';
import type { Store } from '../../storage/store.js';
import type { ByteBudget } from '../http/byte-budget.js';
import type { Turns } from '../http/turns.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The declared call that a route answers. */
    readonly call?: { readonly kind: ResourceKind; readonly name: CallName };
  }
}

export interface ResourceRouteOptions {
  readonly store: Store;
  readonly held: ByteBudget;
  readonly turns: Turns;
  /** Receives unexpected errors. */
  readonly report: (error: unknown) => void;
}

/** Which resources have routes, and how to read their requests. */
export interface Asked {
  readonly resources: readonly DeclaredResource[];
  organizationOf(request: FastifyRequest): string;
  /** @throws HttpError 400 */
  pageOf(request: FastifyRequest): RowPageRequest;
  /** The value of a body. @throws HttpError 400 or 415 */
  bodyOf<Schema extends z.core.$ZodType>(
    request: FastifyRequest,
    schemaOf: (value: unknown) => Schema,
  ): z.output<Schema>;
  /** How a page is written item by item, if not in our own envelope. */
  pageText?(
    request: FastifyRequest,
    reply: FastifyReply,
    listed: Envelope<{ readonly id: string }>,
  ): Promise<PageText>;
}

/** A page as text that comes in pieces: what stands before its items, each of them, and what follows. */
export interface PageText {
  readonly start: string;
  readonly end: string;
  item(value: object): string;
}

/** The organization of a request, and who waits for long work. */
export interface Asker {
  readonly organizationId: string;
  /** Resolves when it is the turn of a piece of long work. */
  turn(): Promise<void>;
}

export interface PageAnswer extends Asker {
  readonly page: RowPageRequest;
  readonly reply: FastifyReply;
  /** The envelope of `/quotas` [ours]. */
  frame<Item>(items: readonly Item[]): Promise<Envelope<Item>>;
  /** How that envelope is written item by item; absent for our own form. */
  pageText?: ((listed: Envelope<{ readonly id: string }>) => Promise<PageText>) | undefined;
}

/** Transforms resources between rows and responses. */
export interface ResourceHandler {
  list(asked: PageAnswer): Promise<unknown>;
  /** `undefined` when there is none. */
  find(asker: Asker, id: string): Promise<unknown>;
  shown(resource: StoredResource): unknown;
  /** Waits for its turn where a change takes long. */
  beforeChange?(asker: Asker, id: string): Promise<void>;
  /** @throws HttpError when the patch does not fit */
  patched(current: StoredResource, patch: ResourceFields): StoredResource;
}
