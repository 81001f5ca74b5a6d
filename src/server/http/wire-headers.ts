import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';

const known = new Map<string, string>();

/** `X-Quota-Limit` for `x-quota-limit`: the framework has names in lower case, and people read them as sent. */
export function wireName(name: string): string {
  const written = known.get(name);
  if (written !== undefined) return written;
  const capitalised = name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
  // Only the server's own names, which are few.
  known.set(name, capitalised);
  return capitalised;
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

export class WireResponse extends ServerResponse {
  override setHeader(name: string, value: number | string | readonly string[]): this {
    return super.setHeader(wireName(name), value);
  }

  override writeHead(status: number, message?: string, headers?: Headers): this;
  override writeHead(status: number, headers?: Headers): this;
  override writeHead(status: number, message?: string | Headers, headers?: Headers): this {
    if (typeof message === 'string') return super.writeHead(status, message, wireHeaders(headers));
    return super.writeHead(status, wireHeaders(message));
  }
}

/** As a flat list, which Node takes without another copy. */
function wireHeaders(headers: Headers | undefined): Headers | undefined {
  if (headers === undefined || Array.isArray(headers)) return headers;
  const list: OutgoingHttpHeader[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) list.push(wireName(name), value);
  }
  return list;
}
