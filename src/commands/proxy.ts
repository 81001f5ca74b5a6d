import { once } from 'node:events';
import type { Command } from '@commander-js/extra-typings';
import { keepDashes, wordsAfterDashes } from '../cli/command-words.js';
import type { Context } from '../cli/context.js';
import { exitCodes } from '../cli/exit.js';
import { withExamples } from '../cli/help-text.js';
import { InterruptedError, UsageError } from '../errors/errors.js';
import { collect } from '../input/body.js';
import { serverSecrets, withoutVariables } from '../profiles/secret-command/own-secrets.js';
import { tokenHeader } from '../proxy/headers.js';
import { type RunningProxy, startProxy } from '../proxy/proxy-server.js';
import { makeSigner, type Signer } from '../proxy/sign-request.js';
import type { BaseUrl } from '../text/base-url.js';
import { openWatch } from '../verbs/proxy/watch.js';
import { runChild } from '../verbs/serve/child.js';
import { namingFlags } from '../verbs/serve/flags.js';
import { withSmallHeap } from '../verbs/serve/small-heap.js';

const defaultPort = 8445;

interface ProxyFlags {
  readonly port?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly sign?: boolean | undefined;
  readonly fault?: string[] | undefined;
  readonly compare?: boolean | undefined;
  readonly record?: string | undefined;
}

type ProxyContext = Pick<
  Context,
  'system' | 'signal' | 'settings' | 'profiles' | 'flags' | 'streams' | 'note' | 'exitWith'
>;

/** `orgctl proxy`: plain HTTP on this machine, in front of the service. */
export function proxy(command: Command, context: Context): void {
  command.usage('[options] [-- command...]');
  keepDashes(command);
  withExamples(
    command
      .description(
        'Pass requests of any client on this machine to the service, unchanged: plain HTTP on 127.0.0.1, verified TLS from there on. Clients sign for themselves. With -- COMMAND it runs the command with ORGCTL_BASE_URL set and exits with its code.',
      )
      .argument('[command...]', 'after --: a command to run against the proxy')
      .option(
        '--port <port>',
        'port to listen on; default 8445, or a free one with a command; 0 picks a free one',
      )
      .option('--read-only', 'pass only GET, HEAD and OPTIONS')
      .option(
        '--sign',
        `sign requests that have no credential, for clients that send the printed token in ${tokenHeader}`,
      )
      .option(
        '--compare',
        'hold answers against the API reference and the dialect of the profile: one line for each difference, once',
      )
      .option(
        '--record <file>',
        'keep exchanges in a new file, one JSON line each, secrets masked; serve --replay answers by it',
      )
      .option(
        '--fault <rule>',
        "make requests fail, by the rules of serve: 'METHOD /path=EFFECT[xTIMES][%PERCENT[@SEED]]'; repeatable",
        collect,
      ),
    [
      ['orgctl proxy -p prod', 'then: curl http://127.0.0.1:8445/quotas, signed by yourself'],
      ['orgctl proxy -p prod --read-only -- npm test', 'your own tests; nothing can be changed'],
      ['orgctl proxy -p prod --sign', 'for clients that cannot sign'],
      ['orgctl proxy -p prod --compare --record calls.jsonl', 'how does it differ from the API reference?'],
      ['orgctl proxy --port 0 -o json', 'the ready line as JSON on stdout'],
    ],
    { calls: 'service', writes: ['files'] },
  ).action(async (args, options) => runProxy(await wordsAfterDashes(args, command), options, context));
}

async function runProxy(
  [file, ...args]: readonly string[],
  flags: ProxyFlags,
  context: ProxyContext,
): Promise<void> {
  const settings = context.settings();
  // Whoever has no base URL is told so as for every other call; without --sign no secret is read.
  const { value: baseUrl } = (await settings.baseUrl()) ?? { value: (await settings.service()).baseUrl };
  const signer = flags.sign
    ? makeSigner(await settings.credential(), (await settings.auth()).value)
    : undefined;
  const { value: format } = await settings.output();
  const isJson = format === 'json' || format === 'jsonl';
  const { compare, record } = flags;
  const watch = await openWatch({ baseUrl, isJson, compare, record }, context);
  const running = await namingFlags(async () =>
    startProxy({
      origin: baseUrl.origin,
      caFile: (await settings.caFile())?.value,
      timeout: (await settings.timeout()).value,
      env: context.system.env,
      port: parsePort(flags.port, file !== undefined),
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
  try {
    if (file !== undefined) {
      const env = childEnvironment(context.system, `${running.url}${baseUrl.prefix}`, signer);
      return context.exitWith(await withSmallHeap(() => runChild([file, ...args], env, context)));
    }
    await announce(running, { ...baseUrl, isJson }, signer, context);
    await withSmallHeap(() => waitForSignal(context));
  } finally {
    await running.close();
    await watch.close();
  }
}

function parsePort(text: string | undefined, hasCommand: boolean): number {
  if (text === undefined) return hasCommand ? 0 : defaultPort;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port ${text}: not a port`, {
    hint: 'a number from 0 to 65535; 0 picks a free one',
  });
}

/** The caller's environment with the proxy's address. A key that is in it stays, for the command signs for itself. */
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
  { url }: RunningProxy,
  { origin, prefix, isJson }: BaseUrl & { readonly isJson: boolean },
  signer: Signer | undefined,
  { streams, note }: Pick<ProxyContext, 'streams' | 'note'>,
): Promise<void> {
  const upstream = `${origin}${prefix}`;
  if (isJson) {
    const ready = { event: 'ready', url, upstream, token: signer?.token };
    return streams.stdout.write(`${JSON.stringify(ready)}\n`);
  }
  const lines = [`${url} → ${upstream}`];
  if (signer !== undefined) {
    lines.push(
      'Requests without a credential are signed with the secret of the profile if they have this header:',
      `${tokenHeader}: ${signer.token}`,
    );
  }
  await streams.stderr.write(`${lines.join('\n')}\n`);
  await note('Ctrl-C stops it.');
}

/** Waits for the signal that ends the proxy: its normal end; the exit code names the signal. */
async function waitForSignal({ signal, exitWith }: ProxyContext): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  if (signal.reason instanceof InterruptedError) exitWith(exitCodes[signal.reason.code]);
}
