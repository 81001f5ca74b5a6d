import { isResource } from '../api/resources/resource.js';
import { argument, command, option, repeatable } from '../cli/command.js';
import { keepNextWord } from '../cli/command-words.js';
import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';
import { kindsOfFile, organizationVersion } from '../organization/file.js';
import { printJson } from '../text/exact-json.js';

const kindNames = kindsOfFile.map(({ kind }) => kind).join(', ');

/** A file of the package. Editors look for it beside the organization file. */
const schemaFile = 'organization.schema.json';

export const exportCommand = command({
  description: `Write the organization to a file for diff and apply: YAML, or JSON with -o json or a file name that ends in .json. It replaces secrets and possible secrets with names of environment variables, or leaves them out with a warning.`,
  args: [
    argument('[file]', 'written in full or not at all; replaces only an organization file; default stdout'),
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

const givenFile = argument('<file>', 'YAML or JSON as export writes it; - for stdin');

export const diff = command({
  description: `Show what apply would do to make the organization match a file. It compares only what is in the file, and never secrets.`,
  args: [givenFile],
  options: [
    option('--exit-code', 'exit 15 when something would change'),
    option('--out <file>', 'write the plan, without secrets, for apply --plan; replaces only a plan'),
    option('--set-secrets', "also plan existing resources' secrets, and settings that the service hides"),
    option(
      '--prune [all]',
      'plan to delete resources missing from the file, of the kinds in it; with =all, apply does not ask again before many deletions',
      {
        choices: ['all'],
      },
    ),
  ],
  examples: [
    ['orgctl diff org.yaml', 'what would change'],
    ['orgctl diff org.yaml --exit-code --out plan.json', 'in CI: save the plan, exit 15 for changes'],
  ],
  calls: 'service',
  writes: ['files'],
  exits: ['changes'],
  parser: (parser) => keepNextWord(parser, '--prune', 'all'),
  async run(context, [file], options) {
    const { diffFile } = await import('../organization/diff-file.js');
    return diffFile(file, options, context);
  },
});

export const apply = command({
  description: `Make the organization match a file: show the plan, ask for confirmation, and change only the kinds and fields in the file. It deletes only with --prune, or with a plan of diff --prune. The API reference does not describe most of the calls, so your service may not have them.`,
  args: [givenFile],
  options: [
    option('-y, --yes', 'do not prompt, except before large deletions'),
    option(
      '--plan <file>',
      'carry out a plan of diff --out; prompts only before large deletions; exit 14 if the plan is out of date',
    ),
    option('--set-secrets', "also send existing resources' secrets, and settings that the service hides"),
    option(
      '--prune [all]',
      'delete resources missing from the file, of the kinds in it; asks again before it deletes more than 10 of a kind, or 30% of them, unless --prune=all',
      { choices: ['all'] },
    ),
    option('--no-commands', 'refuse a file that contains commands (exit 2), for CI'),
  ],
  examples: [
    ['orgctl apply org.yaml', 'shows the plan, and asks for confirmation'],
    ['orgctl apply org.yaml --plan plan.json', 'carries out exactly the reviewed plan'],
  ],
  calls: 'service',
  writes: ['service', 'files', 'profiles'],
  asks: 'before it changes anything, unless --yes or --plan; again if --prune would delete many of a kind, unless --prune=all',
  exits: ['quota_exceeded', 'partial'],
  parser: (parser) => keepNextWord(parser, '--prune', 'all'),
  async run(context, [file], options) {
    const { applyFile } = await import('../organization/apply-file.js');
    return applyFile(file, options, context);
  },
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
  const existing = await readExisting(kinds, context, true);
  const { organization, warnings } = exportOrganization(existing);
  const value = { $schema: schemaFile, ...organization };
  if (file === undefined) await (isJson ? printer.document(value) : printer.text(await toYaml(organization)));
  else await writeOwnFile(file, isJson ? `${printJson(value, 2)}\n` : await toYaml(organization), context);
  const lacking = kinds.filter((resource) => !existing.has(resource));
  const gaps = lacking.map(
    ({ kind, plural }) => `the service has no list of ${plural} (GET /${kind}): they are left out`,
  );
  for (const warning of [...gaps, ...warnings]) await printer.warn(warning);
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
