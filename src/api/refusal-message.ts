/** Wording of the API reference. */
export const errorMessage = {
  invalidKey: 'Invalid API key',
  invalidSecret: 'Invalid API key secret',
  invalidBasicFormat: 'Invalid Basic auth format',
  invalidSignature: 'Invalid API signature',
  invalidTimestamp: 'Invalid or missing X-API-Timestamp',
  keyDisabled: 'API key is disabled',
  multipleCredentials: 'Multiple credentials provided',
  tooManyRequests: 'Too Many Requests',
} as const;
