import { STATUS_CODES } from 'node:http';
import type { ErrorBody } from '../../contract/error-message.js';

/** The body of an error: the reference shows it for an exceeded quota (section 7), here all errors have it. */
export function errorBody(statusCode: number, message = STATUS_CODES[statusCode] ?? 'Error'): ErrorBody {
  return { statusCode, message };
}
