import type { Command } from '@commander-js/extra-typings';
import { collect } from '../body.js';

/** Adds what says where the server listens, what it keeps, and how it tells of itself. */
export function withServerFlags(command: Command) {
  return command
    .description(
      'Run the whole service on this machine: same rules, same refusals. With -- COMMAND it runs the command against a fresh server and exits with its code. Refused requests are explained on stderr.',
    )
    .argument('[command...]', 'after --: a command to run against the server')
    .option('--host <host>', 'address to listen on; default 127.0.0.1')
    .option(
      '--port <port>',
      'port to listen on; default 8443, or a free one with a command; 0 picks a free one',
    )
    .option(
      '--data <dir>',
      "where database, certificate and keys live; default the platform's data directory",
    )
    .option(
      '--database <url>',
      'PostgreSQL in place of the embedded database, shared by several servers: postgres://user@host/database, the password from PGPASSWORD; see docs/scaling.md',
    )
    .option('--ephemeral', 'keep everything in memory; the default with a command')
    .option('--http', 'plain HTTP, on loopback only')
    .option('--tls-cert <file>', 'a certificate of your own, PEM')
    .option('--tls-key <file>', 'its private key, PEM')
    .option(
      '--tls-name <name>',
      'a further name or address of this server, for the generated certificate; repeatable',
      collect,
    )
    .option(
      '--control-host <name>',
      'lets other machines use the control API under this Host, with its token; repeatable',
      collect,
    )
    .option(
      '--console-port <port>',
      'port of the management console, on 127.0.0.1 alone; default 8444, or a free one when it is taken',
    )
    .option('--no-console', 'no management console; the default with a command')
    .option('--bootstrap-key-id <id>', 'ID of the first API key; its secret from ORGCTL_SERVE_SECRET')
    .option(
      '--quota <kind=n>',
      'limit of a kind; default api-keys=20, connections=10, teams=20; repeatable',
      collect,
    )
    .option('--ready-file <path>', 'the ready line as a file, there as long as the server runs')
    .option('--log <format>', 'text (default): refused requests; json: every request, one JSON line each');
}

/** Adds what clients are tried with. */
export function withLabFlags(command: ReturnType<typeof withServerFlags>) {
  return command
    .option(
      '--seed <file>',
      'JSON or YAML with organizations, keys, quotas and resources for an empty store; see docs/serve.md',
    )
    .option(
      '--rate-limit <n/duration>',
      'so many requests of each API key in that time, such as 100/1m; windows and Retry-After are not described by the API reference',
    )
    .option('--clock-offset <duration>', "how far the server's clock is ahead; with a minus sign, behind")
    .option('--max-skew <duration>', 'how far a timestamp may be off; default 5m')
    .option(
      '--fault <rule>',
      "requests that go wrong: 'METHOD /path=EFFECT[xTIMES][%PERCENT[@SEED]]', * for any; EFFECT is 400 to 599, 503:5s (Retry-After), delay:2s, drop, drop-answer or truncate; repeatable",
      collect,
    );
}
