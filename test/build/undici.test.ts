import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as undici from 'undici';
import { describe, expect, it } from 'vitest';
import { z } from '../../src/api/schema/schema.js';

// What the product takes of undici's insides, held against the version that is installed: when it
// changes, this says so before a user does.

const root = join(import.meta.dirname, '..', '..');
const taken = z.parse(z.record(z.string(), z.unknown()), {
  ...(await import(join(root, 'build', 'undici.js'))),
});
const manifest = z.parse(
  z.object({ devDependencies: z.record(z.string(), z.string()) }),
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
);

describe("what the bundle has in undici's place", () => {
  it('is of one version, which is changed on purpose', () => {
    expect(manifest.devDependencies['undici']).toMatch(/^\d+\.\d+\.\d+$/);
  });

  // That proxies are reached, which takes the methods of dispatchers too, is seen in the built tool.
  it.each(Object.entries(taken))('%s is what undici exports', (name, part) => {
    expect(part).toBe(Object.entries(undici).find(([exported]) => exported === name)?.[1]);
  });

  it('is what requests through a proxy need, among other things', () => {
    expect(Object.keys(taken)).toEqual(expect.arrayContaining(['Agent', 'Client', 'Dispatcher']));
  });
});
