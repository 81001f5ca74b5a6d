import type { Command } from '@commander-js/extra-typings';
import { serverLogName } from '../../api/control/control.js';
import { stubGrammar } from '../../api/control/stub-text.js';
import { faultEffects, faultForm } from '../../api/faults/fault-grammar.js';
import { limitedResources } from '../../api/resources/index.js';
import { collect } from '../../cli/command.js';

/** The flags of `serve`, as typed; `options.ts` turns them into the server's options. */
export type ServeFlags = ReturnType<ReturnType<typeof withServeFlags>['opts']>;

export function withServeFlags(command: Command) {
  return withTestControlFlags(withServerFlags(command))
    .option('--no-profile', 'do not update the profile "local"; --ephemeral and -- COMMAND imply this')
    .option(
      '--save-profile <name>',
      'update this profile instead of "local"; with data in memory, remove it when the server stops',
    );
}

function withServerFlags(command: Command) {
  return command
    .description(
      'Run a stand-in for the service on this machine. It accepts and refuses requests as the API reference describes. With -- COMMAND it runs the command against a fresh server in memory, unless --data or --database is given, and exits with the code of COMMAND. It explains refused requests on stderr.',
    )
    .argument('[command...]', 'after --: a command to run against the server')
    .option('--host <host>', 'address to listen on; default 127.0.0.1')
    .option(
      '--port <port>',
      'port to listen on; default 8443, or a free one with a command; 0 picks a free one',
    )
    .option(
      '--data <dir>',
      'directory for database, certificate and keys; default: the standard one, which is printed at the start',
    )
    .option(
      '--database <url>',
      'PostgreSQL database for several servers, instead of the embedded one: postgres://user@host/database, with the password in PGPASSWORD; see docs/guides/scaling.md',
    )
    .option('--ephemeral', 'keep everything in memory; the default with a command')
    .option('--http', 'plain HTTP, on loopback only')
    .option('--tls-cert <file>', 'your own certificate, PEM')
    .option('--tls-key <file>', 'private key of that certificate, PEM')
    .option('--tls-name <name>', 'another name or address for the generated certificate; repeatable', collect)
    .option(
      '--control-host <name>',
      'accept this Host in control API requests from other machines; they need the control token; repeatable',
      collect,
    )
    .option(
      '--console-port <port>',
      'port of the management console, on 127.0.0.1 only; default 8444, or a free port if it is taken',
    )
    .option('--no-console', 'no management console; the default with a command')
    .option(
      '--bootstrap-key-id <id>',
      'ID of the first API key; its secret comes from ORGCTL_SERVE_SECRET, or is generated',
    )
    .option(
      '--quota <kind=n>',
      `quota limit of a kind; default ${limitedResources.map(({ kind, quota }) => `${kind}=${quota}`).join(', ')}; repeatable`,
      collect,
    )
    .option(
      '--detach',
      `move to the background once ready; the log is ${serverLogName} in the data directory; not with --ephemeral, --database or a command`,
    )
    .option('--ready-file <path>', 'write the ready line to a file, which is removed when the server stops')
    .option('--show-secret', 'also show the secret of the first key')
    .option('--log <format>', 'text (default): refused requests; json: every request, one JSON line each');
}

function withTestControlFlags(command: ReturnType<typeof withServerFlags>) {
  return command
    .option(
      '--seed <file>',
      'initial data for an empty store: JSON or YAML with organizations, keys, quotas and resources, or a file that export wrote; see docs/guides/local-service.md',
    )
    .option('--rate-limit <n/duration>', 'requests per API key and time window, such as 100/1m')
    .option('--clock-offset <duration>', "how far the server's clock is ahead; negative: behind")
    .option('--max-skew <duration>', 'how far a timestamp may be off; default 5m')
    .option(
      '--fault <rule>',
      `make requests fail or wait: '${faultForm}', * for any; EFFECT is ${faultEffects}; repeatable`,
      collect,
    )
    .option(
      '--dialect <name|file>',
      'form of responses where the API reference is silent: reference (default), bare, cursor, camel, or a JSON or YAML file; see docs/reference/dialects.md',
    )
    .option('--stub <stub>', `fixed response: ${stubGrammar}; repeatable`, collect)
    .option(
      '--replay <file>',
      'answer GETs with the responses in a file that proxy --record wrote, if path and parameters match; other requests are handled as usual',
    );
}

/** Calls `orgctl/server`, whose errors name no flags. */
export function namingFlags<Result>(work: () => Promise<Result>): Promise<Result> {
  return work();
}
