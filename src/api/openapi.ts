import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { version } from '../platform/version.js';

/** `openapi.yaml` as JSON, set by the build, so that the bundle reads and parses no file. */
declare const ORGCTL_OPENAPI: string | undefined;

interface OpenApiDocument {
  readonly [part: string]: unknown;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

/** The OpenAPI document, published as `orgctl/openapi.json`: `openapi.yaml` with the package's version. */
export function apiDocument(): OpenApiDocument {
  const document = typeof ORGCTL_OPENAPI === 'undefined' ? readDocument() : JSON.parse(ORGCTL_OPENAPI);
  return { ...document, info: { ...document.info, version } };
}

function readDocument() {
  const text = readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8');
  return parse(text, { merge: true, maxAliasCount: -1 });
}
