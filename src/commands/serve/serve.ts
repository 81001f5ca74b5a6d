import { once } from 'node:events';
import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { InterruptedError } from '../../errors.js';
import { exitCodes } from '../../exit.js';
import type { RunningServer } from '../../server/index.js';
import { collect } from '../body.js';
import { withExamples } from '../help-text.js';
import { runChild } from './child.js';
import { keepLocalProfile, localProfile } from './local-profile.js';
import { type ServeFlags, serverOptions } from './options.js';
import { banner, readyLine } from './ready.js';

/** `orgctl serve`: the service, embedded (contract, section 5). */
export function serve(command: Command, context: Context, run = runServer): void {
  withExamples(
    command
      .description(
        'Run the whole service on this machine: same rules, same refusals. With -- COMMAND it runs the command against a fresh server and exits with its code.',
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
      .option('--ephemeral', 'keep everything in memory; the default with a command')
      .option('--http', 'plain HTTP, on loopback only')
      .option('--tls-cert <file>', 'a certificate of your own, PEM')
      .option('--tls-key <file>', 'its private key, PEM')
      .option('--bootstrap-key-id <id>', 'ID of the first API key; its secret from ORGCTL_SERVE_SECRET')
      .option(
        '--quota <kind=n>',
        'limit of a kind; default api-keys=20, connections=10, teams=20; repeatable',
        collect,
      )
      .option('--no-profile', 'do not keep the profile "local" up to date'),
    [
      ['orgctl serve', 'then, in another terminal: orgctl quotas'],
      ['orgctl serve -- npm test', 'your own tests against a fresh service'],
      ['orgctl serve --ephemeral --port 0 -o json', 'the ready line as JSON on stdout'],
    ],
  ).action((args, options) => run(args, options, context));
}

export async function runServer(
  command: readonly string[],
  flags: ServeFlags,
  context: Pick<
    Context,
    'system' | 'home' | 'signal' | 'settings' | 'streams' | 'profiles' | 'note' | 'exitWith'
  >,
): Promise<void> {
  const options = await serverOptions(flags, command, context);
  const { value: format } = await context.settings().output();
  const { startServer } = await import('../../server/index.js');
  const server = await startServer(options);
  try {
    const [file, ...args] = command;
    if (file !== undefined) return context.exitWith(await runChild([file, ...args], server, context));
    const profile = flags.profile && (await keepLocalProfile(server, context));
    await announce(server, format === 'json' || format === 'jsonl', profile, context);
    await stopped(context);
  } finally {
    await server.close();
  }
}

async function announce(
  server: RunningServer,
  json: boolean,
  profile: boolean,
  { streams, system }: Pick<Context, 'streams' | 'system'>,
): Promise<void> {
  if (json) return streams.stdout.write(readyLine(server, system.pid));
  return streams.stderr.write(banner(server, profile ? localProfile : undefined));
}

/** Waits for the signal that ends the server. That is how a server ends, so it is no error; the exit code names the signal. */
async function stopped({ signal, exitWith }: Pick<Context, 'signal' | 'exitWith'>): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  if (signal.reason instanceof InterruptedError) exitWith(exitCodes[signal.reason.code]);
}
