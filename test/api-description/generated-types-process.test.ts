import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { apiDocument } from '../../src/api-description/document.js';
import { root } from '../support/built-tool.js';
import { temporaryDirectory } from '../support/run-cli.js';

const run = promisify(execFile);

/** What somebody writes who has the generated types, beside what they and ours have to agree on. */
const consumer = `
import type { ConnectionInput } from '${root}/src/contract/resources/connection.js';
import type { TeamInput } from '${root}/src/contract/resources/team.js';
import type { components, operations } from './api.js';

type Schemas = components['schemas'];
export const agree: [
  (input: ConnectionInput) => Schemas['ConnectionInput'],
  (input: TeamInput) => Schemas['TeamInput'],
] = [(input) => input, (input) => input];

export const created = (key: Schemas['CreatedApiKey']): string => key.secret;
export const page: operations['teams.list']['parameters']['query'] = { limit: 5 };
// @ts-expect-error a team has a name
export const nameless: Schemas['TeamInput'] = {};
// @ts-expect-error a key is never enabled again by the API
export const enabled: Schemas['ApiKeyPatch'] = { enabled: true };
// @ts-expect-error an answer has a number of pages
export const counted: operations['teams.list']['responses']['200']['content']['application/json']['pages'] = '1';
`;

it('openapi-typescript makes types of the document, which compile and agree with ours', async () => {
  const directory = temporaryDirectory();
  const document = join(directory, 'openapi.json');
  writeFileSync(document, JSON.stringify(apiDocument()));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  writeFileSync(join(directory, 'consumer.ts'), consumer);
  const hook = join(import.meta.dirname, 'support', 'typescript-6.mjs');
  const generator = join(root, 'node_modules', 'openapi-typescript', 'bin', 'cli.js');
  const generate = ['--import', hook, generator, document, '-o', join(directory, 'api.ts')];
  await run(process.execPath, generate, { cwd: directory });
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options =
    '--noEmit --strict --target es2023 --module nodenext --skipLibCheck --types node --typeRoots';
  const compile = [compiler, ...options.split(' '), join(root, 'node_modules', '@types'), 'consumer.ts'];
  const compiled = await run(process.execPath, compile, { cwd: directory }).catch(
    ({ stdout }: { stdout: string }) => ({ stdout }),
  );
  expect(compiled.stdout).toBe('');
});
