import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { serverLogName } from '../../api/control/control.js';
import { argument, command } from '../../cli/command.js';
import { keepDashes, wordsAfterDashes } from '../../cli/command-words.js';
import type { Context } from '../../cli/context.js';
import { exitCodes } from '../../cli/exit.js';
import { formatCommand } from '../../errors/advice.js';
import { InterruptedError } from '../../errors/errors.js';
import type { RunningServer } from '../../server/index.js';
import { endSignals } from '../../terminal/process/system.js';
import { childEnvironment, runChild } from './child.js';
import { detachServer, isStartedByDetach } from './detach.js';
import { openLog } from './log.js';
import { maintenance } from './maintenance.js';
import { type ServeFlags, serveOptions } from './options.js';
import { chooseProfile, profileSaver, removeServerProfile, saveServerProfile } from './profile.js';
import { assertReadyFile, banner, type Places, readyLine, writeReadyFile } from './ready.js';
import { serverOptions } from './server-options.js';

export const serve = command({
  description:
    'Run a stand-in for the service on this machine. It accepts and refuses requests as the API reference describes. With -- COMMAND it runs the command against a fresh server in memory, unless --data or --database is given, and exits with the code of COMMAND. It explains refused requests on stderr.',
  args: [argument('[command...]', 'after --: a command to run against the server')],
  options: serveOptions,
  examples: [
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
  writes: ['data', 'profiles', 'files'],
  verbs: maintenance,
  parser(parser) {
    parser.usage('[options] [-- command...]');
    keepDashes(parser);
  },
  run(context, [args], flags) {
    const words = wordsAfterDashes(args);
    const detaches = flags.detach && !isStartedByDetach(context);
    return detaches ? detachServer(flags, words.length > 0, context) : runServer(words, flags, context);
  },
});

async function runServer(words: readonly string[], flags: ServeFlags, context: Context): Promise<void> {
  const { system } = context;
  const [file, ...args] = words;
  const options = await serverOptions(flags, file !== undefined, context);
  const lasts = file === undefined && (options.data ?? options.database) !== undefined;
  const { name: profile, note } = await chooseProfile(flags, lasts, context);
  const readyFile = flags.readyFile === undefined ? undefined : resolve(system.cwd(), flags.readyFile);
  if (readyFile !== undefined) await assertReadyFile(readyFile);
  const { value: format } = await context.settings().output();
  const { startServer } = await import('../../server/index.js');
  const log = await openLog(flags.log === 'json', context);
  const stop = new AbortController();
  const named = flags.data === undefined || options.data === undefined ? [] : ['--data', options.data];
  const writeCommand = (line: readonly string[]) => formatCommand(['orgctl', ...line, ...named]);
  const server = await startServer({
    ...options,
    saveProfile: profileSaver(context),
    // With a command, the server ends when the command does.
    requestStop: file === undefined ? () => stop.abort() : undefined,
    profile,
    writeCommand,
    onLog: log.log,
    logged: flags.log === 'json' ? 'all' : 'refused',
  });
  const letSignalsEndIt = holdSignals(system);
  const undo: (() => Promise<void>)[] = [];
  try {
    if (note !== undefined) await context.note(note);
    const isSaved = profile !== undefined && (await saveServerProfile(profile, server, context));
    if (isSaved && (server.data ?? server.database) === undefined)
      undo.push(() => removeServerProfile(profile, server, context));
    const line = readyLine(server, system.pid);
    if (readyFile !== undefined) undo.push(await writeReadyFile(readyFile, line));
    if (file !== undefined)
      return context.exitWith(await runChild([file, ...args], childEnvironment(context, server), context));
    const places = { profile: isSaved ? profile : undefined, readyFile, showSecret: flags.showSecret };
    const isJson = format === 'json' || format === 'jsonl';
    await announce(server, isJson ? line : undefined, { places, writeCommand }, context);
    await waitForStop(context, stop.signal);
  } finally {
    try {
      for (const each of undo) await each();
    } finally {
      await server.close();
      log.close();
      letSignalsEndIt();
    }
  }
}

/** Keeps further signals from ending orgctl: its command would run on, and secrets would stay in files. */
function holdSignals(system: Context['system']): () => void {
  const hold = () => undefined;
  for (const signal of endSignals) system.on(signal, hold);
  return () => {
    for (const signal of endSignals) system.off(signal, hold);
  };
}

/** Writes the ready line to stdout, else a banner to stderr; in the background, either of them for `detachServer`. */
async function announce(
  server: RunningServer,
  line: string | undefined,
  { places, writeCommand }: { places: Places; writeCommand: (line: readonly string[]) => string },
  context: Context,
): Promise<void> {
  const { stdout, stderr } = context.streams;
  const { data } = server;
  if (data === undefined || !isStartedByDetach(context)) {
    return line === undefined ? stderr.write(await banner(server, places)) : stdout.write(line);
  }
  const detached = {
    log: join(data, serverLogName),
    stop: writeCommand(['local', 'stop']),
    key: writeCommand(['local', 'key']),
  };
  await stdout.write(`${JSON.stringify(line ?? (await banner(server, { ...places, detached })))}\n`);
}

/** Waits for a signal or `local stop`, the normal ways to end the server. The exit code names the signal. */
async function waitForStop({ signal, exitWith }: Context, stop: AbortSignal): Promise<void> {
  const end = AbortSignal.any([signal, stop]);
  if (!end.aborted) await once(end, 'abort');
  if (signal.reason instanceof InterruptedError) exitWith(exitCodes[signal.reason.code]);
}
