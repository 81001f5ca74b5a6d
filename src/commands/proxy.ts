import { once } from 'node:events';
import { parse } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { collect } from '../cli/command.js';
import { keepDashes, wordsAfterDashes } from '../cli/command-words.js';
import type { Context } from '../cli/context.js';
import { exitCodes } from '../cli/exit.js';
import { withExamples } from '../cli/help-text.js';
import { InterruptedError, UsageError } from '../errors/errors.js';
import { serverSecrets, withoutVariables } from '../profiles/secret-command/own-secrets.js';
import { assertNoSecret } from '../profiles/settings/secret.js';
import type { Flags } from '../profiles/settings/settings.js';
import { type RunningProxy, startProxy } from '../proxy/proxy-server.js';
import { tokenHeader } from '../proxy/service/headers.js';
import { makeSigner, type Signer } from '../proxy/sign-request.js';
import type { BaseUrl } from '../text/base-url.js';

import { openWatch } from '../verbs/proxy/watch.js';
import type { ProxyConsole } from './proxy-console.js';
import { runChild } from './serve/child.js';
import { namingFlags } from './serve/options.js';

const defaultPort = 8445;
const defaultConsolePort = 8446;

interface ProxyFlags {
  readonly port?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly sign?: boolean | undefined;
  readonly fault?: string[] | undefined;
  readonly compare?: boolean | undefined;
  readonly record?: string | undefined;
  readonly consolePort?: string | undefined;
  readonly console: boolean;
}

type ProxyContext = Pick<
  Context,
  'system' | 'home' | 'signal' | 'settings' | 'profiles' | 'flags' | 'streams' | 'note' | 'exitWith'
>;

export function proxy(command: Command, context: Context): void {
  command.usage('[options] [-- command...]');
  keepDashes(command);
  withExamples(
    command
      .description(
        "Forward requests from any client on this machine to the service. Clients connect over plain HTTP on 127.0.0.1; the proxy connects to an https service over verified TLS. Clients sign their own requests, unless --sign is given. With -- COMMAND it runs the command with ORGCTL_BASE_URL set, and exits with the command's exit code.",
      )
      .argument('[command...]', 'after --: a command to run against the proxy')
      .option(
        '--port <port>',
        'port to listen on; default 8445, or a free one with a command; 0 picks a free one',
      )
      .option('--read-only', 'forward only GET, HEAD and OPTIONS')
      .option(
        '--sign',
        `sign requests that have no credential, for clients that send the printed token in ${tokenHeader}`,
      )
      .option(
        '--compare',
        'compare responses with the API reference and the dialect of the profile; print each difference once',
      )
      .option(
        '--record <file>',
        'record exchanges in a new file, one JSON line each, with secrets masked; for serve --replay',
      )
      .option('--fault <rule>', 'make requests fail, with the rules of serve --fault; repeatable', collect)
      .option(
        '--console-port <port>',
        'port of the read-only console, on 127.0.0.1 only; default 8446, or a free port if it is taken',
      )
      .option('--no-console', 'no console, and no orgctl local logs --proxy; the default with a command'),
    [
      ['orgctl proxy -p prod', 'accept signed requests at http://127.0.0.1:8445'],
      ['orgctl proxy -p prod --read-only -- npm test', 'your own tests, without changing anything'],
      ['orgctl proxy -p prod --sign', 'for clients that cannot sign'],
      ['orgctl proxy -p prod --compare --record calls.jsonl', 'how does it differ from the API reference?'],
      ['orgctl proxy --port 0 -o json', 'the ready line as JSON on stdout'],
    ],
    { calls: 'service', writes: ['files'] },
  ).action(async (args, options) => runProxy(wordsAfterDashes(args), options, context));
}

