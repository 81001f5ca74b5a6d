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
    readonly call?: { readonly kind: ResourceKind; readonly name: CallName };
  }
}

export interface ResourceRouteOptions {
  readonly store: Store;
  readonly held: ByteBudget;
  readonly turns: Turns;
  readonly report: (error: unknown) => void;
}

export interface Asked {
  readonly resources: readonly DeclaredResource[];
  organizationOf(request: FastifyRequest): string;
  /** @throws HttpError 400 */
  pageOf(request: FastifyRequest): RowPageRequest;
  /** @throws HttpError 400 or 415 */
  bodyOf<Schema extends z.core.$ZodType>(
    request: FastifyRequest,
    schemaOf: (value: unknown) => Schema,
  ): z.output<Schema>;
  pageText?(
    request: FastifyRequest,
    reply: FastifyReply,
    listed: Envelope<{ readonly id: string }>,
  ): Promise<PageText>;
}

export interface PageText {
  readonly start: string;
  readonly end: string;
  item(value: object): string;
}

export interface Asker {
  readonly organizationId: string;
  turn(): Promise<void>;
}

export interface PageAnswer extends Asker {
  readonly page: RowPageRequest;
  readonly reply: FastifyReply;
  frame<Item>(items: readonly Item[]): Promise<Envelope<Item>>;
  pageText?: ((listed: Envelope<{ readonly id: string }>) => Promise<PageText>) | undefined;
}

export interface ResourceHandler {
  list(asked: PageAnswer): Promise<unknown>;
  find(asker: Asker, id: string): Promise<unknown>;
  shown(resource: StoredResource): unknown;
  /** Waits for the asker's turn if the change may take long. */
  beforeChange?(asker: Asker, id: string): Promise<void>;
  /** @throws HttpError if the patch does not fit */
  patched(current: StoredResource, patch: ResourceFields): StoredResource;
}
