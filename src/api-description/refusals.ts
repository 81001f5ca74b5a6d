import { quotaExceededMessage } from '../api/error-message.js';
import { errorMessage } from '../api/refusal-message.js';

/** The error responses with one status: their meaning, and when each message is sent. */
export interface DescribedRefusal {
  readonly name: string;
  readonly description: string;
  readonly messages: Readonly<Record<string, string>>;
  readonly retryAfter?: 'always' | 'sometimes';
}

export const describedRefusals: Readonly<Record<string, DescribedRefusal>> = {
  400: {
    name: 'BadRequest',
    description: 'Invalid query or body, or two credentials at once. The message says which.',
    messages: {
      [errorMessage.multipleCredentials]: 'both an Authorization and an X-API-Key header',
      'name: must not be empty': 'a field that does not match its schema',
      'Malformed JSON': 'the body is not valid JSON',
      'limit must be one integer from 1 to 100': 'an invalid query',
    },
  },
  401: {
    name: 'Unauthenticated',
    description: 'The credential is missing or invalid.',
    messages: {
      [errorMessage.invalidKey]: 'key ID not found or revoked, or no credential',
      [errorMessage.invalidSecret]: 'Basic: wrong secret',
      [errorMessage.invalidBasicFormat]: 'Basic: not correctly encoded',
      [errorMessage.invalidSignature]: 'HMAC: the signature does not match the canonical string',
      [errorMessage.invalidTimestamp]: 'HMAC: missing, not in seconds, or more than about 5 minutes off',
    },
  },
  403: {
    name: 'Forbidden',
    description: 'The key is disabled, or a POST would exceed the quota.',
    messages: {
      [errorMessage.keyDisabled]: 'the key exists and is disabled',
      [quotaExceededMessage(10, 'connections', 10)]: 'a POST beyond the quota',
    },
  },
  404: {
    name: 'NotFound',
    description: 'The organization has no such resource.',
    messages: { 'Not Found': 'no resource with this ID' },
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body is larger than 1 MiB.',
    messages: { 'Payload Too Large': 'more than 1 MiB' },
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The Content-Type is not application/json in UTF-8.',
    messages: {
      'Unsupported Media Type: Content-Type must be application/json': 'another Content-Type, or none',
    },
  },
  429: {
    name: 'TooManyRequests',
    description: 'The key has reached its rate limit. The request was not carried out.',
    messages: { [errorMessage.tooManyRequests]: 'more requests than the rate limit permits' },
    retryAfter: 'always',
  },
  503: {
    name: 'ServiceUnavailable',
    description:
      'The server is overloaded, or the data cannot be read or written. If the response has Retry-After, the request was not carried out.',
    messages: {
      'Service Unavailable': 'nothing was done',
      'Service Unavailable: the data cannot be read or written; nothing was changed':
        'the disk is full, or the database is unreachable',
      'Service Unavailable: the outcome is unknown; the request may have been carried out':
        'a change may have been made; never with Retry-After',
    },
    retryAfter: 'sometimes',
  },
};
