import { argument, command, type OptionsOf, option, repeatable } from '../../cli/command.js';
import { keepDashes, wordsAfterDashes } from '../../cli/command-words.js';
import type { Context } from '../../cli/context.js';
import { waitForEnd } from '../../cli/exit.js';
import { serverSecrets, withoutVariables } from '../../profiles/settings/settings.js';
import { tokenHeader } from '../../proxy/headers.js';
import { type RunningProxy, startProxy } from '../../proxy/proxy-server.js';
import { makeSigner, type Signer } from '../../proxy/signer.js';
import { runChild } from '../serve/child.js';
import { portOption } from '../serve/options.js';
import { openWatch } from './watch.js';

const defaultPort = 8445;
const defaultConsolePort = 8446;

const options = [
  portOption('--port <port>', 'port to listen on; default 8445, or a free one with a command'),
  option('--read-only', 'forward only GET, HEAD and OPTIONS'),
  option('--sign', `sign requests without a credential, if they have the token in ${tokenHeader}`),
  option('--record <file>', 'record exchanges in a new file, secrets masked; for serve --replay'),
  repeatable('--fault <rule>', 'make requests fail, with the rules of serve --fault'),
  portOption('--console-port <port>', 'port of the read-only console; default 8446, or a free one'),
  option('--no-console', 'no console, and no orgctl local logs --proxy; the default with a command', {
    conflicts: ['consolePort'],
  }),
];

export const proxy = command({
  description:
    "Forward requests from any client on this machine to the service. Clients connect over plain HTTP on 127.0.0.1; the proxy connects to an https service over verified TLS. Clients sign their own requests, unless --sign is given. With -- COMMAND it runs the command with ORGCTL_BASE_URL set, and exits with the command's exit code.",
  args: [argument('[command...]', 'after --: a command to run against the proxy')],
  options,
  examples: [
    ['orgctl proxy -p prod', 'accept signed requests at http://127.0.0.1:8445'],
    ['orgctl proxy -p prod --read-only -- npm test', 'your own tests, without changing anything'],
  ],
  calls: 'service',
  writes: ['files'],
  parser(parser) {
    keepDashes(parser.usage('[options] [-- command...]'));
  },
  run: (context, [words], flags) => runProxy(wordsAfterDashes(words), flags, context),
});

async function runProxy(
  [file, ...args]: readonly string[],
  flags: OptionsOf<typeof options>,
  context: Context,
): Promise<void> {
  const settings = context.settings();
  // Without --sign, reads no secret. A missing base URL causes the same error as in other commands.
  const { value: baseUrl } = (await settings.baseUrl()) ?? { value: (await settings.service()).baseUrl };
  const signer = flags.sign ? await openSigner(context) : undefined;
  const { value: format } = await settings.output();
  const isJson = format === 'json' || format === 'jsonl';
  const isCommand = file !== undefined;
  const hasJournal = flags.console !== false && (!isCommand || flags.consolePort !== undefined);
  const watch = await openWatch({ baseUrl, isJson, record: flags.record, hasJournal }, context);
  let running: RunningProxy | undefined;
  let management: { readonly link: string; close(): Promise<void> } | undefined;
  try {
    running = await startProxy({
      origin: baseUrl.origin,
      caFile: (await settings.caFile())?.value,
      timeout: (await settings.timeout()).value,
      env: context.system.env,
      port: flags.port ?? (isCommand ? 0 : defaultPort),
      isReadOnly: flags.readOnly === true || (await settings.readOnly()).value,
      signer,
      faults: flags.fault,
      observers: watch.observers,
      keptResponse: watch.keptResponse,
    });
    if (hasJournal) {
      const { openProxyConsole } = await import('./console.js');
      const port = flags.consolePort ?? defaultConsolePort;
      management = await openProxyConsole(port, running, baseUrl, watch, context);
    }
    if (!isCommand) {
      const upstream = `${baseUrl.origin}${baseUrl.prefix}`;
      const ready = { url: running.url, upstream, token: signer?.token, console: management?.link };
      await announce(ready, isJson, context);
      return await waitForEnd(context);
    }
    const env = childEnvironment(context.system, `${running.url}${baseUrl.prefix}`, signer);
    context.exitWith(await runChild([file, ...args], env, context));
  } finally {
    await running?.close();
    await watch.close();
    await management?.close();
  }
}

async function openSigner(context: Context): Promise<Signer> {
  const credential = await context.settings().credential();
  return makeSigner(credential, (await context.settings().auth()).value);
}

/** The caller's environment with the proxy's address. Keeps key ID and secret, so that the command can sign. */
function childEnvironment({ env }: Context['system'], url: string, signer: Signer | undefined) {
  return {
    ...withoutVariables(env, ['ORGCTL_CONTROL_TOKEN', ...serverSecrets]),
    ORGCTL_BASE_URL: url,
    ...(signer && { ORGCTL_PROXY_TOKEN: signer.token }),
  };
}

type Ready = Readonly<Record<'url' | 'upstream', string> & Record<'token' | 'console', string | undefined>>;

async function announce(ready: Ready, isJson: boolean, { streams, note }: Context): Promise<void> {
  if (isJson) return streams.stdout.write(`${JSON.stringify({ event: 'ready', ...ready })}\n`);
  const { url, upstream, token, console: link } = ready;
  const lines = [
    `${url} → ${upstream}`,
    ...(link === undefined ? [] : [`console: ${link}`]),
    ...(token === undefined
      ? []
      : ['Requests without a credential are signed if they have this header:', `${tokenHeader}: ${token}`]),
  ];
  await streams.stderr.write(`${lines.join('\n')}\n`);
  await note('Ctrl-C stops it.');
}
