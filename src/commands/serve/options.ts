import { serverLogName } from '../../api/control/control.js';
import { stubGrammar } from '../../api/control/stub-text.js';
import { faultEffects, faultForm } from '../../api/faults/fault-grammar.js';
import { limitedResources } from '../../api/resources/index.js';
import { type OptionsOf, option, parsedOption, repeatable } from '../../cli/command.js';
import { UsageError } from '../../errors/errors.js';
import { parseRateLimit } from '../../input/rate-limit.js';
import {
  explainDuration,
  explainSignedDuration,
  parseDuration,
  parseSignedDuration,
} from '../../text/duration.js';
import { portOption } from './port-option.js';

export const serveOptions = [
  option('--host <host>', 'address to listen on; default 127.0.0.1'),
  portOption(
    '--port <port>',
    'port to listen on; default 8443, or a free one with a command; 0 picks a free one',
  ),
  option(
    '--data <dir>',
    'directory for database, certificate and keys; default: the standard one, which is printed at the start',
  ),
  option(
    '--database <url>',
    'PostgreSQL database for several servers, instead of the embedded one: postgres://user@host/database, with the password in PGPASSWORD; see docs/guides/scaling.md',
  ),
  option('--ephemeral', 'keep everything in memory; the default with a command', {
    conflicts: ['data', 'database'],
  }),
  option('--http', 'plain HTTP, on loopback only'),
  option('--tls-cert <file>', 'your own certificate, PEM'),
  option('--tls-key <file>', 'private key of that certificate, PEM'),
  repeatable('--tls-name <name>', 'another name or address for the generated certificate; repeatable'),
  repeatable(
    '--cors <origin>',
    'lets pages of this origin, such as http://localhost:5173, send requests; repeatable',
  ),
  repeatable(
    '--control-host <name>',
    'accept this Host in control API requests from other machines; they need the control token; repeatable',
  ),
  portOption(
    '--console-port <port>',
    'port of the management console, on 127.0.0.1 only; default 8444, or a free port if it is taken',
  ),
  option('--no-console', 'no management console; the default with a command', {
    conflicts: ['consolePort'],
  }),
  option(
    '--bootstrap-key-id <id>',
    'ID of the first API key; its secret comes from ORGCTL_SERVE_SECRET, or is generated',
  ),
  repeatable(
    '--quota <kind=n>',
    `quota limit of a kind; default ${limitedResources.map(({ kind, quota }) => `${kind}=${quota}`).join(', ')}; repeatable`,
  ),
  option(
    '--detach',
    `move to the background once ready; the log is ${serverLogName} in the data directory; not with --ephemeral, --database or a command`,
    { conflicts: ['ephemeral', 'database'] },
  ),
  option('--ready-file <path>', 'write the ready line to a file, which is removed when the server stops'),
  option('--show-secret', 'also show the secret of the first key'),
  option('--log <format>', 'text (default): refused requests; json: every request, one JSON line each', {
    choices: ['text', 'json'],
  }),
  option(
    '--seed <file>',
    'initial data for an empty store: JSON or YAML with organizations, keys, quotas and resources, or a file that export wrote; see docs/guides/local-service.md',
  ),
  parsedOption('--rate-limit <n/duration>', 'requests per API key and time window, such as 100/1m', (text) =>
    parseRateLimit(text, `--rate-limit ${text}`),
  ),
  parsedOption(
    '--clock-offset <duration>',
    "how far the server's clock is ahead; negative: behind",
    parseClockOffset,
  ),
  parsedOption('--max-skew <duration>', 'how far a timestamp may be off; default 5m', parseMaxSkew),
  repeatable(
    '--fault <rule>',
    `make requests fail or wait: '${faultForm}', * for any; EFFECT is ${faultEffects}; repeatable`,
  ),
  option(
    '--dialect <name|file>',
    'form of responses where the API reference is silent: reference (default), bare, cursor, camel, or a JSON or YAML file; see docs/reference/dialects.md',
  ),
  repeatable('--stub <stub>', `fixed response: ${stubGrammar}; repeatable`),
  option(
    '--replay <file>',
    'answer GETs with the responses in a file that proxy --record wrote, if path and parameters match; other requests are handled as usual',
  ),
  option('--no-profile', 'do not update the profile "local"; --ephemeral and -- COMMAND imply this', {
    conflicts: ['saveProfile'],
  }),
  option(
    '--save-profile <name>',
    'update this profile instead of "local"; with data in memory, remove it when the server stops',
  ),
] as const;

export type ServeFlags = OptionsOf<typeof serveOptions>;

function parseClockOffset(text: string): number {
  const offset = parseSignedDuration(text);
  if (offset !== undefined) return offset;
  throw new UsageError(`--clock-offset: ${explainSignedDuration(text)}`, {
    hint: "negative if the server's clock is behind: --clock-offset -10m",
  });
}

function parseMaxSkew(text: string): number {
  const skew = parseDuration(text);
  if (skew !== undefined) return skew / 1000;
  throw new UsageError(`--max-skew: ${explainDuration(text)}`);
}
