import { normalize } from 'node:path';
import { closestMatch } from 'leven';
import { isPostgres, postgresConfigSchema } from '../../api/resources/connection.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { isResource } from '../../api/resources/resource.js';
import { z } from '../../api/schema/schema.js';
import { maxProblems } from '../../input/document-file.js';
import { isReference, markerForms, markerKey, markerSchema } from '../../input/forms/secret-reference.js';
import {
  checkedSettings,
  entrySchemaFor,
  kindsOfFile,
  outlineSchema,
} from '../declaration/organization-file.js';
import { type FileProblem, nameEntry } from './file-entry.js';

/** Finds problems of a file without asking the service. Checks no further entries of a list with too many problems. */
export function checkFile(value: unknown): readonly FileProblem[] {
  if (!isResource(value))
    return [{ path: [], what: `not an object with ${['version', ...kindsInFile].join(', ')}` }];
  return [
    ...findSchemaProblems(value, outlineSchema, []),
    ...kindsOfFile.flatMap((resource) => {
      const list = value[resource.kind];
      return Array.isArray(list) ? findListProblems(list, resource) : [];
    }),
  ];
}

function findListProblems(list: readonly unknown[], resource: DeclaredResource): readonly FileProblem[] {
  const problems: FileProblem[] = [];
  for (const [index, entry] of list.entries()) {
    if (problems.length > maxProblems) break;
    const path = [resource.kind, index];
    problems.push(...findSchemaProblems(entry, entrySchemaFor(resource, entry), path));
    if (!isResource(entry)) continue;
    if (entry['renamed_from'] !== undefined && entry['renamed_from'] === entry['name'])
      problems.push({ path: [...path, 'renamed_from'], what: 'is the same as name; give the former name' });
    if (isResource(entry['config'])) problems.push(...findConfigProblems(entry, entry['config'], path));
  }
  return [...problems, ...findDuplicates(list, resource)];
}

function findSchemaProblems(
  value: unknown,
  schema: z.ZodMiniType,
  at: readonly PropertyKey[],
): readonly FileProblem[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).flatMap((issue): FileProblem[] => {
    const path = [...at, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      const known = listSchemaFields(schema);
      const keys = issue.keys.slice(0, maxProblems + 1);
      // `known` has only top-level fields.
      const hint = (key: string) => (issue.path.length === 0 ? suggestNearest(key, known) : '');
      return keys.map((key) => ({ path: [...path, key], what: `unknown field${hint(key)}` }));
    }
    const isMissing = findFileValue(value, issue.path) === undefined;
    return [{ path, what: isMissing ? 'missing' : issue.message }];
  });
}

function listSchemaFields(schema: z.ZodMiniType): readonly string[] {
  return schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
}

function suggestNearest(word: string, known: readonly string[]): string {
  const match = closestMatch(word, [...known], { maxDistance: Math.max(1, Math.floor(word.length / 2)) });
  return match === undefined ? `; known fields: ${known.join(', ')}` : `; did you mean ${match}?`;
}

function findFileValue(value: unknown, [step, ...rest]: readonly PropertyKey[]): unknown {
  if (step === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return findFileValue(Reflect.get(value, step), rest);
}

const kindsInFile = kindsOfFile.map(({ kind }) => kind);
const postgresFields = Object.keys(postgresConfigSchema().shape);

/** Finds problems that the schemas do not, such as plain-text secrets and probable typos. */
function findConfigProblems(
  entry: Readonly<Record<string, unknown>>,
  config: Readonly<Record<string, unknown>>,
  at: readonly PropertyKey[],
): readonly FileProblem[] {
  const path = [...at, 'config'];
  const checked = checkedSettings(entry);
  const plain = Object.entries(config).flatMap(([name, value]) =>
    checked.includes(name) || name === markerKey ? [] : findSettingProblems(value, [...path, name]),
  );
  const { type } = entry;
  if (!isPostgres(type)) return plain;
  if (Object.keys(config).every((name) => postgresFields.includes(name))) return plain;
  // The service accepts further settings, but a name that resembles that of a missing setting is probably a typo.
  const missing = postgresFields.filter((name) => !Object.hasOwn(config, name));
  const slips = Object.keys(config).flatMap((name): FileProblem[] => {
    if (postgresFields.includes(name)) return [];
    const meant = closestMatch(name, missing, { maxDistance: name.length > 4 ? 2 : 1 });
    return meant === undefined
      ? []
      : [{ path: [...path, name], what: `unknown field; did you mean ${meant}?` }];
  });
  return [...plain, ...slips];
}

/** Searches, at any depth, a setting that the schema does not check. */
function findSettingProblems(value: unknown, path: readonly PropertyKey[]): readonly FileProblem[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Object.hasOwn(value, markerKey)) {
    return markerSchema.safeParse(value).success
      ? []
      : [
          {
            path,
            what: `${markerKey} must be the only field of its object, with a reference to a secret: ${markerForms}`,
          },
        ];
  }
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = [...path, Array.isArray(value) ? Number(name) : name];
    if (name === 'password' && !isMarked(inner)) return [{ path: here, what: explainPassword(inner) }];
    return findSettingProblems(inner, here);
  });
}

function isMarked(value: unknown): boolean {
  return isResource(value) && Object.hasOwn(value, markerKey);
}

function explainPassword(value: unknown): string {
  if (isReference(value)) return `mark the reference to a secret: ${markerForms}`;
  return 'must be a reference to a secret, never the secret itself';
}

/** Finds duplicate IDs and secret targets; also duplicate names and former names, unless both entries have an `id`. */
function findDuplicates(list: readonly unknown[], { kind }: DeclaredResource): readonly FileProblem[] {
  const firsts = new Map<string, { readonly index: number; readonly isPinned: boolean }>();
  return list.flatMap((entry, index) => {
    if (!isResource(entry)) return [];
    const { name, id, renamed_from: former, secret_to: target } = entry;
    const isPinned = id !== undefined;
    const fields = Object.entries({ name, id, renamed_from: former, secret_to: normalizeTarget(target) });
    return fields.flatMap(([field, value]): FileProblem[] => {
      if (value === undefined) return [];
      const claim = JSON.stringify([field, value]);
      const first = firsts.get(claim);
      firsts.set(claim, first ?? { index, isPinned });
      const isName = field === 'name' || field === 'renamed_from';
      if (first === undefined || (isName && isPinned && first.isPinned)) return [];
      const against = [kind, first.index, field];
      return [{ path: [kind, index, field], what: `the same as in ${nameEntry(against)}`, against }];
    });
  });
}

/** `./ci.secret` and `ci.secret` are the same file. */
function normalizeTarget(target: unknown): unknown {
  return isResource(target) && typeof target['file'] === 'string'
    ? { ...target, file: normalize(target['file']) }
    : target;
}
