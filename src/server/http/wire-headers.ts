import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Dialect } from '../../api/dialect/dialect.js';

const known = new Map<string, string>();

/**
 * A header's name as the reference and the RFCs write it, such as `X-Quota-Limit` for `x-quota-limit`: the framework has
 * all names in lower case, and people read them as they are sent.
 */
export function wireName(name: string): string {
  const written = known.get(name);
  if (written !== undefined) return written;
  const capitalised = name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
  // The server's own names alone come here, and they are few.
  known.set(name, capitalised);
  return capitalised;
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** An answer whose header names are spelt as `wireName` has them. What Node adds for the connection is spelt by Node. */
export class WireResponse extends ServerResponse {
  override setHeader(name: string, value: number | string | readonly string[]): this {
    return super.setHeader(this.spell(name), value);
  }

  override writeHead(status: number, message?: string, headers?: Headers): this;
  override writeHead(status: number, headers?: Headers): this;
  override writeHead(status: number, message?: string | Headers, headers?: Headers): this {
    if (typeof message === 'string') return super.writeHead(status, message, this.#wireHeaders(headers));
    return super.writeHead(status, this.#wireHeaders(message));
  }

  protected spell(name: string): string {
    return wireName(name);
  }

  /** Names and values by turns, which Node takes without another copy. */
  #wireHeaders(headers: Headers | undefined): Headers | undefined {
    if (headers === undefined || Array.isArray(headers)) return headers;
    const list: OutgoingHttpHeader[] = [];
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) list.push(this.spell(name), value);
    }
    return list;
  }
}

class LowerCaseResponse extends WireResponse {
  protected override spell(name: string): string {
    return name.toLowerCase();
  }
}

class UpperCaseResponse extends WireResponse {
  protected override spell(name: string): string {
    return name.toUpperCase();
  }
}

/** The spellings of header names that a service may have chosen. */
export const headerSpellings: Readonly<Record<Dialect['headers']['case'], typeof WireResponse>> = {
  'as-documented': WireResponse,
  lower: LowerCaseResponse,
  upper: UpperCaseResponse,
};
