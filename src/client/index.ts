/**
 * `orgctl/client`: typed calls of the service, and what signs the requests of others: `fetch`, and undici's dispatchers.
 * Importing it changes nothing.
 */
export type { Envelope } from '../contract/envelope.js';
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
export {
  type Advice,
  ConfigError,
  type ErrorCode,
  type ErrorDetails,
  NetworkError,
  OrgctlError,
  OutcomeUnknownError,
  type QuotaFigures,
  ServiceError,
  type ServiceErrorCode,
  UsageError,
} from '../errors.js';
export type { Credential } from '../signing/basic.js';
export {
  type Client,
  type ClientOptions,
  type ConnectionCalls,
  createClient,
  type ResourceCalls,
} from './create-client.js';
export type { Answer } from './exchange.js';
export type { ApiRequest, Called, Method } from './request.js';
export type { CallOptions, Page, PageRequest } from './resource-calls.js';
export { type SignInterceptor, signInterceptor } from './sign-interceptor.js';
export { type SignedFetchOptions, signedFetch } from './signed-fetch.js';
export type { SignOptions } from './signing-dispatch.js';
