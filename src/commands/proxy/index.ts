import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { argument, command, type OptionsOf, option, repeatable } from '../../cli/command.js';
import { keepDashes, wordsAfterDashes } from '../../cli/command-words.js';
import type { Context } from '../../cli/context.js';
import { waitForEnd } from '../../cli/exit.js';
import { readMessage } from '../../errors/errors.js';
import { type ResolvedSettings, settingsOfProfile } from '../../profiles/resolve.js';
import {
  describeSource,
  serverSecrets,
  settings as table,
  withoutVariables,
} from '../../profiles/settings/settings.js';
import type { Observer } from '../../proxy/exchange.js';
import { logExchanges } from '../../proxy/exchange-log.js';
import type { KnownKey } from '../../proxy/explain-exchange.js';
import { tokenHeader } from '../../proxy/headers.js';
import { type RunningProxy, startProxy } from '../../proxy/proxy-server.js';
import type { Signer } from '../../proxy/relay.js';
import type { Notify } from '../../server/journal/log.js';
import { ExplainingBudget } from '../../signing/refusals/refusal.js';
import { speaksJson } from '../../terminal/text/sanitize.js';
import type { BaseUrl } from '../../text/base-url.js';
import { runChild } from '../serve/child.js';
import { openLog } from '../serve/log.js';
import { portOption } from '../serve/options.js';

const defaultPort = 8445;
const defaultConsolePort = 8446;

const options = [
  portOption('--port <port>', 'port to listen on; default 8445, or a free one with a command'),
  option('--read-only', 'forward only GET, HEAD and OPTIONS'),
  option('--sign', `sign requests that have, instead of a credential, the proxy's ${tokenHeader}`),
  option('--record <file>', 'record exchanges in a new file, secrets masked; for serve --replay'),
  repeatable('--fault <rule>', 'make requests fail, with the rules of serve --fault'),
  portOption('--console-port <port>', 'port of the read-only console; default 8446, or a free one'),
  option('--no-console', 'no console, and no requests for local logs --proxy; the default with a command', {
    conflicts: ['consolePort'],
  }),
];

export const proxy = command({
  description:
    'Forward requests from any client on this machine to the service. Clients connect over plain HTTP on 127.0.0.1, and sign their own requests unless --sign is given. With -- COMMAND it runs the command with ORGCTL_BASE_URL and, for --sign, ORGCTL_PROXY_TOKEN set, and exits with the code of the command.',
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
  // Without --sign, needs no secret. A missing base URL causes the same error as in other commands.
  const { value: baseUrl } = (await settings.baseUrl()) ?? { value: (await settings.service()).baseUrl };
  const auth = flags.sign && (await settings.auth()).value;
  const token = randomBytes(24).toString('base64url');
  const signer = auth && { ...(await settings.credential()), auth, token };
  const isJson = speaksJson((await settings.output()).value);
  const isCommand = file !== undefined;
  const hasJournal = flags.console !== false && (!isCommand || flags.consolePort !== undefined);
  const watch = await openWatch(baseUrl, isJson, flags.record, hasJournal, context);
  let running: RunningProxy | undefined;
  let management: { readonly link: string; close(): Promise<void> } | undefined;
  try {
    running = await startProxy({
      origin: baseUrl.origin,
      caFile: (await settings.find(table.caFile))?.value,
      timeout: (await settings.find(table.timeout)).value,
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
      management = await openProxyConsole(port, running, baseUrl.href, watch, context);
    }
    if (!isCommand) {
      const ready = {
        url: running.url,
        upstream: baseUrl.href,
        token: signer?.token,
        console: management?.link,
      };
      const line = `${JSON.stringify({ event: 'ready', ...ready })}\n`;
      if (isJson) await context.streams.stdout.write(line);
      else await announce(ready, context);
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

/** The caller's environment with the proxy's address. Keeps key ID and secret, so that the command can sign. */
function childEnvironment({ env }: Context['system'], url: string, signer: Signer | undefined) {
  return {
    ...withoutVariables(env, ['ORGCTL_CONTROL_TOKEN', ...serverSecrets]),
    ORGCTL_BASE_URL: url,
    ...(signer && { ORGCTL_PROXY_TOKEN: signer.token }),
  };
}

type Ready = Readonly<Record<'url' | 'upstream', string> & Record<'token' | 'console', string | undefined>>;

async function announce({ url, upstream, token, console: link }: Ready, { streams, note }: Context) {
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

/** Bytes of a response to keep: enough for the error in it. A recording keeps more. */
const keptToExplain = 16_384;

/** Opens a proxy's log on stderr, its journal and its recording. @throws UsageError for a bad recording */
async function openWatch(
  { origin, href }: BaseUrl,
  isJson: boolean,
  record: string | undefined,
  hasJournal: boolean,
  context: Context,
) {
  const lines = await openLog(isJson, context);
  const notify: Notify = (event, message) =>
    lines.log({ event, time: new Date(context.clock()).toISOString(), message });
  const kept = hasJournal ? await import('./console.js') : undefined;
  const journal = hasJournal ? new (await import('../../server/journal/journal.js')).Journal() : undefined;
  const explaining = { origin, budget: new ExplainingBudget(), findKey: openKnownKeys(context) };
  const log = logExchanges(explaining, (entry, exchange, refusal) => {
    lines.log(entry);
    if (journal !== undefined) kept?.noteExchange(journal, entry, exchange, refusal);
  });
  const recorder = record === undefined ? undefined : await import('../../proxy/recording.js');
  const path = resolve(context.system.cwd(), record ?? '');
  const complain = (message: string) => notify('error', message);
  const recording = recorder?.openRecording(path, href, complain);
  const observers: Observer[] = [];
  if (hasJournal || !context.flags().quiet) observers.push((exchange) => log.observe(exchange));
  if (recording) observers.push((exchange) => recording.observe(exchange));
  return {
    observers,
    keptResponse: recording ? undefined : keptToExplain,
    journal,
    notify,
    async close() {
      await log.settle();
      recording?.close();
      lines.close();
    },
  };
}

/** Looks for a key ID in the effective settings, then in all profiles. Reads each secret on first use. */
function openKnownKeys(context: Context): (keyId: string) => Promise<KnownKey | undefined> {
  const found = new Map<string, KnownKey>();
  const findKey = async (keyId: string): Promise<KnownKey | undefined> => {
    const settings = context.settings();
    const own = await settings.keyId();
    if (own?.value === keyId) return readKey(describeSource(own.source), settings);
    const { profiles } = await context.profiles().read();
    const [name, profile] = Object.entries(profiles).find(([, stored]) => stored.keyId === keyId) ?? [];
    if (name === undefined || profile === undefined) return undefined;
    return readKey(`profile "${name}"`, settingsOfProfile(name, profile, context));
  };
  return async (keyId) => {
    try {
      const key = found.get(keyId) ?? (await findKey(keyId));
      // Caches only keys that it finds: clients can send any number of other IDs.
      if (key !== undefined) found.set(keyId, key);
      return key;
    } catch (error) {
      return { owner: 'the settings', problem: readMessage(error) };
    }
  };
}

function readKey(owner: string, settings: ResolvedSettings): Promise<KnownKey> {
  return settings.credential().then(
    ({ secret }) => ({ owner, secret }),
    (error: unknown) => ({ owner, problem: readMessage(error) }),
  );
}
