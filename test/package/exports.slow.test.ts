import { expect, it } from 'vitest';
import * as client from '../../src/client/index.js';
import * as server from '../../src/server/index.js';
import * as signing from '../../src/signing/index.js';

// Programs of others import these names: one that goes or is renamed breaks them.
const errors = 'ConfigError NetworkError OrgctlError OutcomeUnknownError ServiceError UsageError';
const namesOfSigning = `basicAuthorization canonicalString defaultMaxSkew equalInConstantTime explainMismatch
  hmacSignature knownMistakes parseBasicAuthorization parseTimestamp signatureHeader signedHeaders timestampOf
  verifyRequest verifySignature visibleCanonical withinSkew`;

it.each<[string, object, string]>([
  ['signing', signing, namesOfSigning],
  ['client', client, 'createClient isPostgresConnection signInterceptor signedFetch'],
  ['server', server, 'startServer'],
])('orgctl/%s exports the names that it always has', (_name, library, names) => {
  expect(Object.keys(library).sort()).toEqual(`${errors} ${names}`.split(/\s+/).sort());
});
