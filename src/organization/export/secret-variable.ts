import { createHash } from 'node:crypto';

/** A value of a connection that is read from an environment variable. */
export interface SecretValue {
  /** Of the connection. */
  readonly name: string;
  /** Of a connection whose name others have, too. */
  readonly id?: string | undefined;
  /** From the settings. */
  readonly path: readonly (string | number)[];
}

/** Characters of a name that is not cut. */
const longest = 60;

// Spellings of which each has one variable: capitals, other separators and all else make other names of the same letters.
const plainName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
// Without `db`, the word before the setting's, and without what ends in the digits of a hash.
const plainSetting = /^(?!.*[0-9a-f]{16}$)(?!(?:.*_)?db(?:_|$))[a-z0-9]+(?:_[a-z0-9]+)*$/;

/**
 * The environment variable of a value, such as `APP_DB_PASSWORD`. It depends on nothing but connection and path, and no
 * two values share one, in this export or another: a spelling that others could be mistaken for ends in its hash.
 */
export function variableOf({ name, id, path }: SecretValue): string {
  const setting = path.join('_');
  const isPlain = id === undefined && path.length === 1 && plainSetting.test(setting) && plainName.test(name);
  const words = `${wordsOf(name) || 'CONNECTION'}_DB_${wordsOf(setting) || 'SETTING'}`;
  const variable = /^\d/.test(words) ? `_${words}` : words;
  if (isPlain && name.length <= longest && setting.length <= longest) return variable;
  const hash = createHash('sha256')
    .update(JSON.stringify([name, id ?? null, path]))
    .digest('hex');
  return `${variable}_${hash.slice(0, 16).toUpperCase()}`;
}

/** A text in the letters of a variable's name. */
function wordsOf(text: string): string {
  const words = text
    .slice(0, longest)
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_');
  return words.replace(/^_|_$/g, '');
}
