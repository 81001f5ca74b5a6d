import type { Resource } from '../../api/resources/resource.js';
import { kindsOfFile } from '../declaration/organization-file.js';
import type { World } from '../read/world.js';
import {
  hiddenNotes,
  leftOutWarnings,
  missingWarnings,
  referenceNotes,
  replacedNotes,
} from './export-notes.js';
import { entriesOf, fileOf } from './exported-entry.js';
import { fittingEntries } from './fitting-entries.js';

/** An organization as a file, and what is to be said about it. */
interface Exported {
  readonly organization: Resource;
  readonly notes: readonly string[];
  /** What the organization has and the file lacks. */
  readonly warnings: readonly string[];
}

/**
 * The existing resources as a file: by kind, then by name, so that the same resources make the same file. What an entry
 * cannot express is left out, and so is what a reader of the file would refuse.
 */
export function organizationOf(world: World): Exported {
  const kinds = kindsOfFile.filter((resource) => world.has(resource));
  const all = kinds.flatMap((resource) => entriesOf(resource, world.get(resource) ?? []));
  const { entries, refused } = fittingEntries(all);
  return {
    organization: fileOf(entries, kinds),
    notes: [...replacedNotes(entries), ...referenceNotes(entries), ...hiddenNotes(entries)],
    warnings: [...leftOutWarnings(entries), ...missingWarnings(world, refused)],
  };
}
