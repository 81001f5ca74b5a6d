import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { presets } from '../../src/api/dialect/presets.js';
import { parseYamlText } from '../../src/input/formats/yaml-text.js';
import { plainValue } from '../../src/input/formats/yaml-value.js';
import { type DialectInput, startServer } from '../../src/server/index.js';
import { foreignRows, foreignService } from '../support/foreign-service.js';
import { emptyEnvironment, errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { serviceEnvironment } from '../support/service.js';

const marker = 'zebra';

/** Names with a marker, which no dialect file may have. */
function seedOf(count: number) {
  const name = (at: number) => `${marker}-${at}`;
  const numbers = Array.from({ length: count }, (_, at) => at);
  return {
    organizations: [
      {
        name: marker,
        quotas: { connections: 500, teams: 500, 'api-keys': 500 },
        keys: [
          { id: `key_${marker}`, secret: 'k'.repeat(64), name: marker },
          ...numbers.map((at) => ({ id: `key_${marker}${at}`, name: name(at) })),
        ],
        connections: numbers.map((at) => ({ name: name(at), type: marker, config: { host: marker } })),
        teams: numbers.map((at) => ({ name: name(at) })),
      },
    ],
  };
}

async function serviceOf(dialect: DialectInput | keyof typeof presets, rows: number) {
  const server = await startServer(
    rows === 0 ? { dialect, http: true } : { dialect, http: true, seed: seedOf(rows) },
  );
  onTestFinished(() => server.close());
  const own = rows === 0 ? {} : { ORGCTL_KEY_ID: `key_${marker}`, ORGCTL_SECRET: 'k'.repeat(64) };
  return { server, env: { ...emptyEnvironment(), ...serviceEnvironment(server), ...own } };
}

function readYaml(text: string): unknown {
  const { documents, placeAt } = parseYamlText(text);
  return documents.map((document) => plainValue(document, placeAt))[0];
}

function fileOf(dialect: unknown): string {
  const path = join(temporaryDirectory(), 'dialect.json');
  writeFileSync(path, JSON.stringify(dialect));
  return path;
}

const dialects: Readonly<Record<string, DialectInput>> = { ...presets };

describe.each(Object.entries(dialects))('probe of %s', (name, dialect) => {
  it('writes its dialect', async () => {
    const { env } = await serviceOf(dialect, 120);
    const ended = await runCli(['probe', '-o', 'yaml'], { env });
    console.log(name, ended.stdout, ended.stderr);
    expect(ended.code).toBe(0);
    console.log((await runCli(['probe'], { env })).stdout);
    console.log(await runCli(['probe', '--against', name], { env }));
  });
});
