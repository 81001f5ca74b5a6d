/** The errors of `orgctl/client`, `orgctl/server` and `orgctl/signing`, which each export all of them. */
export {
  type Advice,
  ConfigError,
  type ErrorCode,
  type ErrorDetails,
  NetworkError,
  OrgctlError,
  OutcomeUnknownError,
  type QuotaFigures,
  type RawAnswer,
  ServiceError,
  type ServiceErrorCode,
  UsageError,
} from './errors.js';
