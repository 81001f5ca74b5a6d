import { resolve } from 'node:path';
import { argument, command } from '../../cli/command.js';
import { keepDashes, wordsAfterDashes } from '../../cli/command-words.js';
import type { Context } from '../../cli/context.js';
import { waitForEnd } from '../../cli/exit.js';
import { UsageError } from '../../errors/errors.js';
import { onEndSignal } from '../../terminal/process/system.js';
import { speaksJson } from '../../terminal/text/sanitize.js';
import { childEnvironment, runChild } from './child.js';
import { detachServer, isStartedByDetach } from './detach.js';
import { openLog } from './log.js';
import { maintenance } from './maintenance.js';
import { type ServeFlags, serveOptions, serverOptions } from './options.js';
import { chooseProfile, profileSaver, removeServerProfile, saveServerProfile } from './profile.js';
import { banner, clearReadyFile, readyLine, writeReadyFile } from './ready.js';

export const serve = command({
  description:
    'Run a stand-in for the service on this machine, which responds as the API reference describes, and explains refusals on stderr. With -- COMMAND it runs the command against a fresh server in memory, unless --data or --database is given, and exits with its code.',
  args: [argument('[command...]', 'after --: a command to run against the server')],
  options: serveOptions,
  examples: [
    ['orgctl serve', 'start a server; in another terminal: orgctl quotas'],
    ['orgctl serve -- npm test', 'your own tests against a fresh service'],
  ],
  writes: ['data', 'profiles', 'files'],
  verbs: maintenance,
  parser(parser) {
    parser.usage('[options] [-- command...]');
    keepDashes(parser);
  },
  async run(context, [args], flags) {
    const words = wordsAfterDashes(args);
    const { value: format } = await context.settings().output();
    const isJson = speaksJson(format) || isStartedByDetach(context);
    if (!flags.detach || isStartedByDetach(context)) return runServer(words, flags, isJson, context);
    if (words.length > 0) throw new UsageError('--detach and a command cannot be combined');
    return detachServer(flags, isJson, context);
  },
});

async function runServer(
  [file, ...args]: readonly string[],
  flags: ServeFlags,
  isJson: boolean,
  context: Context,
): Promise<void> {
  const { system, streams } = context;
  const readyFile = flags.readyFile === undefined ? undefined : resolve(system.cwd(), flags.readyFile);
  if (readyFile !== undefined) await clearReadyFile(readyFile, system.pid);
  const options = await serverOptions(flags, file !== undefined, context);
  const lasts = file === undefined && (options.data ?? options.database) !== undefined;
  const { name: profile, note } = await chooseProfile(flags, lasts, context);
  const { startServer } = await import('../../server/index.js');
  const log = await openLog(flags.log === 'json', context);
  const stop = new AbortController();
  const server = await startServer({
    ...options,
    saveProfile: profileSaver(context),
    requestStop: file === undefined ? () => stop.abort() : undefined,
    profile,
    onLog: log.log,
    logged: flags.log === 'json' ? 'all' : 'refused',
  });
  // Further signals must not end orgctl: the command would run on, and secrets would stay in files.
  const letSignalsEndIt = onEndSignal(system, () => undefined);
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
    if (isJson) await streams.stdout.write(line);
    else await streams.stderr.write(banner(server, places));
    await waitForEnd(context, stop.signal);
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
