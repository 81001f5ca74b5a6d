import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { version } from '../platform/version.js';
import { withArticle } from '../text/count-noun.js';
import { type DeclaredResource, resources } from './resources/index.js';
import { toRowField } from './resources/resource.js';

/** The document as JSON, set by the build, so that the bundle reads and parses no file. */
declare const ORGCTL_OPENAPI: string | undefined;

/** The OpenAPI document, published as `orgctl/openapi.json`: `openapi.yaml` with the version and the calls of each kind. */
export function apiDocument(): Readonly<Record<string, unknown>> {
  return typeof ORGCTL_OPENAPI === 'undefined' ? makeDocument() : JSON.parse(ORGCTL_OPENAPI);
}

function makeDocument() {
  const text = readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8');
  const { 'x-kind': ofKind, ...document } = parse(text, { merge: true, maxAliasCount: -1 });
  const filled = resources.map((resource) => fill(ofKind, resource));
  return {
    ...document,
    info: { ...document.info, version },
    tags: [...document.tags, ...filled.map(({ tag }) => tag)],
    paths: Object.assign({}, document.paths, ...filled.map(({ paths }) => paths)),
  };
}

/** The calls that the API reference describes, besides `quotas.read`. */
const referenced: ReadonlySet<unknown> = new Set([
  'apiKeys.create',
  'connections.list',
  'connections.create',
]);

/** Puts the words of a resource in the place of `<kind>`, `<One>` and the like. */
function fill(part: unknown, resource: DeclaredResource) {
  const { kind, property, singular, plural } = resource;
  const one = toRowField(resource).replace(/^./, (letter) => letter.toUpperCase());
  const words: Readonly<Record<string, string>> = {
    ...{ kind, property, plural, One: one, Created: 'created' in resource ? `Created${one}` : one },
    'a singular': withArticle(singular),
  };
  const text = JSON.stringify(part).replaceAll(/<([\w ]+)>/g, (all, word) => words[word] ?? all);
  return JSON.parse(text, (_key, value) =>
    referenced.has(value?.operationId) ? { ...value, 'x-source': 'ref' } : value,
  );
}
