import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DeclaredResource } from '../api/resources/index.js';
import { isResource } from '../api/resources/resource.js';
import { argument, command, repeatable } from '../cli/command.js';
import type { Context } from '../cli/context.js';
import { describeFileError, UsageError } from '../errors/errors.js';
import { adviseWriting, refuseWriting } from '../errors/write-failure.js';
import {
  kindsOfFile,
  maxFileBytes,
  organizationVersion,
} from '../organization/declaration/organization-file.js';
import { printJson } from '../text/exact-json.js';
import type { ListCounts } from './resource/pages.js';

const kindNames = kindsOfFile.map(({ kind }) => kind).join(', ');

/** A file of the package; relative to the organization file, where editors look for it. */
const schemaFile = 'organization.schema.json';

export const exportCommand = command({
  description: `Write the organization to a file for diff and apply: YAML, or JSON with -o json or a file name that ends in .json. It replaces secrets and possible secrets with names of environment variables, or leaves them out with a warning.`,
  args: [
    argument('[file]', 'file to write, all or nothing; replaces only an organization file; default stdout'),
  ],
  options: [repeatable('--kind <kind>', `only this kind: ${kindNames}; repeatable`)],
  examples: [
    ['orgctl export org.yaml', 'the current state'],
    ['orgctl export connections.yaml --kind connections', 'only one kind'],
  ],
  calls: 'service',
  writes: ['files'],
  run: (context, [path], { kind }) => exportOrganization(path === '-' ? undefined : path, kind, context),
});

async function exportOrganization(
  file: string | undefined,
  kindsGiven: readonly string[] | undefined,
  context: Context,
): Promise<void> {
  const printer = await context.printer();
  const kinds = chosenKinds(kindsGiven);
  const isJson = await wantsJsonFile(file, context);
  await assertReplaceable(file, context);
  const { readExisting } = await import('../organization/read/existing-resources.js');
  const { toOrganizationFile } = await import('../organization/export/exported-organization.js');
  const counts = new Map<DeclaredResource, ListCounts>();
  const existing = await readExisting(kinds, await context.api(), context, { counts });
  const { organization, notes, warnings } = toOrganizationFile(existing, counts);
  const value = { $schema: schemaFile, ...organization };
  if (!isJson) await write(file, await toYaml(organization), context);
  else if (file === undefined) await printer.document(value);
  else await write(file, `${printJson(value, 2)}\n`, context);
  for (const note of notes) await context.note(note);
  for (const warning of warnings) await printer.warn(warning);
}

function chosenKinds(names: readonly string[] | undefined) {
  if (names === undefined) return kindsOfFile;
  const unknown = names.find((name) => kindsOfFile.every(({ kind }) => kind !== name));
  if (unknown === undefined) return kindsOfFile.filter(({ kind }) => names.includes(kind));
  throw new UsageError(`--kind ${unknown}: unknown kind`, { hint: `the kinds are ${kindNames}` });
}

async function wantsJsonFile(file: string | undefined, context: Context): Promise<boolean> {
  const { value, source } = await context.settings().output();
  if (value === 'json' && (file === undefined || source.kind === 'flag')) return true;
  if (value === 'yaml' && source.kind === 'flag') return false;
  if (source.kind !== 'flag') return file?.toLowerCase().endsWith('.json') === true;
  throw new UsageError(`--output ${value}: an organization file is yaml or json`);
}

/** @throws UsageError for an existing file, unless it is empty or an organization file */
async function assertReplaceable(file: string | undefined, { system, whileBusy }: Context): Promise<void> {
  if (file === undefined) return;
  const { parseInputJson } = await import('../input/json-text.js');
  const { parseYaml } = await import('../input/yaml-text.js');
  const { whyKept } = await import('../platform/regular-file.js');
  const includes = (text: string) => {
    try {
      const value = parseInputJson(text, file) ?? parseYaml(text, file)[0]?.value;
      return isResource(value) && value['version'] === organizationVersion;
    } catch {
      return false;
    }
  };
  const path = resolve(system.cwd(), file);
  const own = { what: 'an organization file', includes, maxBytes: maxFileBytes };
  const problem = await whileBusy(() => whyKept(path, own));
  if (problem === undefined) return;
  const hint = 'nothing was written; choose another path, or remove it first';
  throw new UsageError(`${file}: ${problem}`, { hint });
}

/** @throws UsageError if the file is unwritable, leaving its old content; ConfigError on a full disk */
async function write(file: string | undefined, text: string, context: Context): Promise<void> {
  if (file === undefined) return (await context.printer()).text(text);
  const { replaceFile } = await import('../platform/durable-file.js');
  const path = resolve(context.system.cwd(), file);
  const isReplaced = existsSync(path);
  try {
    await replaceFile(path, text);
  } catch (error) {
    throw refuseWriting(`${file}: ${describeFileError(error)}`, { ...adviseWriting(error), cause: error });
  }
  await context.note(isReplaced ? `replaced the existing ${file}` : `wrote ${file}`);
}

/** Escapes hidden characters, because people read the file on a terminal or in an editor. */
async function toYaml(value: unknown): Promise<string> {
  const { printYaml } = await import('../terminal/formats/yaml.js');
  return `# yaml-language-server: $schema=${schemaFile}\n${printYaml(value)}`;
}
