import { isResource } from '../api/resources/resource.js';
import { argument, command, repeatable } from '../cli/command.js';
import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';
import { kindsOfFile, organizationVersion } from '../organization/file.js';
import { printJson } from '../text/exact-json.js';

const kindNames = kindsOfFile.map(({ kind }) => kind).join(', ');

/** A file of the package; relative to the organization file, where editors look for it. */
const schemaFile = 'organization.schema.json';

export const exportCommand = command({
  description: `Write the organization to a file for diff and apply: YAML, or JSON with -o json or a file name that ends in .json. It replaces secrets and possible secrets with names of environment variables, or leaves them out with a warning.`,
  args: [
    argument('[file]', 'file to write, all or nothing; replaces only an organization file; default stdout'),
  ],
  options: [repeatable('--kind <kind>', `only this kind: ${kindNames}`)],
  examples: [
    ['orgctl export org.yaml', 'the current state'],
    ['orgctl export connections.yaml --kind connections', 'only one kind'],
  ],
  calls: 'service',
  writes: ['files'],
  run: (context, [path], { kind }) => writeOrganization(path === '-' ? undefined : path, kind, context),
});

async function writeOrganization(
  path: string | undefined,
  kindsGiven: readonly string[] | undefined,
  context: Context,
): Promise<void> {
  const printer = await context.printer();
  const kinds = chosenKinds(kindsGiven);
  const isJson = await wantsJsonFile(path, context);
  // Loaded here, to keep help fast.
  const { assertReplaceable, writeOwnFile } = await import('../organization/own-file.js');
  const { readExisting } = await import('../organization/read-service.js');
  const { exportOrganization } = await import('../organization/export.js');
  const isOwn = (value: unknown) => isResource(value) && value['version'] === organizationVersion;
  const file = path === undefined ? undefined : { path, named: path, what: 'an organization file', isOwn };
  if (file !== undefined) await assertReplaceable(file, context);
  const existing = await readExisting(kinds, await context.api(), context, true);
  const { organization, warnings } = exportOrganization(existing);
  const value = { $schema: schemaFile, ...organization };
  if (file === undefined) await (isJson ? printer.document(value) : printer.text(await toYaml(organization)));
  else await writeOwnFile(file, isJson ? `${printJson(value, 2)}\n` : await toYaml(organization), context);
  const lacking = kinds.filter((resource) => !existing.has(resource));
  for (const { kind, plural } of lacking)
    await printer.warn(`the service has no list of ${plural} (GET /${kind}): they are left out`);
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

/** Escapes hidden characters, because people read the file on a terminal or in an editor. */
async function toYaml(value: unknown): Promise<string> {
  const { printYaml } = await import('../terminal/formats/yaml.js');
  return `# yaml-language-server: $schema=${schemaFile}\n${printYaml(value)}`;
}
