import { once } from 'node:events';
import { join, resolve } from 'node:path';
import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import { serverLogName } from '../../api/control/control.js';
import { keepDashes, wordsAfterDashes } from '../../cli/command-words.js';
import type { Context } from '../../cli/context.js';
import { exitCodes } from '../../cli/exit.js';
import { withExamples } from '../../cli/help-text.js';
import { type LazyCommand, mountCommands } from '../../cli/lazy-command.js';
import { formatCommand } from '../../errors/advice.js';
import { InterruptedError } from '../../errors/errors.js';
import type { RunningServer } from '../../server/index.js';
import { endSignals } from '../../terminal/process/system.js';
import { childEnvironment, runChild } from '../../verbs/serve/child.js';
import { obeyConsoleKeys } from '../../verbs/serve/console-keys.js';
import { namingFlags, type ServeFlags, withServeFlags } from '../../verbs/serve/flags.js';
import {
  type LogFormat,
  loggedAs,
  type OpenLog,
  openLog,
  parseLogFormat,
} from '../../verbs/serve/log-lines.js';
import { serverOptions } from '../../verbs/serve/options.js';
import {
  assertReadyFile,
  banner,
  type KeyPlaces,
  readyLine,
  writeReadyFile,
} from '../../verbs/serve/ready.js';
import {
  keepServerProfile,
  profileRenewer,
  profileSaver,
  profileToKeep,
} from '../../verbs/serve/server-profile.js';
import { withSmallHeap } from '../../verbs/serve/small-heap.js';

const verbs: readonly LazyCommand[] = [
  {
    name: 'rotate-master-key',
    summary: 'encrypt the stored data with another master key',
    load: async () => (await import('./rotate-master-key.js')).rotateMasterKey,
  },
  {
    name: 'forget-master-key',
    summary: 'delete old master keys, even if backups need them',
    load: async () => (await import('./forget-master-key.js')).forgetMasterKey,
  },
  {
    name: 'check',
    summary: 'check all stored data',
    load: async () => (await import('./check.js')).check,
  },
  {
    name: 'backup',
    summary: 'copy the data to a file, even while the server runs',
    load: async () => (await import('./backup.js')).backup,
  },
  {
    name: 'restore',
    summary: 'replace the data with a backup',
    load: async () => (await import('./restore.js')).restore,
  },
];

export function serve(command: Command, context: Context): void {
  mountCommands(command, verbs, context);
  command.usage('[options] [-- command...]');
  keepDashes(command);
  withExamples(
    withServeFlags(command),
    [
      ['orgctl serve', 'start a server; in another terminal: orgctl quotas'],
      ['orgctl serve --detach', 'in the background; orgctl local stop ends it'],
      ['orgctl serve --ephemeral --save-profile try', 'keep a profile while it runs: orgctl quotas -p try'],
      ['orgctl serve -- npm test', 'your own tests against a fresh service'],
      ['orgctl serve --ephemeral --port 0 -o json', 'the ready line as JSON on stdout'],
      [
        "orgctl serve --fault 'GET /quotas=503x2' --rate-limit 100/1m",
        'how does a client handle errors and limits?',
      ],
      ['orgctl serve --clock-offset -10m', 'a clock that is ten minutes behind'],
      ['orgctl serve --seed team.yaml -- npm test', 'begin with organizations, keys and resources'],
    ],
    { writes: ['data', 'profiles', 'files'] },
  ).action(async (args, options) => {
    if (args[0] === 'help') helpOn(command, args[1]);
    const words = wordsAfterDashes(args);
    if (!options.detach) return runServer(words, options, context);
    const { detachServer, isStartedByDetach } = await import('../../verbs/serve/detach.js');
    return isStartedByDetach(context)
      ? runDetached(words, options, context)
      : detachServer(options, words, context);
  });
}

/** Same as `orgctl help serve [VERB]`. */
function helpOn(command: CommandUnknownOpts, verb: string | undefined): never {
  return (command.commands.find((each) => each.name() === verb) ?? command).help();
}

type ServeContext = Pick<
  Context,
  | 'system'
  | 'home'
  | 'signal'
  | 'settings'
  | 'streams'
  | 'profiles'
  | 'flags'
  | 'note'
  | 'printer'
  | 'exitWith'
  | 'whileBusy'
>;

/** Reports a failed start to the command that started this process, because another server may own the log. */
async function runDetached(
  words: readonly string[],
  flags: ServeFlags,
  context: ServeContext,
): Promise<void> {
  let isReady = false;
  const onReady = () => {
    isReady = true;
  };
  await runServer(words, flags, context, onReady).catch(async (error: unknown) => {
    if (isReady) throw error;
    const { relayFailure } = await import('../../verbs/serve/detach.js');
    context.exitWith(await relayFailure(error, context));
  });
}

