import type { AuthMode } from '../api/option-values.js';
import { apiKeys } from '../api/resources/api-key.js';
import { connections } from '../api/resources/connection.js';
import { mapPlainResources, type PlainTypes } from '../api/resources/index.js';
import type {
  ApiKey,
  ApiKeyInput,
  ApiKeyPatch,
  Connection,
  ConnectionInput,
  ConnectionPatch,
  CreatedApiKey,
  QuotaRecord,
} from '../api/resources/records.js';
import { isResourceLike, type Resource, type ResourceDeclaration } from '../api/resources/resource.js';
import type { Credential } from '../signing/basic/basic.js';
import { parseBaseUrl } from '../text/base-url.js';
import { createdKeyShape, readQuotaRecord } from './api.js';
import type { Answer } from './exchange/exchange.js';
import type { ApiRequest } from './exchange/request.js';
import { followPages, listItems } from './follow-pages.js';
import { openDispatcher } from './network/dispatcher.js';
import { ownEnvironment } from './network/own-environment.js';
import type { ItemForms } from './reading/forms.js';
import type { Page } from './reading/page.js';
import { type CallOptions, type PageRequest, resourceCalls } from './resource-calls.js';
import { requireCallOptions, requireClientOptions } from './signing/client-options.js';
import { createTransport, type Transport } from './transport/transport.js';

/** Which service, with which key, and how patiently. Times are in milliseconds. */
export interface ClientOptions extends Credential {
  /** Such as `https://api.example.com/v1`; plain `http:` is for loopback hosts alone. */
  readonly baseUrl: string;
  /** `hmac` signs each request, `basic` sends the secret itself; default: `hmac`. */
  readonly auth?: AuthMode | undefined;
  /**
   * A PEM file of certificates to trust besides Node's own, such as the `caFile` of a server from `startServer`; or the
   * word `system`, for those that the operating system trusts.
   */
  readonly caFile?: string | undefined;
  /** Limit for one attempt; default: 30,000. */
  readonly timeout?: number | undefined;
  /** Limit for one call, all its attempts and waits included; default: 120,000. */
  readonly deadline?: number | undefined;
  /** Retries after the first attempt, of requests that were certainly not carried out; default: 3. */
  readonly retries?: number | undefined;
  /** Refuses every method but GET with a ConfigError; default: false. */
  readonly readOnly?: boolean | undefined;
  /** Milliseconds since the epoch, for timestamps; default: the system's clock. */
  readonly clock?: (() => number) | undefined;
  /** Where `HTTPS_PROXY`, `NO_PROXY`, `NODE_EXTRA_CA_CERTS` and `SSL_CERT_FILE` are read; default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Value of `User-Agent`; default: `orgctl` and its version. */
  readonly userAgent?: string | undefined;
  /** Gets one line for each retry and each clock correction; default: nobody does. */
  readonly onNote?: ((text: string) => void) | undefined;
}

/**
 * The calls of one resource. All of them reject with a ServiceError when the service refuses, whose `code` and
 * `details.status` say why; with a NetworkError when it was not reached; with an OutcomeUnknownError when a change got
 * no answer; and with the reason of an aborted `signal`. The client stays usable after any of these.
 */
export interface ResourceCalls<Item, Created, Input, Patch> {
  /** One page. */
  list(request?: PageRequest): Promise<Page<Item>>;
  /**
   * All pages, from the first, of 100 items each unless `limit` says otherwise; the next is read ahead. Rejects with a
   * ServiceError after the last one when nothing proves that the list is whole: neither its total, nor its number of
   * pages, nor an array shorter than `limit`.
   */
  pages(request?: Omit<PageRequest, 'page'>): AsyncIterable<Page<Item>>;
  /** The items of all pages, one by one; rejects as `pages` does. */
  all(request?: Omit<PageRequest, 'page'>): AsyncIterable<Item>;
  /** Creates one; when the quota of its kind is used up, the ServiceError has the code `quota_exceeded`. */
  create(input: Input, options?: CallOptions): Promise<Created>;
  /** One by its ID. */
  get(id: string, options?: CallOptions): Promise<Item>;
  /** Changes the given fields, and returns the result. */
  update(id: string, patch: Patch, options?: CallOptions): Promise<Item>;
  /** Deletes one by its ID. */
  delete(id: string, options?: CallOptions): Promise<void>;
}

