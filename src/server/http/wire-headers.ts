import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import type { Dialect } from '../../api/dialect/dialect.js';

const knownNames = new Map<string, string>();

/** `X-Quota-Limit` for `x-quota-limit`: the framework lowercases names, but people compare them with the reference. */
export function wireName(name: string): string {
  const written = knownNames.get(name);
  if (written !== undefined) return written;
  const capitalised = name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
  // Only names of the server and its stubs, so the map stays small.
  knownNames.set(name, capitalised);
  return capitalised;
}

type OutgoingHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[];

export type ResponseClass = typeof ServerResponse<IncomingMessage>;

/** Headers that Node adds keep Node's spelling. */
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

/** A flat list, which Node accepts without copying. */
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

export const responseSpellings: Readonly<Record<Dialect['headers']['case'], ResponseClass>> = {
  'as-documented': responseSpelling(wireName),
  lower: responseSpelling((name) => name.toLowerCase()),
  upper: responseSpelling((name) => name.toUpperCase()),
};
