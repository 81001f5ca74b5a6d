import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DeclaredResource } from '../../api/resources/index.js';
import type { Envelope } from '../../api/schema/envelope.js';
import type { Fields, PageRequest, StoredResource } from '../../storage/resources.js';
import type { Store } from '../../storage/store.js';
import type { HeldBytes } from '../http/held-bytes.js';
import type { Turns } from '../http/turns.js';

export interface ResourceRouteOptions {
  readonly store: Store;
  readonly held: HeldBytes;
  readonly turns: Turns;
  /** Receives unexpected errors. */
  readonly report: (error: unknown) => void;
}

/** Which resources have routes, and how to read their requests. */
export interface Asked {
  readonly resources: readonly DeclaredResource[];
  organizationOf(request: FastifyRequest): string;
  /** @throws HttpError 400 */
  pageOf(request: FastifyRequest): PageRequest;
}

/** The organization of a request, and who waits for long work. */
export interface Asker {
  readonly organizationId: string;
  /** Resolves when it is the turn of a piece of long work. */
  turn(): Promise<void>;
}

export interface PageAnswer extends Asker {
  readonly page: PageRequest;
  readonly reply: FastifyReply;
  /** The envelope of `/quotas` [ours]. */
  frame<Item>(items: readonly Item[]): Promise<Envelope<Item>>;
}

/** Transforms resources between rows and responses. */
export interface Handling {
  list(asked: PageAnswer): Promise<unknown>;
  /** `undefined` when there is none. */
  find(asker: Asker, id: string): Promise<unknown>;
  shown(resource: StoredResource): unknown;
  /** Waits for its turn where a change takes long. */
  beforeChange?(asker: Asker, id: string): Promise<void>;
  /** @throws HttpError when the patch does not fit */
  patched(current: StoredResource, patch: Fields): StoredResource;
}
