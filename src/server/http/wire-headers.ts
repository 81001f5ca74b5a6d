import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import type { Dialect } from '../../api/dialect/dialect.js';

const knownNames = new Map<string, string>();

/** `X-Quota-Limit` for `x-quota-limit`: the framework has names in lower case, and people read them as sent. */
export function wireName(name: string): string {
  const written = knownNames.get(name);
  if (written !== undefined) return written;
  const capitalised = name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
  // Only the server's own names, which are few.
  knownNames.set(name, capitalised);
  return capitalised;
}

type OutgoingHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** A class of answers. */
export type ResponseClass = typeof ServerResponse<IncomingMessage>;

/** The class of answers whose header names are spelt so. What Node adds for the connection is spelt by Node. */
function responseSpelling(spell: (name: string) => string): ResponseClass {
  return class WireResponse extends ServerResponse {
    override setHeader(name: string, value: number | string | readonly string[]): this {
      return super.setHeader(spell(name), value);
    }

    override writeHead(status: number, message?: string, headers?: OutgoingHeaders): this;
    override writeHead(status: number, headers?: OutgoingHeaders): this;
    override writeHead(status: number, message?: string | OutgoingHeaders, headers?: OutgoingHeaders): this {
      if (typeof message === 'string') return super.writeHead(status, message, wireHeaders(headers, spell));
      return super.writeHead(status, wireHeaders(message, spell));
    }
  };
}

/** As a flat list, which Node takes without another copy. */
function wireHeaders(
  headers: OutgoingHeaders | undefined,
  spell: (name: string) => string,
): OutgoingHeaders | undefined {
  if (headers === undefined || Array.isArray(headers)) return headers;
  const list: OutgoingHttpHeader[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) list.push(spell(name), value);
  }
  return list;
}

/** The spellings of header names that a service may have chosen. */
export const responseSpellings: Readonly<Record<Dialect['headers']['case'], ResponseClass>> = {
  'as-documented': responseSpelling(wireName),
  lower: responseSpelling((name) => name.toLowerCase()),
  upper: responseSpelling((name) => name.toUpperCase()),
};
