import { describe, expect, it } from 'vitest';
import { isPlainResource, resources } from '../../../src/api/resources/index.js';
import { plainKinds } from '../../../src/api/resources/plain-kinds.js';
import { createApi } from '../../../src/client/api.js';
import { createClient } from '../../../src/client/create-client.js';
import { knownForms } from '../../../src/client/reading/forms.js';
import { kindsInMaking, kindsOfFile } from '../../../src/organization/file.js';
import { isContainer } from '../../../src/redaction/harmless.js';
import { checkSeed } from '../../../src/server/seed/schema.js';

const kinds = resources.map(({ kind }) => kind);
const plain = resources.filter(isPlainResource);

describe('the kinds of resource', () => {
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
    expect(checkSeed({ organizations: [{ name: 'a', ...lists }] })).toHaveProperty('seed');
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
