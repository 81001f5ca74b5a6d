import { connections } from '../../api/resources/connection.js';
import { toSingular } from '../../api/resources/index.js';
import { kindsOfFile, listReferences } from '../declaration/organization-file.js';
import type { ExistingResources } from '../read/existing-resources.js';
import { hasName } from '../read/existing-resources.js';
import type { ExportedEntry } from './exported-entry.js';

export function replacedNotes(entries: readonly ExportedEntry[]): readonly string[] {
  return entries
    .filter(({ replaced }) => replaced.length > 0)
    .map(
      (one) =>
        `${toTitle(one)}: exported as references, because they may be secrets: ${listNoted(one.replaced)}`,
    );
}

export function referenceNotes(entries: readonly ExportedEntry[]): readonly string[] {
  const count = entries.reduce((sum, { entry }) => sum + listReferences(entry).length, 0);
  if (count === 0) return [];
  const [what, them] =
    count === 1
      ? ['1 setting is exported as a reference to an environment variable', 'it']
      : [`${count} settings are exported as references to environment variables`, 'them'];
  return [`${what}. apply reads ${them} when it creates a connection, or with --set-secrets`];
}

export function hiddenNotes(entries: readonly ExportedEntry[]): readonly string[] {
  if (!entries.some(({ kind }) => kind === connections.kind)) return [];
  return ['the file lacks connection settings that the service does not return, except PostgreSQL passwords'];
}

export function leftOutWarnings(entries: readonly ExportedEntry[]): readonly string[] {
  return entries
    .filter(({ leftOut }) => leftOut.length > 0)
    .map(
      (one) =>
        `${toTitle(one)}: left out ${listNoted(one.leftOut)}: possible secrets that cannot be references, or values that a file cannot express`,
    );
}

export function missingWarnings(
  existing: ExistingResources,
  refused: readonly ExportedEntry[],
): readonly string[] {
  const unnamed = kindsOfFile.flatMap((resource) => {
    const count = (existing.get(resource) ?? []).filter((one) => !hasName(one)).length;
    if (count === 0) return [];
    const [what, them] =
      count === 1
        ? [`1 ${resource.singular} has no name and is`, 'it']
        : [`${count} ${resource.plural} have no name and are`, 'them'];
    return [`${what} left out; apply --prune does not delete ${them}`];
  });
  const inexpressible = refused.map(
    (one) => `${toTitle(one)}: left out, because a file cannot express it; apply --prune would delete it`,
  );
  return [...unnamed, ...inexpressible];
}

/** Such as `connection "app"`. Shortens a long name. */
function toTitle({ kind, entry }: ExportedEntry): string {
  return `${toSingular(kind)} ${quoteName(entry.name)}`;
}

const maxNoted = 20;

function listNoted(names: readonly string[]): string {
  const shown = names
    .slice(0, maxNoted)
    .map((name) => (/^[\w.-]{1,60}$/.test(name) ? name : quoteName(name)));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function quoteName(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