/** @param onReady only for the process that `--detach` started */
async function runServer(
  command: readonly string[],
  flags: ServeFlags,
  context: ServeContext,
  onReady?: () => void,
): Promise<void> {
  const logFormat = flags.log === undefined ? 'text' : parseLogFormat(flags.log);
  const options = await serverOptions(flags, command, context);
  const lasts = command.length === 0 && (options.data ?? options.database) !== undefined;
  const { name: profile, note } = await profileToKeep({ ...flags, lasts }, context);
  const { value: format } = await context.settings().output();
  const readyFile =
    flags.readyFile === undefined ? undefined : resolve(context.system.cwd(), flags.readyFile);
  if (readyFile !== undefined) await assertReadyFile(readyFile);
  const { startServer } = await import('../../server/index.js');
  const detached = onReady === undefined ? undefined : options.data;
  const { log: onLog, close: closeLog } = await openServeLog(logFormat, detached, context);
  const stop = new AbortController();
  const writeCommand = writeCommandFor(flags.data === undefined ? undefined : options.data);
  const server = await namingFlags(() =>
    startServer({
      ...options,
      saveProfile: profileSaver(context),
      renewProfile: profile === undefined ? undefined : profileRenewer(profile, context),
      // With a command, the server ends when the command does.
      requestStop: command.length === 0 ? () => stop.abort() : undefined,
      profile,
      writeCommand,
      onLog,
      logged: loggedAs(logFormat),
    }),
  );
  const letSignalsEndIt = holdSignals(context.system);
  try {
    if (note !== undefined) await context.note(note);
    const { places, unpublish } = await publish(
      server,
      { profile, readyFile, showSecret: flags.showSecret },
      context,
    );
    try {
      const [file, ...args] = command;
      if (file !== undefined) {
        const env = childEnvironment(context.system, server);
        return context.exitWith(await withSmallHeap(() => runChild([file, ...args], env, context)));
      }
      const isJson = format === 'json' || format === 'jsonl';
      const isDetached = detached !== undefined;
      const canType =
        !isJson && !isDetached && server.console !== undefined && context.system.stdin.isTTY === true;
      const shown = isDetached ? { ...places, detached: describeDetached(detached, writeCommand) } : places;
      await announce(server, { isJson, isDetached, canType }, shown, context);
      onReady?.();
      const stopObeying = canType ? await obeyConsoleKeys(server, context) : undefined;
      try {
        await withSmallHeap(() => waitForStop(context, stop.signal));
      } finally {
        stopObeying?.();
      }
    } finally {
      await unpublish();
    }
  } finally {
    await server.close();
    closeLog();
    letSignalsEndIt();
  }
}

function writeCommandFor(data: string | undefined): (words: readonly string[]) => string {
  const named = data === undefined ? [] : ['--data', data];
  return (words) => formatCommand(['orgctl', ...words, ...named]);
}

/** Keeps further signals from ending orgctl: its command would run on, and secrets would stay in files. */
function holdSignals(system: Context['system']): () => void {
  const hold = () => undefined;
  for (const signal of endSignals) system.on(signal, hold);
  return () => {
    for (const signal of endSignals) system.off(signal, hold);
  };
}

/** Saves the profile, then writes the ready file. @returns both places, and a function to call at the end */
async function publish(
  server: RunningServer,
  { profile: wanted, readyFile, showSecret }: KeyPlaces,
  context: Pick<Context, 'system' | 'profiles' | 'note'>,
): Promise<{ readonly places: KeyPlaces; readonly unpublish: () => Promise<void> }> {
  const kept = wanted === undefined ? undefined : await keepServerProfile(wanted, server, context);
  const removeProfile = kept ?? (() => Promise.resolve());
  const places = { profile: kept && wanted, readyFile, showSecret };
  if (readyFile === undefined) return { places, unpublish: removeProfile };
  try {
    const { system } = context;
    const removeReadyFile = await writeReadyFile(readyFile, readyLine(server, system.pid));
    return { places, unpublish: () => removeReadyFile().finally(removeProfile) };
  } catch (error) {
    await removeProfile();
    throw error;
  }
}

async function announce(
  server: RunningServer,
  { isJson, isDetached, canType }: Readonly<Record<'isJson' | 'isDetached' | 'canType', boolean>>,
  places: KeyPlaces,
  { streams, system }: Pick<Context, 'streams' | 'system'>,
): Promise<void> {
  const text = isJson ? readyLine(server, system.pid) : await banner(server, places, canType);
  // The command that started this process prints the text.
  if (isDetached) return streams.stdout.write(`${JSON.stringify(text)}\n`);
  return (isJson ? streams.stdout : streams.stderr).write(text);
}

async function openServeLog(
  format: LogFormat,
  data: string | undefined,
  context: ServeContext,
): Promise<OpenLog> {
  const log = await openLog(context, format);
  const { stderrFile } = context.system;
  if (data === undefined || stderrFile === undefined) return log;
  const { boundLog } = await import('../../verbs/serve/bounded-log.js');
  return boundLog(log, data, stderrFile);
}

function describeDetached(
  data: string,
  writeCommand: (words: readonly string[]) => string,
): KeyPlaces['detached'] {
  const log = join(data, serverLogName);
  return { log, stop: writeCommand(['local', 'stop']), key: writeCommand(['local', 'key']) };
}

/** Waits for a signal or `local stop`, the normal ways to end the server. The exit code names the signal. */
async function waitForStop(
  { signal, exitWith }: Pick<Context, 'signal' | 'exitWith'>,
  stop: AbortSignal,
): Promise<void> {
  const end = AbortSignal.any([signal, stop]);
  if (!end.aborted) await once(end, 'abort');
  if (signal.reason instanceof InterruptedError) exitWith(exitCodes[signal.reason.code]);
}
