import type { Resource } from './resource.js';

/**
 * Maps names to the same text if a service might not distinguish them. Services may change case, trim, remove accents,
 * make slugs or normalize Unicode.
 */
export function foldName(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  // A name with only symbols has no slug.
  return slug === '' ? name.trim().normalize('NFC') : slug;
}

/** Returns a function that finds the resources whose names may be a service's form of a given name. */
export function closeNameFinder<One extends Resource>(all: readonly One[]): (name: string) => readonly One[] {
  const byForm = groupByFoldedName(all);
  return (name) => {
    const forms = listForms(name);
    return (byForm.get(foldName(name)) ?? []).filter((one) =>
      forms.has(String(one['name']).normalize('NFKC')),
    );
  };
}

/** Forms in which services may store a name. */
function listForms(name: string): ReadonlySet<string> {
  const trimmed = name.trim();
  const plain = trimmed.normalize('NFKD').replace(/\p{Diacritic}/gu, '');
  const slug = foldName(name);
  const written = [trimmed, plain].flatMap((form) => [form, form.toLowerCase(), form.toUpperCase()]);
  const forms = [...written, slug, slug.replaceAll('-', '_'), slug.replaceAll('-', '')];
  return new Set(forms.map((form) => form.normalize('NFKC')));
}

function groupByFoldedName<One extends Resource>(all: readonly One[]): ReadonlyMap<string, readonly One[]> {
  const groups = new Map<string, One[]>();
  for (const one of all) {
    const { name } = one;
    if (typeof name !== 'string') continue;
    const folded = foldName(name);
    const group = groups.get(folded);
    if (group === undefined) groups.set(folded, [one]);
    else group.push(one);
  }
  return groups;
}
