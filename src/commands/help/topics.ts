import { exits } from '../../cli/exit.js';
import { globalOptions } from '../../cli/global-options.js';
import { definitionList, indentText, paragraph } from '../../cli/help-format.js';
import { type Setting, settings } from '../../profiles/settings/settings.js';
import { knownMistakes } from '../../signing/mistakes/explain-mismatch.js';
import { canonicalPartsInWords, headersInWords, signingExample } from '../../signing/mistakes/in-words.js';

export interface Topic {
  readonly name: string;
  readonly summary: string;
  readonly value: () => unknown;
  readonly text: (width: number) => string;
}

const exitCodesTopic: Topic = {
  name: 'exit-codes',
  summary: 'exit codes and their meaning',
  value: exitRows,
  text: (width) =>
    [
      paragraph('Exit codes, each with the `code` of the error line that -o json prints on stderr.', width),
      definitionList(
        exitRows().map(({ exit, code, when }) => [`${String(exit).padStart(3)}  ${code ?? ''}`, when]),
        width,
      ),
      paragraph(
        'exec, serve -- COMMAND and proxy -- COMMAND exit with the code of COMMAND, with 127 if it does not exist, and with 126 if it cannot be run.',
        width,
      ),
    ].join('\n'),
};

export function exitRows() {
  const errors = Object.entries(exits).map(([code, [exit, when]]) => ({ exit, code, when }));
  return [{ exit: 0, code: undefined, when: 'done' }, ...errors];
}

export const environmentVariables: readonly (readonly [names: string, meaning: string])[] = [
  ...Object.values<Setting<unknown>>(settings).flatMap(({ env, flag }) =>
    env && flag ? [[env, `as ${flag.option}: ${globalOptions[flag.key][1]}`] as const] : [],
  ),
  ['ORGCTL_SECRET', 'API key secret; there is no flag for it'],
  ['ORGCTL_SECRET_FILE', 'file with the secret, of mode 600; cannot be combined with ORGCTL_SECRET'],
  ['ORGCTL_READ_ONLY', '1: send only GET requests; exec and profile env set it for a read-only profile'],
  ['ORGCTL_CONFIG_DIR', 'directory of the profiles; default on Linux: $XDG_CONFIG_HOME/orgctl'],
  ['ORGCTL_SERVE_SECRET', 'serve: secret of the first API key'],
  ['ORGCTL_SERVE_MASTER_KEY', 'serve: key that encrypts data at rest, 64 hexadecimal characters'],
  ['ORGCTL_SERVE_NEW_MASTER_KEY', 'serve rotate-master-key: the key to change to'],
  ['ORGCTL_SERVE_DATABASE', 'serve: URL of a shared database, as --database; it may contain the password'],
  ['ORGCTL_CONTROL_URL, ORGCTL_CONTROL_TOKEN', 'local: the control API of a server, unless --data is given'],
  ['ORGCTL_PROXY_TOKEN', 'set by proxy --sign for its command: the value of X-Orgctl-Proxy-Token'],
  ['PGPASSWORD, PGPASSFILE', 'serve: password of the shared database, or its file (default ~/.pgpass)'],
  ['XDG_CONFIG_HOME, XDG_DATA_HOME', 'base directories of profiles and of server data, on Linux'],
  ['APPDATA, LOCALAPPDATA', 'the same on Windows'],
  ['HOME', 'base of the default directories, on Linux and macOS'],
  ['DBUS_SESSION_BUS_ADDRESS', 'the session bus, for the keyring of profile add --keyring on Linux'],
  ['PATH', 'where to find the programs that orgctl runs, such as secret commands'],
  ['HTTPS_PROXY, NO_PROXY', 'proxy for https, and hosts to reach without it; also in lower case'],
  ['NODE_EXTRA_CA_CERTS', 'PEM file of extra CAs for every Node.js program'],
  ['SSL_CERT_FILE', 'PEM file of extra CAs, with --ca-file system'],
  ['NO_COLOR, FORCE_COLOR, TERM', 'color off, color on; TERM=dumb means no color'],
];

const environmentTopic: Topic = {
  name: 'environment',
  summary: 'the variables that orgctl reads or sets',
  value: () => environmentVariables.map(([variable, meaning]) => ({ variable, meaning })),
  text: (width) =>
    [
      paragraph(
        'Flags override variables, and variables a profile not named by --profile. Empty means not set.',
        width,
      ),
      definitionList(environmentVariables, width),
    ].join('\n'),
};

const signingTopic: Topic = {
  name: 'signing',
  summary: 'the signature: canonical string, example, known mistakes',
  value: () => {
    const { secret, canonicalString, headers } = signingExample();
    return {
      headers: headersInWords.map(([name, value]) => ({ name, value })),
      canonicalString: canonicalPartsInWords.map(([part, value]) => ({ part, value })),
      example: { secret, canonicalString, headers },
      mistakes: knownMistakes,
    };
  },
  text: (width) => sections(width).join('\n'),
};

function sections(width: number): string[] {
  const { secret, canonicalString: canonical, headers: exampleHeaders } = signingExample();
  const headerLines = Object.entries(exampleHeaders).map(([name, value]) => `${name}: ${value}\n`);
  return [
    paragraph(
      'With --auth hmac, the default, these headers authenticate a request; the secret is never sent:',
      width,
    ),
    definitionList(headersInWords, width),
    paragraph(
      'The canonical string is five values joined with single line feeds, none after the last:',
      width,
    ),
    definitionList(canonicalPartsInWords, width),
    `Example, with the secret ${secret}:\n`,
    indentText(`${canonical.replaceAll('\n', '⏎\n')}\n`, 2),
    indentText(headerLines.join(''), 2),
    paragraph(
      'orgctl sign METHOD TARGET shows all of this for your own request. If the service answers "Invalid API signature", orgctl sign --check SIGNATURE METHOD TARGET --timestamp SECONDS names the mistake. Known mistakes in how a signature was made, each with its fix:',
      width,
    ),
    definitionList(
      knownMistakes.map(({ id, description, advice }) => [id, `${description}: ${advice}`]),
      width,
    ),
  ];
}

export const topics: readonly Topic[] = [exitCodesTopic, environmentTopic, signingTopic];
