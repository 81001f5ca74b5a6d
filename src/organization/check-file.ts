import type { DeclaredResource } from '../api/resources/index.js';
import { isResource } from '../api/resources/resource.js';
import type { z } from '../api/schema/schema.js';
import { entrySchemaFor, kindsOfFile, outlineSchema } from './file.js';

export interface FileProblem {
  readonly path: readonly PropertyKey[];
  /** Never contains a setting's value, which may be a password. */
  readonly what: string;
}

/** Such as `teams[0]`. */
export function nameEntry([kind, index]: readonly PropertyKey[]): string {
  return `${String(kind)}[${String(index)}]`;
}

/** Problems of a file, without asking the service. */
export function checkFile(value: unknown): readonly FileProblem[] {
  const outline = findProblems(value, outlineSchema, []);
  if (!isResource(value)) return outline;
  const lists = kindsOfFile.flatMap((resource) => {
    const list = value[resource.kind];
    return Array.isArray(list) ? findListProblems(list, resource) : [];
  });
  return [...outline, ...lists];
}

function findListProblems(list: readonly unknown[], resource: DeclaredResource): readonly FileProblem[] {
  const problems = list.flatMap((entry, index) =>
    findProblems(entry, entrySchemaFor(resource, entry), [resource.kind, index]),
  );
  return [...problems, ...findDuplicates(list, resource.kind)];
}

function findProblems(
  value: unknown,
  schema: z.ZodMiniType,
  at: readonly PropertyKey[],
): readonly FileProblem[] {
  return (schema.safeParse(value).error?.issues ?? []).flatMap((issue): FileProblem[] => {
    const path = [...at, ...issue.path];
    if (issue.code !== 'unrecognized_keys') return [{ path, what: issue.message }];
    return issue.keys.map((key) => ({ path: [...path, key], what: 'unknown field' }));
  });
}

/** Of IDs and secret targets; of names, unless both entries have an `id`. */
function findDuplicates(list: readonly unknown[], kind: string): readonly FileProblem[] {
  const firsts = new Map<string, { readonly index: number; readonly isPinned: boolean }>();
  return list.flatMap((entry, index) => {
    if (!isResource(entry)) return [];
    const { name, id, renamed_from, secret_to } = entry;
    const isPinned = id !== undefined;
    return Object.entries({ name, id, renamed_from, secret_to }).flatMap(([field, value]): FileProblem[] => {
      if (value === undefined) return [];
      const claim = JSON.stringify([field, value]);
      const first = firsts.get(claim);
      firsts.set(claim, first ?? { index, isPinned });
      const isName = field === 'name' || field === 'renamed_from';
      if (first === undefined || (isName && isPinned && first.isPinned)) return [];
      return [{ path: [kind, index, field], what: `the same as in ${nameEntry([kind, first.index])}` }];
    });
  });
}