async function runProxy(
  [file, ...args]: readonly string[],
  flags: ProxyFlags,
  context: ProxyContext,
): Promise<void> {
  const settings = context.settings();
  // Without --sign, reads no secret. A missing base URL causes the same error as in other commands.
  const { value: baseUrl } = (await settings.baseUrl()) ?? { value: (await settings.service()).baseUrl };
  const signer = flags.sign ? await openSigner(settings) : undefined;
  const { value: format } = await settings.output();
  const isJson = format === 'json' || format === 'jsonl';
  const { compare, record } = flags;
  const port = parsePort('--port', flags.port) ?? (file === undefined ? defaultPort : 0);
  const consolePort = chooseConsolePort(flags, file !== undefined);
  const hasJournal = consolePort !== undefined;
  const watch = await openWatch({ baseUrl, isJson, compare, record, hasJournal }, context);
  const running = await namingFlags(async () =>
    startProxy({
      origin: baseUrl.origin,
      caFile: (await settings.caFile())?.value,
      timeout: (await settings.timeout()).value,
      env: context.system.env,
      port,
      isReadOnly: flags.readOnly === true || (await settings.readOnly()).value,
      signer,
      faults: flags.fault,
      observers: watch.observers,
      kept: watch.kept,
    }),
  ).catch((error: unknown) => {
    watch.discard();
    throw error;
  });
  let management: ProxyConsole | undefined;
  try {
    if (consolePort !== undefined) {
      const { openProxyConsole } = await import('./proxy-console.js');
      management = await openProxyConsole(consolePort, running, baseUrl, watch, context);
    }
    if (file !== undefined) {
      const env = childEnvironment(context.system, `${running.url}${baseUrl.prefix}`, signer);
      const code = await runChild([file, ...args], env, context);
      context.exitWith(code);
      if (running.requests() === 0) await context.note(explainSilence(file, code, context.flags()));
      return;
    }
    await announce({ ...running, console: management?.link }, { ...baseUrl, isJson }, signer, context);
    await waitForSignal(context);
  } finally {
    await running.close();
    await watch.close();
    await management?.close();
  }
}

async function openSigner(settings: ReturnType<ProxyContext['settings']>): Promise<Signer> {
  const credential = await settings.credential();
  assertNoSecret(credential);
  return makeSigner(credential, (await settings.auth()).value);
}

function explainSilence(file: string, code: number, { profile }: Flags): string {
  const nothing = 'the command sent nothing through the proxy';
  if (code === 0)
    return `${nothing}: its client must use ORGCTL_BASE_URL; orgctl itself does that only without -p and --base-url`;
  const ended = `${nothing} and ended with exit code ${code}`;
  if (parse(file).name !== 'orgctl' || code !== exitCodes.config) return ended;
  const other =
    profile === undefined ? '' : `; it uses profile ${profile} with ORGCTL_PROFILE=${profile}, not with -p`;
  return `${ended}: through the proxy, orgctl uses the secret of a profile only with --allow-host${other}`;
}

function parsePort(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`${flag} ${text}: not a port`, {
    hint: 'a number from 0 to 65535; 0 picks a free one',
  });
}

function chooseConsolePort(
  { consolePort, console: isWanted }: ProxyFlags,
  hasCommand: boolean,
): number | undefined {
  const port = parsePort('--console-port', consolePort);
  if (port === undefined) return isWanted && !hasCommand ? defaultConsolePort : undefined;
  if (isWanted) return port;
  throw new UsageError('--console-port and --no-console cannot be combined');
}

/** The caller's environment with the proxy's address. Keeps key ID and secret, so that the command can sign. */
function childEnvironment(
  { env, platform }: Context['system'],
  url: string,
  signer: Signer | undefined,
): Record<string, string | undefined> {
  return {
    ...withoutVariables(env, ['ORGCTL_CONTROL_TOKEN', ...serverSecrets], platform),
    ORGCTL_BASE_URL: url,
    ...(signer && { ORGCTL_PROXY_TOKEN: signer.token }),
  };
}

async function announce(
  { url, console: link }: Pick<RunningProxy, 'url'> & { readonly console: string | undefined },
  { origin, prefix, isJson }: BaseUrl & { readonly isJson: boolean },
  signer: Signer | undefined,
  { streams, note }: Pick<ProxyContext, 'streams' | 'note'>,
): Promise<void> {
  const upstream = `${origin}${prefix}`;
  if (isJson) {
    const ready = { event: 'ready', url, upstream, token: signer?.token, console: link };
    return streams.stdout.write(`${JSON.stringify(ready)}\n`);
  }
  const lines = [`${url} → ${upstream}`];
  if (link !== undefined) lines.push(`console: ${link}`);
  if (signer !== undefined) {
    lines.push(
      'Requests without a credential are signed if they have this header:',
      `${tokenHeader}: ${signer.token}`,
    );
  }
  await streams.stderr.write(`${lines.join('\n')}\n`);
  await note('Ctrl-C stops it.');
}

/** Waits for a signal, the normal end of the proxy. The exit code names the signal. */
async function waitForSignal({ signal, exitWith }: ProxyContext): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  if (signal.reason instanceof InterruptedError) exitWith(exitCodes[signal.reason.code]);
}
