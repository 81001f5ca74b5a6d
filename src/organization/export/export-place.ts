import { resolve } from 'node:path';
import { isResource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import { MalformedText, parseInputJson } from '../../input/json-text.js';
import { parseYaml } from '../../input/yaml-text.js';
import { whyKept } from '../../platform/regular-file.js';
import { maxFileBytes, organizationVersion } from '../declaration/organization-file.js';

/**
 * Checks that `export` would replace nothing but its own kind of file.
 * @param schema the schema to write, instead of an organization file
 * @throws UsageError for an existing file of another kind, unless it is empty
 */
export async function assertExportPlace(
  file: string,
  schema: unknown,
  { system, whileBusy }: Pick<Context, 'system' | 'whileBusy'>,
): Promise<void> {
  const path = resolve(system.cwd(), file);
  const kind =
    schema === undefined
      ? { what: 'an organization file', includes: isOrganization }
      : { what: 'a schema of organization files', includes: hasTitleOf(schema) };
  const includes = (text: string) => kind.includes(parseIfPossible(text));
  const problem = await whileBusy(() => whyKept(path, { ...kind, includes, maxBytes: maxFileBytes }));
  if (problem === undefined) return;
  throw new UsageError(`${file}: ${problem}`, {
    hint: 'nothing was written; choose another path, or remove it first',
  });
}

function parseIfPossible(text: string): unknown {
  try {
    return parseInputJson(text) ?? parseYaml(text)[0]?.value;
  } catch (error) {
    if (error instanceof MalformedText) return undefined;
    throw error;
  }
}

function isOrganization(value: unknown): boolean {
  return isResource(value) && value['version'] === organizationVersion;
}

const hasTitleOf = (schema: unknown) => (value: unknown) =>
  isResource(schema) && isResource(value) && value['title'] === schema['title'];
