import { setTimeout as sleep } from 'node:timers/promises';
import { defaultPatience } from '../../api/option-values.js';
import {
  type ArgumentsOf,
  type ArgumentValue,
  type CommandValue,
  type OptionsOf,
  type OptionValue,
  option,
  verb,
} from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { Facts } from '../../cli/help-text.js';
import type { LazyCommand } from '../../cli/lazy-command.js';
import type { ControlClient } from '../../client/control-client.js';
import {
  ConfigError,
  NetworkError,
  readSystemCode,
  ServiceError,
  UsageError,
  withHint,
} from '../../errors/errors.js';
import { givenSetting, settings } from '../../profiles/settings/settings.js';
import type { Printer, View } from '../../terminal/output/printer.js';
import { dataOption } from '../serve/options.js';
import { type FoundServer, findServer, noServer, requireOwner, type ServerFlags } from './find-server.js';

export const proxyOption = option(
  '--proxy [port]',
  'show a running orgctl proxy instead; of several by its port',
);

export interface ServerCall {
  readonly control: ControlClient;
  readonly context: Context;
  readonly address: URL;
  /** Such as `the server at http://127.0.0.1:8443 (data in /var/lib/orgctl)`. */
  readonly name: string;
  /** Asks unless `--yes` is given. @throws UsageError without a terminal; DeclinedError */
  confirm(question: string): Promise<void>;
}

/** How a verb prints its answer; checked before anything is sent. */
interface Shown<Answer> {
  check(printer: Printer): void;
  print(printer: Printer, answer: Answer): Promise<void>;
}

interface ServerVerb<
  Arguments extends readonly ArgumentValue[],
  Options extends readonly OptionValue[],
  Answer,
> extends Omit<CommandValue<Arguments, Options>, keyof Facts | 'description' | 'run'> {
  readonly summary: string;
  readonly description?: string;
  /** Changes nothing on the server. */
  readonly reads?: true;
  /** Takes `--yes`, because `run` asks. */
  readonly asks?: true;
  /** Default: `run` prints its answer itself. */
  readonly shows?: Shown<Answer>;
  run(call: ServerCall, args: ArgumentsOf<Arguments>, options: OptionsOf<Options>): Promise<Answer>;
}

export function serverVerb<
  Answer,
  const Arguments extends readonly ArgumentValue[] = readonly [],
  const Options extends readonly OptionValue[] = readonly [],
>(name: string, value: ServerVerb<Arguments, Options, Answer>): LazyCommand {
  const { options = [], reads, asks, shows, run, ...said } = value;
  return verb<Arguments, readonly OptionValue[]>(name, {
    ...said,
    options: [dataOption, ...options, ...(asks ? [yesOption] : [])],
    calls: 'control',
    ...(reads ? {} : { writes: ['server'] }),
    ...(asks && { asks: 'first, unless --yes' }),
    run: async (context, args, given: OptionsOf<Options> & ServerFlags & { readonly yes?: true }) => {
      const printer = shows && (await context.printer());
      if (printer !== undefined) shows?.check(printer);
      const answer = await withServer(given, context, (control, server) => {
        const confirm = async (question: string) => {
          if (given.yes) return;
          const prompt = await context.prompt();
          await prompt.confirm(question, { hint: 'pass --yes', declined: 'nothing was done' });
        };
        const call = { control, context, address: server.address, name: describeServer(server), confirm };
        return run(call, args, given);
      });
      if (printer !== undefined) await shows?.print(printer, answer);
    },
  });
}

function show<Row, Answer>(view: View<Row>, print: Shown<Answer>['print']): Shown<Answer> {
  return { check: (printer) => printer.check(view), print };
}

export const showOne = <Row>(view: View<Row>) => show(view, (printer, row: Row) => printer.one(row, view));

export const showList = <Row>(view: View<Row>) =>
  show(view, (printer, rows: readonly Row[]) => printer.list(rows, view));

export const showValue = <Row, Value>(view: View<Row>, toRows: (value: Value) => readonly Row[]) =>
  show(view, (printer, value: Value) => printer.value(value, toRows(value), view));

const yesOption = option('-y, --yes', 'do not prompt');

/** Calls `act` with the server. @throws ConfigError if another server has the address now; UsageError for a 400 response */
export async function withServer<Result>(
  flags: ServerFlags,
  context: Context,
  act: (control: ControlClient, server: FoundServer) => Promise<Result>,
): Promise<Result> {
  const server = findServer(flags, context);
  const control = await connect(server, context);
  try {
    await requireOwner(control, server);
    return await act(control, server);
  } catch (error) {
    throw explain(error, server);
  } finally {
    await control.close();
  }
}

async function connect({ address, token, caFile }: FoundServer, context: Context): Promise<ControlClient> {
  const { ControlClient } = await import('../../client/control-client.js');
  const { openSender } = await import('../../client/network/direct-sender.js');
  const { env } = context.system;
  const flags = context.flags();
  const timeout = givenSetting<number>(settings.timeout, flags, env)?.value ?? defaultPatience.timeout;
  const deadline = givenSetting<number>(settings.deadline, flags, env)?.value;
  const sender = openSender({ origin: address.origin, caFile, env });
  return new ControlClient({ address, token, sender, timeout, deadline, signal: context.signal });
}

function explain(error: unknown, { address, left }: FoundServer): unknown {
  // A 400 concerns what was typed, and nothing was changed.
  if (error instanceof ServiceError && error.details.status === 400)
    return new UsageError(error.message, { hint: error.details.hint, cause: error });
  if (!(error instanceof NetworkError) || !hasCode(error, 'ECONNREFUSED')) return error;
  return left === undefined
    ? withHint(error, 'is the server still running? The address is from ORGCTL_CONTROL_URL')
    : noServer(left.data, `nothing answers at ${address.origin}`, error);
}

function hasCode(error: Error, code: string): boolean {
  const { cause } = error;
  return readSystemCode(error) === code || (cause instanceof Error && hasCode(cause, code));
}

function describeServer({ address, left }: FoundServer): string {
  const place = left?.file.database ?? left?.data;
  return `the server at ${address.origin}${place === undefined ? '' : ` (data in ${place})`}`;
}

const lookEvery = 50;

/** Repeats an attempt after a ConfigError or NetworkError, until `--deadline`. @throws the last failure */
export async function untilDone<Result>(context: Context, attempt: () => Promise<Result>): Promise<Result> {
  const { value: deadline } = await context.settings().find(settings.deadline);
  const end = performance.now() + deadline;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const mayPass = error instanceof ConfigError || error instanceof NetworkError;
      if (!mayPass || performance.now() >= end) throw error;
    }
    await sleep(lookEvery);
    context.signal.throwIfAborted();
  }
}
