import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Envelope } from '../../contract/envelope.js';
import type { DeclaredResource } from '../../contract/resources/index.js';
import type { Fields, PageRequest, StoredResource } from '../../storage/resources.js';
import type { Store } from '../../storage/store.js';
import type { HeldBytes } from '../pipeline/held-bytes.js';

export interface ResourceRouteOptions {
  readonly store: Store;
  readonly held: HeldBytes;
  /** Told of errors that nobody expected. */
  readonly report: (error: unknown) => void;
}

/** Which resources have routes, and how requests to them are interpreted. */
export interface Asked {
  readonly resources: readonly DeclaredResource[];
  /** The organization whose resources are meant. */
  organizationOf(request: FastifyRequest): string;
  /** Which part of a list is meant. @throws HttpError 400 */
  pageOf(request: FastifyRequest): PageRequest;
}

/** A page that was asked for, and how it is answered. */
export interface PageAnswer {
  readonly organizationId: string;
  readonly page: PageRequest;
  readonly reply: FastifyReply;
  /** Puts items into the envelope of `/quotas` [ours]. */
  frame<Item>(items: readonly Item[]): Promise<Envelope<Item>>;
}

/** How resources are transformed between rows and answers. */
export interface Handling {
  /** Answers a list. */
  list(asked: PageAnswer): Promise<unknown>;
  /** What is answered of one. */
  shown(resource: StoredResource): unknown;
  /** What a PATCH makes of one. @throws HttpError when it may not. */
  patched(current: StoredResource, patch: Fields): StoredResource;
}
