import { UsageError } from '../../errors/errors.js';
import { type PostgresUrl, parsePostgresUrl, unknownParameter } from '../../text/postgres-url.js';
import { parseDatabasePort } from './config-flags.js';

export interface DatabaseUrl extends Partial<Omit<PostgresUrl, 'port' | 'parameters'>> {
  readonly port?: number | undefined;
  readonly ssl?: boolean | undefined;
}

/**
 * `sslmode=disable` means `ssl: false`; other modes mean true. Refuses other parameters: the API has no field for them.
 * @param source names the text in messages, such as `--url`
 * @throws UsageError that never quotes the whole text, which may contain a password
 */
export function parseDatabaseUrl(text: string, source: string): DatabaseUrl {
  const url = parsePostgresUrl(
    text,
    (what, hint, cause) => new UsageError(`${source}: ${what}`, { hint, cause }),
  );
  const { port, parameters: _parameters, ...parts } = url;
  return {
    ...parts,
    port: port === undefined ? undefined : parseDatabasePort(port, `${source}: port`),
    ssl: readSsl(url, source),
  };
}

const readParameters: ReadonlySet<string> = new Set(['sslmode']);

const sslByMode: ReadonlyMap<string, boolean> = new Map([
  ['disable', false],
  ['allow', true],
  ['prefer', true],
  ['require', true],
  ['verify-ca', true],
  ['verify-full', true],
]);

function readSsl(url: PostgresUrl, source: string): boolean | undefined {
  const unknown = unknownParameter(url, readParameters);
  if (unknown !== undefined) {
    throw new UsageError(`${source}: the API has no field for ${unknown}`, {
      hint: 'leave it out; the API has a field only for sslmode',
    });
  }
  const modes = url.parameters.getAll('sslmode');
  const [mode] = modes;
  if (mode === undefined) return undefined;
  const ssl = sslByMode.get(mode);
  if (ssl !== undefined && modes.length === 1) return ssl;
  throw new UsageError(`${source}: sslmode must be one of ${[...sslByMode.keys()].join(', ')}`);
}