/** The calls of connections. The type of a connection decides what its `config` may hold. */
export interface ConnectionCalls
  extends Omit<ResourceCalls<Connection, Connection, ConnectionInput, ConnectionPatch>, 'create'> {
  /** Creates one; when the quota is used up, the ServiceError has the code `quota_exceeded`. */
  create<const Type extends string>(input: ConnectionInput<Type>, options?: CallOptions): Promise<Connection>;
}

/** The calls of resources that need nothing of their own, such as `/teams` [ours]. */
type PlainClient = {
  readonly [Types in PlainTypes as Types['property']]: ResourceCalls<
    Types['item'],
    Types['created'],
    Types['input'],
    Types['patch']
  >;
};

/** A service, and a key to it. Connections are kept open until it is closed. */
export interface Client extends PlainClient {
  /** `/connections`. */
  readonly connections: ConnectionCalls;
  /** `/api-keys`. */
  readonly apiKeys: ResourceCalls<ApiKey, CreatedApiKey, ApiKeyInput, ApiKeyPatch>;
  /** `/quotas`. */
  readonly quotas: {
    /** The organization's quota record, keyed by kind (reference, section 4); rejects as the calls of resources do. */
    read(options?: CallOptions): Promise<QuotaRecord>;
  };
  /** Any call, signed; rejects as the others do, for every status other than 2xx. */
  request(request: ApiRequest): Promise<Answer>;
  /** Aborts what is in progress, and closes the connections. */
  close(): Promise<void>;
  /** As `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens a client of the service; nothing is sent yet. Each attempt is signed afresh, requests that were certainly not
 * carried out are retried, and redirects are not followed.
 *
 * @throws UsageError for invalid options; ConfigError for a CA file or a proxy that cannot be used
 */
export function createClient(options: ClientOptions): Client {
  requireClientOptions(options);
  const { baseUrl, keyId, secret, caFile, timeout, env = ownEnvironment, onNote, ...rest } = options;
  const { origin, prefix } = parseBaseUrl(baseUrl);
  const dispatcher = openDispatcher({ origin, caFile, connectTimeout: timeout, env });
  const credential = { keyId, secret };
  const transport = checkingCalls(
    createTransport({ ...rest, dispatcher, origin, prefix, credential, timeout, note: onNote }),
  );
  return {
    connections: makeTypedCalls(transport, connections),
    // Answers pass through untouched: what they are is for `Client` to say.
    ...mapPlainResources('property', (plain) =>
      makeTypedCalls<never, never, unknown, unknown>(transport, plain),
    ),
    apiKeys: makeTypedCalls(transport, apiKeys, createdApiKey),
    quotas: { read: (call) => readQuotaRecord(transport, call) },
    request: (request) => transport.send(request),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

const { readCreated: readKey, created } = createdKeyShape();

const createdApiKey = {
  readCreated: async (resource: Resource | undefined, value: unknown, forms: ItemForms) => {
    const key = await readKey(resource, value, forms);
    return isResourceLike<CreatedApiKey>(key) ? key : undefined;
  },
  created,
};

/** Refuses what a program without types may pass. */
function checkingCalls(transport: Transport): Transport {
  return {
    ...transport,
    async send(request, left) {
      requireCallOptions(request);
      return transport.send(request, left);
    },
  };
}

/** The calls of a resource, typed by the caller. */
function makeTypedCalls<Item, Created extends Item, Input, Patch>(
  transport: Transport,
  resource: ResourceDeclaration,
  creation: Pick<Parameters<typeof resourceCalls<Item, Created>>[2], 'readCreated' | 'created'> = {
    readCreated: (created) => (isResourceLike<Created>(created) ? created : undefined),
  },
): ResourceCalls<Item, Created, Input, Patch> {
  const shapes = { isItem: (value: unknown): value is Item => isResourceLike<Item>(value), ...creation };
  const calls = resourceCalls<Item, Created, Input, Patch>(transport, resource, shapes);
  const pages = (request: Omit<PageRequest, 'page'> = {}) => {
    requireCallOptions(request);
    return followPages(calls.list, { deadline: transport.deadline, ...request }, { what: resource.plural });
  };
  return { ...calls, pages, all: (request) => listItems(pages(request)) };
}
