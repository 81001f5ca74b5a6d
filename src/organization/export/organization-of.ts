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

interface Exported {
  readonly organization: Resource;
  readonly notes: readonly string[];
  /** About resources and settings that the file lacks. */
  readonly warnings: readonly string[];
}

/** By kind and name, for stable output. Leaves out what a file's reader would reject. */
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
