import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { InterruptedError } from '../../errors.js';
import { exitCodes } from '../../exit.js';
import type { RunningServer } from '../../server/index.js';
import { withExamples } from '../help-text.js';
import { type LazyCommand, mount } from '../lazy-command.js';
import { runChild } from './child.js';
import { withLabFlags, withServerFlags } from './flags.js';
import { keepLocalProfile, localProfile } from './local-profile.js';
import { loggedAs, openLog, parseLogFormat } from './log-lines.js';
import { namingFlags } from './option-flags.js';
import { type ServeFlags, serverOptions } from './options.js';
import { banner, readyLine } from './ready.js';
import { withSmallHeap } from './small-heap.js';

const verbs: readonly LazyCommand[] = [
  {
    name: 'rotate-master-key',
    summary: 'encrypt the stored data with another master key',
    load: async () => (await import('./rotate-master-key.js')).rotateMasterKey,
  },
  {
    name: 'check',
    summary: 'check all stored data',
    load: async () => (await import('./check.js')).check,
  },
  {
    name: 'backup',
    summary: 'copy the data to a file, while the server runs or not',
    load: async () => (await import('./backup.js')).backup,
  },
  {
    name: 'restore',
    summary: 'put a backup in the place of the data',
    load: async () => (await import('./restore.js')).restore,
  },
];

/** `orgctl serve`: the service, embedded (contract, section 5). */
export function serve(command: Command, context: Context): void {
  mount(command, verbs, context);
  command.usage('[options] [command...]');
  withExamples(
    withLabFlags(withServerFlags(command)).option(
      '--no-profile',
      'do not keep the profile "local" up to date',
    ),
    [
      ['orgctl serve', 'then, in another terminal: orgctl quotas'],
      ['orgctl serve -- npm test', 'your own tests against a fresh service'],
      ['orgctl serve --ephemeral --port 0 -o json', 'the ready line as JSON on stdout'],
      ["orgctl serve --fault 'GET /quotas=503x2' --rate-limit 100/1m", 'how does a client take that?'],
      ['orgctl serve --clock-offset -10m', 'a clock that is ten minutes behind'],
      ['orgctl serve --seed team.yaml -- npm test', 'begin with organizations, keys and resources'],
    ],
  ).action((args, options) => runServer(args, options, context));
}

async function runServer(
  command: readonly string[],
  flags: ServeFlags,
  context: Pick<
    Context,
    'system' | 'home' | 'signal' | 'settings' | 'streams' | 'profiles' | 'flags' | 'exitWith'
  >,
): Promise<void> {
  const logFormat = flags.log === undefined ? 'text' : parseLogFormat(flags.log);
  const options = await serverOptions(flags, command, context);
  const { value: format } = await context.settings().output();
  const { startServer } = await import('../../server/index.js');
  const { log: onLog, close: closeLog } = openLog(context, logFormat);
  const server = await namingFlags(() => startServer({ ...options, onLog, logged: loggedAs(logFormat) }));
  try {
    const removeReadyFile = await publish(server, flags, context);
    try {
      const [file, ...args] = command;
      if (file !== undefined) {
        return context.exitWith(await withSmallHeap(() => runChild([file, ...args], server, context)));
      }
      const profile = flags.profile && (await keepLocalProfile(server, context));
      await announce(server, format === 'json' || format === 'jsonl', profile, context);
      await withSmallHeap(() => stopped(context));
    } finally {
      await removeReadyFile();
    }
  } finally {
    await server.close();
    closeLog();
  }
}

/** Writes the ready file, if one is wanted; answers what removes it. */
async function publish(
  server: RunningServer,
  { readyFile }: ServeFlags,
  { system }: Pick<Context, 'system'>,
): Promise<() => Promise<void>> {
  if (readyFile === undefined) return () => Promise.resolve();
  const { writeReadyFile } = await import('./ready-file.js');
  return writeReadyFile(resolve(system.cwd(), readyFile), readyLine(server, system.pid));
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
