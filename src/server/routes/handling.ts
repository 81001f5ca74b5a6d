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

/** The organization that a request is about, and who waits for work that takes long. */
export interface Asker {
  readonly organizationId: string;
  /** Resolves when it is the turn of a piece of work that takes milliseconds. */
  turn(): Promise<void>;
}

/** A page that was asked for, and how it is answered. */
export interface PageAnswer extends Asker {
  readonly page: PageRequest;
  readonly reply: FastifyReply;
  /** Puts items into the envelope of `/quotas` [ours]. */
  frame<Item>(items: readonly Item[]): Promise<Envelope<Item>>;
}

/** How resources are transformed between rows and answers. */
export interface Handling {
  /** Answers a list. */
  list(asked: PageAnswer): Promise<unknown>;
  /** What is answered of one that is there already; `undefined` when there is none. */
  find(asker: Asker, id: string): Promise<unknown>;
  /** What is answered of one that was made or changed. */
  shown(resource: StoredResource): unknown;
  /** Waits for its turn where changing one takes long. */
  beforeChange?(asker: Asker, id: string): Promise<void>;
  /** What a PATCH makes of one. @throws HttpError when it may not. */
  patched(current: StoredResource, patch: Fields): StoredResource;
}
