/** `orgctl/client`: an undici interceptor that authenticates, and typed calls of the service. */
export type { AuthMode } from '../contract/option-values.js';
export {
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
export type { Page, PageRequest } from './api.js';
export { type Api, createApi } from './api.js';
export { type DispatcherOptions, openDispatcher } from './dispatcher.js';
export type { Answer } from './exchange.js';
export type { ClockSkew, TransportOptions } from './exchanger.js';
export type { ApiRequest, Method } from './request.js';
export { type SignOptions, signInterceptor } from './sign-interceptor.js';
export { createTransport, type Transport } from './transport.js';
