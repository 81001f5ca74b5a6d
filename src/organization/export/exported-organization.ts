import { connections } from '../../api/resources/connection.js';
import { type DeclaredResource, toSingular } from '../../api/resources/index.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import type { ListCounts } from '../../commands/resource/pages.js';
import { countNoun } from '../../text/count-noun.js';
import { kindsOfFile, listReferences } from '../declaration/organization-file.js';
import { checkFile } from '../read/check-file.js';
import { type ExistingResources, hasName } from '../read/existing-resources.js';
import { nameEntry } from '../read/file-entry.js';
import { describeShortList } from '../read/short-list.js';
import { type ExportedEntry, exportEntries, toFile } from './exported-entry.js';

interface Exported {
  readonly organization: Resource;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** Orders entries by kind and name, for stable output. */
export function toOrganizationFile(
  existing: ExistingResources,
  counts: ReadonlyMap<DeclaredResource, ListCounts>,
): Exported {
  const kinds = kindsOfFile.filter((resource) => existing.has(resource));
  const all = kinds.flatMap((resource) => exportEntries(resource, existing.get(resource) ?? []));
  const entries = all.map(withoutRefused);
  const organization = toFile(entries, kinds);
  const shortLists = [...counts].flatMap(
    ([resource, { listed, quota }]) => describeShortList(resource, { listed, used: quota?.used }) ?? [],
  );
  const refused = checkFile(organization).map(
    ({ path, what }) => `diff and apply refuse ${nameEntry(path)}.${path.slice(2).join('.')}: ${what}`,
  );
  return {
    organization,
    notes: describeEntries(entries),
    warnings: [...shortLists, ...leftOutWarnings(entries), ...unnamedWarnings(existing), ...refused],
  };
}

/** Leaves out the settings that apply would refuse, such as one that looks like a reference. */
function withoutRefused(one: ExportedEntry): ExportedEntry {
  const { config } = one.entry;
  if (!isResource(config)) return one;
  const refused = new Set(
    checkFile(toFile([one])).map(({ path: [, , field, name] }) => (field === 'config' ? name : undefined)),
  );
  const names = Object.keys(config).filter((name) => refused.has(name));
  const kept = Object.entries(config).filter(([name]) => !refused.has(name));
  return {
    ...one,
    entry: { ...one.entry, config: Object.fromEntries(kept) },
    replaced: one.replaced.filter((name) => !refused.has(name)),
    leftOut: [...one.leftOut, ...names],
  };
}

function describeEntries(entries: readonly ExportedEntry[]): readonly string[] {
  const count = entries.reduce((sum, { entry }) => sum + listReferences(entry).length, 0);
  const hasConnections = entries.some(({ kind }) => kind === connections.kind);
  return [
    ...entries
      .filter(({ replaced }) => replaced.length > 0)
      .map(
        (one) =>
          `${toTitle(one)}: exported as references, because they may be secrets: ${listSettings(one.replaced)}`,
      ),
    ...(count === 0
      ? []
      : [
          `exported as references to environment variables: ${countNoun(count, 'setting')}; apply reads them when it creates a connection, or with --set-secrets`,
        ]),
    ...(hasConnections
      ? ['the file lacks connection settings that the service does not return, except PostgreSQL passwords']
      : []),
  ];
}

function leftOutWarnings(entries: readonly ExportedEntry[]): readonly string[] {
  return entries
    .filter(({ leftOut }) => leftOut.length > 0)
    .map(
      (one) =>
        `${toTitle(one)}: left out ${listSettings(one.leftOut)}: possible secrets that cannot be references, or values that a file cannot express`,
    );
}

function unnamedWarnings(existing: ExistingResources): readonly string[] {
  return [...existing].flatMap(([{ singular, plural }, all]) => {
    const count = all.filter((one) => !hasName(one)).length;
    if (count === 0) return [];
    return [
      `left out ${countNoun(count, singular, plural)} without a name; apply --prune does not delete them`,
    ];
  });
}

/** Such as `connection "app"`. */
function toTitle({ kind, entry }: ExportedEntry): string {
  return `${toSingular(kind)} ${quoteName(entry.name)}`;
}

function listSettings(names: readonly string[]): string {
  return names.map((name) => (/^[\w.-]{1,60}$/.test(name) ? name : quoteName(name))).join(', ');
}

/** A service may have very long names. */
function quoteName(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
