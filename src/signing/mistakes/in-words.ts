import { canonicalString, signatureHeader, signedHeaders } from '../hmac/signature.js';

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

/** A signed request with its intermediate values; `openapi.yaml` has it, too, as a test vector. */
export function signingExample() {
  const secret = '0123456789abcdef'.repeat(4);
  const contentType = 'application/json';
  const body = Buffer.from('{"name":"app"}');
  const request = { method: 'POST', target: '/connections', timestamp: '1700000000', contentType, body };
  const signed = signedHeaders({ keyId: 'key_example', secret }, request);
  const headers = { ...signed, 'Content-Type': contentType };
  return { secret, canonicalString: canonicalString(request).toString(), headers };
}
