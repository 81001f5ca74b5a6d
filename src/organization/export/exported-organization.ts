import type { DeclaredResource } from '../../api/resources/index.js';
import type { Resource } from '../../api/resources/resource.js';
import type { ListCounts } from '../../commands/resource/pages.js';
import { describeShortList } from '../../verbs/quotas/short-list.js';
import { kindsOfFile } from '../declaration/organization-file.js';
import type { ExistingResources } from '../read/existing-resources.js';
import {
  hiddenNotes,
  leftOutWarnings,
  missingWarnings,
  referenceNotes,
  replacedNotes,
} from './export-notes.js';
import { exportEntries, toFile } from './exported-entry.js';
import { fittingEntries } from './fitting-entries.js';

interface Exported {
  readonly organization: Resource;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** Orders entries by kind and name, for stable output. Omits entries that apply would reject. */
export function toOrganizationFile(
  existing: ExistingResources,
  counts: ReadonlyMap<DeclaredResource, ListCounts>,
): Exported {
  const kinds = kindsOfFile.filter((resource) => existing.has(resource));
  const all = kinds.flatMap((resource) => exportEntries(resource, existing.get(resource) ?? []));
  const { entries, refused } = fittingEntries(all);
  return {
    organization: toFile(entries, kinds),
    notes: [...replacedNotes(entries), ...referenceNotes(entries), ...hiddenNotes(entries)],
    warnings: [
      ...[...counts].flatMap(
        ([resource, { listed, quota }]) => describeShortList(resource, { listed, used: quota?.used }) ?? [],
      ),
      ...leftOutWarnings(entries),
      ...missingWarnings(existing, refused),
    ],
  };
}
