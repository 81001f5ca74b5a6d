/** `orgctl/client`: typed calls, and signing for `fetch` and undici's dispatchers. Importing it has no side effects. */

export type { AuthMode } from '../api/option-values.js';
export { isPostgresConnection } from '../api/resources/connection.js';
export type * from '../api/resources/records.js';
export type { Envelope } from '../api/schema/envelope.js';
export * from '../errors/library-errors.js';
export type { Credential } from '../signing/basic/basic.js';
export {
  type Client,
  type ClientOptions,
  type ConnectionCalls,
  createClient,
  type ResourceCalls,
} from './create-client.js';
export type { Answer } from './exchange/exchange.js';
export type { ApiRequest, Called, Method } from './exchange/request.js';
export type { Retry } from './exchange/retry.js';
export type { OwnDispatcher } from './network/dispatcher-sender.js';
export type { CallOptions, NextPage, Page, PageRequest } from './reading/page.js';
export type { SignOptions } from './signing/authenticate.js';
export { type OriginSignOptions, type SignInterceptor, signInterceptor } from './signing/sign-interceptor.js';
export { type AnyFetch, type SignedFetchOptions, signedFetch } from './signing/signed-fetch.js';
