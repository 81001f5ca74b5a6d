import { readJsonValue } from '../exchange/json-body.js';

/** A request to a service, and the response. */
export interface ObservedCall {
  readonly request: {
    readonly method: string;
    /** Path and query, including the base path. */
    readonly target: string;
  };
  readonly status: number;
  /** Names in their original spelling. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** Path and query of a call below the base path; `undefined` for a call elsewhere. */
export function splitTarget(
  { request: { target } }: ObservedCall,
  basePath: string,
): { readonly path: string; readonly query: URLSearchParams } | undefined {
  if (!target.startsWith(`${basePath}/`)) return undefined;
  const [path = '', search = ''] = target.slice(basePath.length).split('?', 2);
  return { path, query: new URLSearchParams(search) };
}

export function headersByName({ headers }: ObservedCall): Readonly<Record<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    found.set(lower, [...(found.get(lower) ?? []), value]);
  }
  return Object.fromEntries(found);
}

/** The JSON value of a successful call, if any. */
export function readCallValue({ status, body }: ObservedCall): unknown {
  return status >= 200 && status < 300 ? readJsonValue(body) : undefined;
}

/** Spells the name of a header like `X-Total-Count`. */
export function spellHeader(name: string): string {
  return name.toLowerCase().replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
