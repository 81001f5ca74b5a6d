import { env as ownEnvironment } from 'node:process';
import type { AuthMode } from '../api/option-values.js';
import { byResource, type PlainRecords } from '../api/resources/index.js';
import type {
  ApiKey,
  ApiKeyInput,
  ApiKeyPatch,
  Connection,
  ConnectionInput,
  ConnectionPatch,
  CreatedApiKey,
  PostgresType,
  QuotaRecord,
} from '../api/resources/records.js';
import type { ResourceDeclaration } from '../api/resources/resource.js';
import type { Credential } from '../signing/basic/basic.js';
import { parseBaseUrl } from '../text/base-url.js';
import type { Answer } from './exchange/exchange.js';
import type { ApiRequest } from './exchange/request.js';
import type { Retry } from './exchange/retry.js';
import { followPages, listItems } from './follow-pages.js';
import { openSender } from './network/direct-sender.js';
import { dispatcherSender, type OwnDispatcher } from './network/dispatcher-sender.js';
import { readQuotaRecord } from './quota-record.js';
import type { CallOptions, Page, PageRequest } from './reading/page.js';
import { resourceCalls } from './resource-calls.js';
import { requireOptions } from './signing/client-options.js';
import { createTransport, type Transport } from './transport/transport.js';

/** Times are in milliseconds. */
export interface ClientOptions extends Credential {
  /** Such as `https://api.example.com/v1`; plain `http:` only for loopback. */
  readonly baseUrl: string;
  /** `hmac` signs each request, `basic` sends the secret itself; default: `hmac`. */
  readonly auth?: AuthMode | undefined;
  /** PEM file to trust in addition to Node's roots; `system` for the operating system's store. */
  readonly caFile?: string | undefined;
  /** Limit for one attempt; default: 30,000. */
  readonly timeout?: number | undefined;
  /** Limit for all attempts and waits of a call; default: 120,000. */
  readonly deadline?: number | undefined;
  /** Maximum retries, made only where that is safe; default: 3. */
  readonly retries?: number | undefined;
  /** Refuses every method but GET, and headers that override it, with a ConfigError; default: false. */
  readonly readOnly?: boolean | undefined;
  /** Milliseconds since the epoch, for timestamps; default: the system's clock. */
  readonly clock?: (() => number) | undefined;
  /** The source of `HTTPS_PROXY`, `NO_PROXY`, `NODE_EXTRA_CA_CERTS` and `SSL_CERT_FILE`; default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Default: `orgctl` and its version. */
  readonly userAgent?: string | undefined;
  /** Receives a line for each retry and clock correction. */
  readonly onNote?: ((text: string) => void) | undefined;
  /** Called before each wait for a retry. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /**
   * Sends the requests: a dispatcher of undici 7 or later, such as a `MockAgent`. Its owner configures trust (`caFile`
   * is not used) and proxies, and closes it.
   */
  readonly dispatcher?: OwnDispatcher | undefined;
}

/**
 * The calls of one resource. They reject with a ServiceError (see `code`) for a refusal or an unexpected response, a
 * NetworkError if the service was not reached or a read got no response, an OutcomeUnknownError if a change may have
 * been made, a UsageError for an invalid request, or the reason of an aborted `signal`.
 */
export interface ResourceCalls<Item, Created, Input, Patch> {
  list(request?: PageRequest): Promise<Page<Item>>;
  /**
   * All pages, by default of up to 100 items. Rejects with a ServiceError after the last page unless something, such as
   * a total, proves that the list is complete.
   */
  pages(request?: Omit<PageRequest, 'page'>): AsyncIterable<Page<Item>>;
  /** The items of all pages; rejects like `pages`. */
  all(request?: Omit<PageRequest, 'page'>): AsyncIterable<Item>;
  /** Creates a resource; if that would exceed the quota, rejects with a ServiceError (`quota_exceeded`). */
  create(input: Input, options?: CallOptions): Promise<Created>;
  get(id: string, options?: CallOptions): Promise<Item>;
  /** Changes the given fields, and returns the result. */
  update(id: string, patch: Patch, options?: CallOptions): Promise<Item>;
  delete(id: string, options?: CallOptions): Promise<void>;
}

/** A connection's type decides the type of its `config`. */
export interface ConnectionCalls
  extends Omit<ResourceCalls<Connection, Connection, ConnectionInput, ConnectionPatch>, 'create' | 'update'> {
  create<const Type extends string>(
    input: ConnectionInput<Type>,
    options?: CallOptions,
  ): Promise<Connection<Type>>;
  /** A `config` for a type other than PostgreSQL requires `type`. */
  update<const Type extends string = PostgresType>(
    id: string,
    patch: ConnectionPatch<Type>,
    options?: CallOptions,
  ): Promise<Connection>;
}

type PlainCalls = {
  readonly [Kind in keyof PlainRecords]: ResourceCalls<
    PlainRecords[Kind]['item'],
    PlainRecords[Kind]['item'],
    PlainRecords[Kind]['input'],
    PlainRecords[Kind]['patch']
  >;
};

/** A client of a service. Call `close` to release its network connections. */
export interface Client extends PlainCalls {
  readonly connections: ConnectionCalls;
  readonly apiKeys: ResourceCalls<ApiKey, CreatedApiKey, ApiKeyInput, ApiKeyPatch>;
  readonly quotas: {
    /** The quotas by kind. */
    read(options?: CallOptions): Promise<QuotaRecord>;
  };
  /** Sends any request, authenticated; rejects for every status except 2xx. */
  request(request: ApiRequest): Promise<Answer>;
  /** Aborts calls in progress, and closes network connections, except those of a given `dispatcher`. */
  close(): Promise<void>;
  /** `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a client, which retries requests only where that is safe, and follows no redirects.
 * @throws UsageError for invalid options; ConfigError for an unusable CA file or proxy
 */
export function createClient(options: ClientOptions): Client {
  requireOptions('createClient', options);
  const { baseUrl, keyId, secret, caFile, env = ownEnvironment, onNote: note, ...rest } = options;
  const { origin, prefix } = parseBaseUrl(baseUrl);
  const sender =
    options.dispatcher === undefined
      ? openSender({ origin, caFile, env })
      : dispatcherSender(options.dispatcher, origin);
  const credential = { keyId, secret };
  const transport = createTransport({ ...rest, sender, origin, prefix, credential, note });
  return {
    // Field types are not checked; `Client` declares them.
    ...byResource('property', (resource) => makeTypedCalls(transport, resource)),
    quotas: { read: (call) => readQuotaRecord(transport, call) },
    request: (request) => transport.send(request),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

function makeTypedCalls(
  transport: Transport,
  resource: ResourceDeclaration,
): ResourceCalls<never, never, never, never> {
  const calls = resourceCalls<never, never, never, never>(transport, resource);
  const pages = (request: Omit<PageRequest, 'page'> = {}) =>
    followPages(calls.list, { deadline: transport.deadline, ...request }, { what: resource.plural });
  return { ...calls, pages, all: (request) => listItems(pages(request)) };
}
