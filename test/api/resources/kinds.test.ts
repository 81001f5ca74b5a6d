import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isPlainResource, resources } from '../../../src/api/resources/index.js';
import { plainKinds } from '../../../src/api/resources/plain-kinds.js';
import { createApi } from '../../../src/client/api.js';
import { createClient } from '../../../src/client/create-client.js';
import { knownForms } from '../../../src/client/reading/forms.js';
import { kindsInMaking, kindsOfFile } from '../../../src/organization/declaration/organization-file.js';
import { isContainer } from '../../../src/redaction/harmless.js';
import { checkSeed } from '../../../src/server/seed/schema.js';
import { readSources } from '../../support/source-file.js';

const kinds = resources.map(({ kind }) => kind);
const plain = resources.filter(isPlainResource);

// A plain resource is its declaration and its command.
const mayName = [
  /^api\/resources\//,
  /^registry\.ts$/,
  // What logs may show: safe by default.
  /^redaction\/harmless\.ts$/,
  // The row that tells completion its fields.
  /^organization\/show\/step-view\.ts$/,
  ...plain.map(({ kind }) => new RegExp(`^(?:commands|verbs)/${kind}/`)),
];

const root = fileURLToPath(new URL('../../../src', import.meta.url));
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(root, path), 'utf8')] as const);

/** Files that name a plain kind as a value or a field, or have a text with three or more kinds. */
function listing(files: typeof sources): string[] {
  const fields = plain.map(({ property }) => new RegExp(`^\\s*(?:readonly )?${property}\\??:`, 'm'));
  return files
    .filter(([path]) => !mayName.some((place) => place.test(path)))
    .filter(([, text]) => plain.some(({ kind, property }) => text.includes(kind) || text.includes(property)))
    .filter(([path, text]) => {
      const [{ texts = [] } = {}] = readSources([[path, text]]);
      const isNamed = texts.some((one) => plain.some(({ kind }) => kind === one));
      const isListed = texts.some((one) => kinds.filter((kind) => one.includes(kind)).length > 2);
      return isNamed || isListed || fields.some((field) => field.test(text));
    })
    .map(([path]) => path);
}

describe('the kinds of resource', () => {
  it('stand in no list but that of the declarations', () => {
    expect(listing(sources)).toEqual([]);
  });

  it.each([
    ['a value', "const all = ['connections', 'teams'];"],
    ['a field', 'const calls = {\n  teams: 1,\n};'],
    ['a type', 'interface Lists {\n  readonly teams?: readonly string[];\n}'],
    ['a text', "const help = 'one of api-keys, connections, teams';"],
  ])('are seen where they are %s of a list', (_what, text) => {
    expect(listing([['server/a.ts', text]])).toEqual(['server/a.ts']);
    expect(listing([['registry.ts', text]])).toEqual([]);
  });

  it('are those of files, of the page, of clients and of seeds', async () => {
    expect(kindsOfFile.map(({ kind }) => kind).toSorted()).toEqual(kinds.toSorted());
    expect(kindsInMaking.map(({ kind }) => kind).toSorted()).toEqual(kinds.toSorted());
    expect(plainKinds().map(({ kind }) => kind)).toEqual(plain.map(({ kind }) => kind));
    await using client = createClient({
      ...{ baseUrl: 'http://127.0.0.1:1', keyId: 'key_1', secret: 's'.repeat(64) },
    });
    for (const { property } of resources) expect(client).toHaveProperty(`${property}.pages`);
    const api = createApi({ ...Object.create(null), keyId: 'key_1', forms: knownForms });
    for (const { property } of resources) expect(api).toHaveProperty(`${property}.list`);
    const lists = Object.fromEntries(plain.map(({ kind, example }) => [kind, [example]]));
    expect(checkSeed({ organizations: [{ name: 'a', ...lists }] }, {})).toHaveProperty('seed');
  });
});

it.each(kinds)('logs look into the quotas of %s', (kind) => {
  expect(isContainer(kind)).toBe(true);
});

describe.each(plain.map((resource) => [resource.kind, resource] as const))('%s', (_kind, resource) => {
  it('has an example that can be created', () => {
    const { id, ...input } = resource.example;
    expect(id).toMatch(new RegExp(`^${resource.idPrefix}_`));
    expect(resource.input.safeParse(input).success).toBe(true);
  });
});
