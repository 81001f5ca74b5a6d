import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { type DialectInput, dialectSchema } from '../../api/dialect/dialect.js';
import type { PresetName } from '../../api/dialect/dialect-input.js';
import { presets } from '../../api/dialect/presets.js';
import { placeMessage, z } from '../../api/schema/schema.js';
import { UsageError } from '../../errors/errors.js';
import type { Targets } from '../http/url-space.js';
import { type ResponseClass, responseSpellings } from '../http/wire-headers.js';
import { checkDialect, presetOf } from './check-dialect.js';
import { missingKinds } from './kind-dialect.js';
import { targetsBelow } from './targets.js';
import { type Translation, type TranslationOptions, translate } from './translate.js';

export interface OpenedDialect {
  readonly name: string;
  readonly basePath: string;
  readonly targets: Targets;
  readonly missing: ReadonlySet<string>;
  readonly spelling: ResponseClass;
  translate(app: FastifyInstance, options: TranslationOptions): Translation;
}

/** `undefined` for the server's own form. @throws UsageError for an unknown name or wrong fields */
export function openDialect(wanted: PresetName | DialectInput): OpenedDialect | undefined {
  const name = typeof wanted === 'string' ? wanted : 'custom';
  const input: unknown = typeof wanted === 'string' ? presetOf.get(wanted) : wanted;
  if (input === undefined) {
    throw new UsageError(`unknown dialect ${JSON.stringify(name)}`, {
      hint: `one of ${[...presetOf.keys()].join(', ')}`,
    });
  }
  const checked = checkDialect(input);
  if ('problems' in checked) {
    const problems = checked.problems.map(placeMessage).join('; ');
    throw new UsageError(`the dialect cannot be used: ${problems}`);
  }
  const { dialect } = checked;
  if (isDeepStrictEqual(dialect, z.parse(dialectSchema, presets.reference))) return undefined;
  return {
    name,
    basePath: dialect.basePath,
    targets: targetsBelow(dialect),
    missing: missingKinds(dialect),
    spelling: responseSpellings[dialect.headers.case],
    translate: (app, options) => translate(app, dialect, options),
  };
}
