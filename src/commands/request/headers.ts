import { framing } from '../../client/network/direct-sender.js';
import { UsageError } from '../../errors/errors.js';

// orgctl authenticates requests itself, and custom framing would allow request smuggling.
const reserved = new Set([...framing, 'authorization', 'x-api-key', 'x-api-signature', 'x-api-timestamp']);

/** Joins repeated headers (RFC 9110, section 5.3). @throws UsageError for an invalid or reserved header */
export function parseHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (const text of texts) {
    const [name, value] = parseHeader(text);
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

function parseHeader(text: string): [name: string, value: string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\x20-\x7e\t]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new UsageError(`--header ${JSON.stringify(text)}: not of the form "Name: value" in ASCII`, {
      hint: "for example --header 'Accept: text/plain'",
    });
  }
  const lower = name.toLowerCase();
  if (reserved.has(lower))
    throw new UsageError(`--header ${name}: orgctl or its HTTP client controls this header`);
  return [lower, value.trim()];
}
