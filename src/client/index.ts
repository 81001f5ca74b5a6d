/**
 * `orgctl/client`: typed calls of the service, and signing for `fetch` and undici's dispatchers. Importing it has no
 * side effects.
 */
export type { Envelope } from '../contract/envelope.js';
export * from '../contract/library-errors.js';
export type { AuthMode } from '../contract/option-values.js';
export type {
  ApiKey,
  ApiKeyInput,
  ApiKeyPatch,
  Connection,
  ConnectionConfig,
  ConnectionInput,
  ConnectionPatch,
  CreatedApiKey,
  PostgresConfig,
  PostgresType,
  Quota,
  QuotaRecord,
  Team,
  TeamInput,
  TeamPatch,
} from '../contract/records.js';
export type { Credential } from '../signing/basic.js';
export {
  type Client,
  type ClientOptions,
  type ConnectionCalls,
  createClient,
  type ResourceCalls,
} from './create-client.js';
export type { Answer } from './exchange.js';
export type { Page } from './page.js';
export type { ApiRequest, Called, Method } from './request.js';
export type { CallOptions, PageRequest } from './resource-calls.js';
export { type SignInterceptor, signInterceptor } from './sign-interceptor.js';
export { type SignedFetchOptions, signedFetch } from './signed-fetch.js';
export type { OriginSignOptions, SignOptions } from './signing-dispatch.js';
