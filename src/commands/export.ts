import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { DeclaredResource } from '../api/resources/index.js';
import { collect } from '../cli/command.js';
import type { Context } from '../cli/context.js';
import { withExamples } from '../cli/help-text.js';
import { describeFileError, UsageError } from '../errors/errors.js';
import { adviseWriting, refuseWriting } from '../errors/write-failure.js';
import { kindsOfFile } from '../organization/declaration/organization-file.js';
import { printJson } from '../text/exact-json.js';
import type { ListCounts } from './resource/pages.js';

const kindNames = kindsOfFile.map(({ kind }) => kind).join(', ');

interface ExportOptions {
  readonly kind?: readonly string[] | undefined;
  readonly schema?: boolean | undefined;
}

/** Relative to the organization file, where editors look for it. */
const schemaFile = 'organization.schema.json';

export function exportCommand(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        `Write the organization to a file for diff and apply: YAML, or JSON with -o json or a file name that ends in .json. It replaces secrets and possible secrets with names of environment variables, or leaves them out with a warning.`,
      )
      .argument('[file]', 'file to write, all or nothing; replaces only an organization file; default stdout')
      .option('--kind <kind>', `only this kind: ${kindNames}; repeatable`, collect)
      .option('--schema', 'write the JSON schema of organization files, for editors; sends nothing'),
    [
      ['orgctl export org.yaml', 'the current state'],
      ['orgctl export connections.yaml --kind connections', 'only one kind'],
      [`orgctl export --schema ${schemaFile}`, 'the schema, for completion and checks in your editor'],
    ],
    { calls: 'service', writes: ['files'] },
  ).action((file, options) => exportOrganization(file === '-' ? undefined : file, options, context));
}

function chosenKinds(names: readonly string[] | undefined) {
  if (names === undefined) return kindsOfFile;
  const unknown = names.find((name) => kindsOfFile.every(({ kind }) => kind !== name));
  if (unknown === undefined) return kindsOfFile.filter(({ kind }) => names.includes(kind));
  throw new UsageError(`--kind ${unknown}: unknown kind`, { hint: `the kinds are ${kindNames}` });
}

async function exportOrganization(
  file: string | undefined,
  { kind, schema }: ExportOptions,
  context: Context,
): Promise<void> {
  const printer = await context.printer();
  const write = (text: string) =>
    file === undefined ? printer.text(text) : writeExport(file, text, context);
  if (schema) {
    const { organizationJsonSchema } = await import('../organization/declaration/json-schema.js');
    const value = organizationJsonSchema();
    await checkPlace(file, value, context);
    return write(`${printJson(value, 2)}\n`);
  }
  const kinds = chosenKinds(kind);
  const isJson = await wantsJsonFile(file, context);
  await checkPlace(file, undefined, context);
  const { readExisting } = await import('../organization/read/existing-resources.js');
  const { toOrganizationFile } = await import('../organization/export/exported-organization.js');
  const counts = new Map<DeclaredResource, ListCounts>();
  const existing = await readExisting(kinds, await context.api(), context, { counts });
  const { organization, notes, warnings } = toOrganizationFile(existing, counts);
  const value = { $schema: schemaFile, ...organization };
  if (!isJson) await write(await toYaml(organization));
  else if (file === undefined) await printer.document(value);
  else await write(`${printJson(value, 2)}\n`);
  for (const note of notes) await context.note(note);
  for (const warning of warnings) await printer.warn(warning);
}

async function checkPlace(file: string | undefined, schema: unknown, context: Context): Promise<void> {
  if (file === undefined) return;
  const { assertExportPlace } = await import('../organization/export/export-place.js');
  await assertExportPlace(file, schema, context);
}

/** @throws UsageError if the file is unwritable, leaving its old content; ConfigError on a full disk */
async function writeExport(
  file: string,
  text: string,
  { system, note }: Pick<Context, 'system' | 'note'>,
): Promise<void> {
  const { replaceFile } = await import('../platform/durable-file.js');
  const path = resolve(system.cwd(), file);
  const isReplaced = existsSync(path);
  try {
    await replaceFile(path, text);
  } catch (error) {
    throw refuseWriting(`${file}: ${describeFileError(error)}`, { ...adviseWriting(error), cause: error });
  }
  await note(isReplaced ? `replaced the existing ${file}` : `wrote ${file}`);
}

async function wantsJsonFile(file: string | undefined, context: Pick<Context, 'settings'>): Promise<boolean> {
  const { value, source } = await context.settings().output();
  if (value === 'json' && (file === undefined || source.kind === 'flag')) return true;
  if (value === 'yaml' && source.kind === 'flag') return false;
  if (source.kind !== 'flag') return file?.toLowerCase().endsWith('.json') === true;
  throw new UsageError(`--output ${value}: an organization file is yaml or json`);
}

/** Escapes hidden characters, because people read the file on a terminal or in an editor. */
async function toYaml(value: unknown): Promise<string> {
  const { printYaml } = await import('../terminal/formats/yaml.js');
  const head = [
    `# yaml-language-server: $schema=${schemaFile}`,
    `# To create the schema: orgctl export --schema ${schemaFile}`,
  ];
  return `${head.join('\n')}\n${printYaml(value, true)}`;
}
