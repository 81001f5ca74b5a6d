import { canonicalString, type SignableRequest, signatureHeader, signedHeaders } from '../hmac/signature.js';

export const headersInWords = [
  [signatureHeader.key, 'the API key ID'],
  [signatureHeader.timestamp, "Unix time in seconds, within about 5 minutes of the service's clock"],
  [
    signatureHeader.signature,
    'HMAC-SHA256 of the canonical string, keyed with the unmodified secret (UTF-8), in lower-case hexadecimal',
  ],
  ['Content-Type', 'if there is a body'],
] as const;

export const canonicalPartsInWords = [
  ['METHOD', 'in upper case'],
  ['PATH?QUERY', "as on the request line, including the base URL's path; not the full URL"],
  ['TIMESTAMP', `the value of ${signatureHeader.timestamp}`],
  ['CONTENT-TYPE', 'the exact value of the header; empty without a body, even if the header is there'],
  ['BODY', 'the bytes exactly as sent; empty without a body'],
] as const;

const credentialWords = { keyId: 'key_example', secret: '0123456789abcdef'.repeat(4) };

/** Signed requests with all intermediate values, to check an implementation against. */
export function signingExamples() {
  const timestamp = '1700000000';
  const json = 'application/json';
  const body = Buffer.from('{"name":"app"}');
  const target = '/connections?limit=5';
  return {
    withBody: describeSigned({ method: 'POST', target: '/connections', timestamp, contentType: json, body }),
    withoutBody: describeSigned({ method: 'GET', target, timestamp, contentType: '', body: Buffer.alloc(0) }),
  };
}

function describeSigned(request: SignableRequest) {
  const { method, target, contentType, body } = request;
  const headers = signedHeaders(credentialWords, request);
  return {
    secret: credentialWords.secret,
    method,
    target: String(target),
    body: Buffer.from(body).toString('utf8'),
    canonicalString: canonicalString(request).toString('utf8'),
    headers: contentType === '' ? headers : { ...headers, 'Content-Type': contentType },
  };
}
