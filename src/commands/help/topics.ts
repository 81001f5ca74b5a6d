import { exitCodeMeanings, exitCodes } from '../../exit.js';
import { definitionList, paragraph } from '../help-format.js';
import { signingTopic } from './signing-topic.js';
import type { Topic } from './topic.js';

const exitCodesTopic: Topic = {
  name: 'exit-codes',
  summary: 'what a script can decide by',
  value: () => exitRows(),
  text: (width) =>
    [
      paragraph(
        'The exit code of every command, and the code in the JSON line that -o json puts on stderr.',
        width,
      ),
      definitionList(
        exitRows().map(({ exit, code, when }) => [`${String(exit).padStart(3)}  ${code ?? ''}`, when]),
        width,
      ),
    ].join('\n'),
};

/** Every exit code, and when a command ends with it. */
export function exitRows() {
  return exitCodeMeanings.map(([code, when]) => ({
    exit: code === undefined ? 0 : exitCodes[code],
    code,
    when,
  }));
}

/** Every variable that orgctl reads, and what for. */
export const environmentVariables: readonly (readonly [names: string, meaning: string])[] = [
  ['ORGCTL_PROFILE', 'stored profile, as --profile'],
  ['ORGCTL_BASE_URL', 'address of the service, as --base-url'],
  ['ORGCTL_KEY_ID', 'API key ID, as --key-id'],
  ['ORGCTL_SECRET', 'API key secret; there is no flag for it'],
  ['ORGCTL_AUTH', 'hmac or basic, as --auth'],
  ['ORGCTL_CA_FILE', "PEM file of further CAs, or system for the operating system's, as --ca-file"],
  ['ORGCTL_OUTPUT', 'output format, as --output'],
  ['ORGCTL_TIMEOUT', 'for one attempt, as --timeout'],
  ['ORGCTL_DEADLINE', 'for all attempts together, as --deadline'],
  ['ORGCTL_RETRIES', 'further attempts, as --retries'],
  ['ORGCTL_CONFIG_DIR', "where profiles are kept; default the platform's, on Linux $XDG_CONFIG_HOME/orgctl"],
  ['ORGCTL_SERVE_SECRET', 'serve: secret of the first API key'],
  ['ORGCTL_SERVE_MASTER_KEY', 'serve: key of what is encrypted at rest, 64 hexadecimal characters'],
  ['ORGCTL_SERVE_NEW_MASTER_KEY', 'serve rotate-master-key: the key to change to'],
  ['ORGCTL_SERVE_DATABASE', 'serve: URL of a shared database with its password, as --database without'],
  [
    'ORGCTL_CONTROL_URL, ORGCTL_CONTROL_TOKEN',
    'local: control API of the server to steer, in place of --data',
  ],
  ['PGPASSWORD, PGPASSFILE', 'serve: password of the shared database, and the file of passwords (~/.pgpass)'],
  ['XDG_CONFIG_HOME, XDG_DATA_HOME', 'where profiles and the data of serve are kept on Linux'],
  ['APPDATA, LOCALAPPDATA', 'where they are kept on Windows'],
  [
    'HOME, XDG_CACHE_HOME',
    'where compiled code is kept, which starts orgctl faster: ~/.cache/orgctl on Linux',
  ],
  ['DBUS_SESSION_BUS_ADDRESS', 'the session bus, where Linux has the keyring of profile add --keyring'],
  ['PATH', 'where secret commands and tail, which sees that a reader left, are looked for'],
  ['NODE_DISABLE_COMPILE_CACHE', 'when set, no compiled code is kept'],
  ['HTTPS_PROXY, NO_PROXY', 'proxies, in lower case too; never used for loopback hosts'],
  ['NODE_EXTRA_CA_CERTS', 'PEM file of further CAs for every Node.js program'],
  ['SSL_CERT_FILE', 'PEM file of further CAs, with --ca-file system'],
  ['NO_COLOR, FORCE_COLOR, TERM', 'colour off, colour on, and none on a dumb terminal'],
];

const environmentTopic: Topic = {
  name: 'environment',
  summary: 'the variables that orgctl reads',
  value: () => environmentVariables.map(([variable, meaning]) => ({ variable, meaning })),
  text: (width) =>
    [
      paragraph(
        'A flag comes before a variable, a variable before the profile. A variable set to nothing is not set.',
        width,
      ),
      definitionList(environmentVariables, width),
    ].join('\n'),
};

export const topics: readonly Topic[] = [exitCodesTopic, environmentTopic, signingTopic];
