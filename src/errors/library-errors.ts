/** The errors that `orgctl/client`, `orgctl/server` and `orgctl/signing` all export. */
export type { Advice } from './advice.js';
export {
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
