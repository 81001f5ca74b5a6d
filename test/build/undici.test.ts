import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as undici from 'undici';
import { describe, expect, it } from 'vitest';
import { z } from '../../src/contract/schema.js';

// What the product takes of undici's and V8's insides, held against the versions that are installed: when one of them
// changes, this says so before a user does.

const root = join(import.meta.dirname, '..', '..');
const source = readFileSync(join(root, 'build', 'undici.js'), 'utf8');
const manifest = z.parse(
  z.object({ dependencies: z.record(z.string(), z.string()) }),
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
);

/** Name and file of what the bundle takes of undici. */
const taken = [...source.matchAll(/(?:import|default as) (\w+) ?\}? from '(undici\/lib\/[\w/.-]+)'/g)].map(
  ([, name = '', file = '']) => [name, file] as const,
);

describe("what the bundle has in undici's place", () => {
  it('is of one version, which is changed on purpose', () => {
    expect(manifest.dependencies['undici']).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('is found in the source of its replacement', () => {
    expect(taken.map(([name]) => name)).toEqual(
      expect.arrayContaining(['Agent', 'Dispatcher', 'api', 'Pool']),
    );
    expect(taken).toHaveLength(source.match(/'undici\//g)?.length ?? 0);
  });

  it.each(taken.filter(([name]) => name !== 'api'))('%s is what undici exports', async (name, file) => {
    const { default: part } = z.parse(z.object({ default: z.unknown() }), await import(file));
    expect(part).toBe(Object.entries(undici).find(([exported]) => exported === name)?.[1]);
  });

  it('gives dispatchers the methods that undici gives them', async () => {
    const { default: api } = z.parse(
      z.object({ default: z.record(z.string(), z.unknown()) }),
      await import(String(taken.find(([name]) => name === 'api')?.[1])),
    );
    expect(Object.keys(api)).toEqual(['request', 'stream', 'pipeline', 'upgrade', 'connect']);
    for (const name of Object.keys(api)) expect(undici.Dispatcher.prototype).toHaveProperty(name);
  });
});

it.skipIf(!process.version.startsWith('v20.'))(
  "V8's budget for WebAssembly is put back to what it was",
  () => {
    const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
    expect(options).toMatch(/--wasm-tiering-budget=1800000\n/);
    const code = readFileSync(join(root, 'src', 'client', 'wasm-tier-up.ts'), 'utf8');
    expect(code).toContain('defaultBudget = 1_800_000;');
  },
);
