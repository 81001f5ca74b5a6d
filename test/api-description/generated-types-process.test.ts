import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { apiDocument } from '../../src/api-description/document.js';
import { root, useBuiltTool } from '../support/built-tool.js';
import { temporaryDirectory } from '../support/run-cli.js';

const run = promisify(execFile);
useBuiltTool();

/** What the generated types and ours have to agree on. */
const consumer = `
import type * as ours from '${root}/dist/client.js';
import type { components, operations } from './api.js';

type Schemas = components['schemas'];
export const agree: [
  (input: ours.ConnectionInput) => Schemas['ConnectionInput'],
  (input: ours.ConnectionPatch) => Schemas['ConnectionPatch'],
  (input: ours.ApiKeyInput) => Schemas['ApiKeyInput'],
  (input: ours.ApiKeyPatch) => Schemas['ApiKeyPatch'],
  (input: ours.TeamInput) => Schemas['TeamInput'],
  (input: ours.TeamPatch) => Schemas['TeamPatch'],
  (answer: Answer<'teams.list', 200>) => ours.Envelope<ours.Team>,
  (quotas: Schemas['QuotaRecord']) => ours.QuotaRecord,
] = [(one) => one, (one) => one, (one) => one, (one) => one, (one) => one, (one) => one, (one) => one, (one) => one];

/** The fields that a type names, without the unknown ones that it lets through. */
type Known<Type> = { [Field in keyof Type as string extends Field ? never : Field]: Type[Field] };
/** True where each fits the other, and neither names a field that the other has not. */
type Same<One, Other> = [Known<One>, Known<Other>, keyof Known<One>, keyof Known<Other>] extends
  [Known<Other>, Known<One>, keyof Known<Other>, keyof Known<One>] ? true : { differ: [One, Other] };
type Answer<Call extends keyof operations, Status extends number> = operations[Call] extends {
  responses: Record<Status, { content: { 'application/json': infer Body } }>;
} ? Body : never;

export const same: [
  Same<ours.ApiKey, Schemas['ApiKey']>,
  Same<ours.CreatedApiKey, Schemas['CreatedApiKey']>,
  Same<ours.Connection, Schemas['Connection']>,
  Same<ours.Team, Schemas['Team']>,
  Same<ours.Quota, Schemas['Quota']>,
  Same<Schemas['Connection'], Answer<'connections.get', 200>>,
  Same<Schemas['CreatedApiKey'], Answer<'apiKeys.create', 201>>,
] = [true, true, true, true, true, true, true];
`;

it('openapi-typescript makes types of the document, which compile and agree with ours', async () => {
  const directory = temporaryDirectory();
  const document = join(directory, 'openapi.json');
  writeFileSync(document, JSON.stringify(apiDocument()));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  writeFileSync(join(directory, 'consumer.ts'), consumer);
  const tools = join(root, 'build', 'tools', 'run.js');
  const generate = [tools, 'openapi-typescript', document, '-o', join(directory, 'api.ts')];
  await run(process.execPath, generate, { cwd: directory });
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options =
    '--noEmit --strict --target es2023 --lib es2023 --module nodenext --skipLibCheck --types node --typeRoots';
  const compile = [compiler, ...options.split(' '), join(root, 'node_modules', '@types'), 'consumer.ts'];
  const compiled = await run(process.execPath, compile, { cwd: directory }).catch(
    ({ stdout }: { stdout: string }) => ({ stdout }),
  );
  expect(compiled.stdout).toBe('');
});
