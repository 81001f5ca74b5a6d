import { isDeepStrictEqual } from 'node:util';
import { type Dialect, dialectSchema } from '../../api/dialect/dialect.js';
import type { DialectInput } from '../../api/dialect/dialect-input.js';
import { isPreset, type PresetName, presets } from '../../api/dialect/presets.js';
import { type Problem, placeMessage, z } from '../../api/schema/schema.js';
import { UsageError } from '../../errors/errors.js';
import { isServiceTarget, ownTargets, type Targets } from '../http/url-space.js';
import { type Translation, translation } from './translation.js';

/** Checks a dialect for this server. */
export function checkDialect(
  input: unknown,
): { readonly dialect: Dialect } | { readonly problems: readonly Problem[] } {
  const { data, error } = z.safeParse(dialectSchema, input);
  if (error !== undefined) return { problems: error.issues };
  if (isServiceTarget(data.basePath) && !/\/\.{1,2}(?:\/|$)/.test(data.basePath)) return { dialect: data };
  const message = "must not contain . or .. segments, or be one of the server's own paths";
  return { problems: [{ path: ['basePath'], message }] };
}

/** `undefined` for the server's own form. @throws UsageError for an unknown name or wrong fields */
export function openDialect(wanted: PresetName | DialectInput): Translation | undefined {
  const isNamed = typeof wanted === 'string';
  if (isNamed && !isPreset(wanted)) {
    const hint = `one of ${Object.keys(presets).join(', ')}`;
    throw new UsageError(`unknown dialect ${JSON.stringify(wanted)}`, { hint });
  }
  const checked = checkDialect(isNamed ? presets[wanted] : wanted);
  if ('problems' in checked)
    throw new UsageError(`the dialect cannot be used: ${checked.problems.map(placeMessage).join('; ')}`);
  const { dialect } = checked;
  if (isDeepStrictEqual(dialect, z.parse(dialectSchema, presets.reference))) return undefined;
  return translation(isNamed ? wanted : 'custom', dialect, targetsBelow(dialect));
}

/** Not found, after authentication. */
const nowhere = '/';

/** Targets below a base path. The server's own paths stay where they are. */
function targetsBelow({ basePath, signedBasePath }: Dialect): Targets {
  if (basePath === '') return ownTargets;
  const rest = (target: string): string | undefined => {
    const local = target.slice(basePath.length);
    if (!target.startsWith(basePath) || !/^(?:[/?#]|$)/.test(local)) return undefined;
    return local.startsWith('/') ? local : `/${local}`;
  };
  return {
    toLocal(target) {
      if (!isServiceTarget(target)) return target;
      const local = rest(target);
      return local !== undefined && isServiceTarget(local) ? local : nowhere;
    },
    toSigned: signedBasePath ? ownTargets.toSigned : (target) => rest(target) ?? target,
  };
}
