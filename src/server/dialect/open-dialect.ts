import { isDeepStrictEqual } from 'node:util';
import { type Dialect, type DialectInput, dialectSchema } from '../../api/dialect/dialect.js';
import type { PresetName } from '../../api/dialect/dialect-input.js';
import { presets } from '../../api/dialect/presets.js';
import { placeMessage, z } from '../../api/schema/schema.js';
import { UsageError } from '../../errors/errors.js';
import type { Store } from '../../storage/store.js';
import { isServiceTarget, ownTargets, type Targets } from '../http/url-space.js';
import { checkDialect, presetOf } from './check-dialect.js';
import { missingKinds } from './kind-dialect.js';
import { Translation } from './translation.js';

export interface OpenedDialect {
  readonly name: string;
  readonly basePath: string;
  readonly targets: Targets;
  readonly missing: ReadonlySet<string>;
  /** Changes the names of headers; absent if they are as documented. */
  readonly spell?: ((headers: string[]) => void) | undefined;
  translate(store: Store): Translation;
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
    spell: spellings[dialect.headers.case],
    translate: (store) => new Translation(dialect, store),
  };
}

const spellings: Readonly<Record<Dialect['headers']['case'], OpenedDialect['spell']>> = {
  'as-documented': undefined,
  lower: (headers) => spellNames(headers, (name) => name.toLowerCase()),
  upper: (headers) => spellNames(headers, (name) => name.toUpperCase()),
};

function spellNames(headers: string[], spell: (name: string) => string): void {
  for (let at = 0; at < headers.length; at += 2) headers[at] = spell(headers[at] ?? '');
}

const ends: readonly string[] = ['', '/', '?', '#'];

/** A target that is authenticated like any other, and then not found. */
const nowhere = '/';

/** Targets below a base path. The server's own paths stay where they are. */
function targetsBelow({ basePath, signedBasePath }: Dialect): Targets {
  if (basePath === '') return ownTargets;
  const rest = (target: string): string | undefined => {
    if (!target.startsWith(basePath) || !ends.includes(target.charAt(basePath.length))) return undefined;
    const local = target.slice(basePath.length);
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
