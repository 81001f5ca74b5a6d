import type { Command } from '@commander-js/extra-typings';
import { defaultPatience } from '../../api/option-values.js';
import type { Context } from '../../cli/context.js';
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
import { type FoundServer, findServer, type LocalFlags } from './find-server.js';
import { requireLeaver } from './require-leaver.js';
import { noServer } from './server-files.js';

export type ControlContext = Pick<Context, 'system' | 'home' | 'flags' | 'signal'>;

export function withData<Args extends unknown[], Options extends Record<string, unknown>>(
  command: Command<Args, Options>,
) {
  return command.option(
    '--data <dir>',
    "the server's data directory; default: the standard one, which orgctl serve prints",
  );
}

export function withProxy<Args extends unknown[], Options extends Record<string, unknown>>(
  command: Command<Args, Options>,
) {
  return withData(command).option(
    '--proxy [port]',
    'show a running orgctl proxy instead; give its port if there are several',
  );
}

/** Calls `act`. @throws ConfigError if another server now has the address; UsageError for a 400 response */
export async function withControl<Result>(
  flags: LocalFlags,
  context: ControlContext,
  act: (control: ControlClient, server: FoundServer) => Promise<Result>,
): Promise<Result> {
  const server = findServer(flags, context);
  const control = await connectControl(server, context);
  try {
    await requireLeaver(control, server);
    return await act(control, server);
  } catch (error) {
    throw explainAbsence(toUsageError(error), server);
  } finally {
    await control.close();
  }
}

export async function connectControl(server: FoundServer, context: ControlContext): Promise<ControlClient> {
  const { createControlClient } = await import('../../client/control-client.js');
  const { openSender } = await import('../../client/network/direct-sender.js');
  const { env } = context.system;
  const flags = context.flags();
  const timeout = givenSetting<number>(settings.timeout, flags, env)?.value ?? defaultPatience.timeout;
  const deadline = givenSetting<number>(settings.deadline, flags, env)?.value;
  const { address, token, caFile } = server;
  const sender = openSender({ origin: address.origin, caFile, env });
  return createControlClient({ address, token, sender, timeout, deadline, signal: context.signal });
}

/** A 400 concerns what was typed, and nothing was changed, so it is a usage error. */
function toUsageError(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.details.status !== 400) return error;
  return new UsageError(error.message, { hint: error.details.hint, cause: error });
}

const variableHint = 'is the server still running? The address is from ORGCTL_CONTROL_URL';

/** Translates errors that show that the server has stopped, or that another one has its address. */
export function explainAbsence(error: unknown, { left, address }: FoundServer): unknown {
  if (left === undefined) return isRefused(error) ? withHint(error, variableHint) : error;
  const { data } = left;
  if (left.file.upstream !== undefined && isRefused(error)) {
    return new ConfigError(`the proxy at ${left.file.url} is no longer running`, { cause: error });
  }
  if (isRefused(error)) return noServer(data, `nothing answers at ${address.origin}`, error);
  const isOther = error instanceof ServiceError && error.details.status === 401;
  return isOther ? noServer(data, `another server answers at ${address.origin}`, error) : error;
}

function isRefused(error: unknown): boolean {
  if (!(error instanceof NetworkError)) return false;
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    if (readSystemCode(cause) === 'ECONNREFUSED') return true;
  }
  return false;
}

export function nameServer({ address, left }: FoundServer): string {
  const place = left?.file.database ?? left?.data;
  return `the server at ${address.origin}${place === undefined ? '' : ` (data in ${place})`}`;
}

export const yesOption = ['-y, --yes', 'do not prompt'] as const;

/** Asks unless `--yes` is given. @throws UsageError without a terminal; DeclinedError */
export async function requireConfirmation(
  question: string,
  yes: boolean | undefined,
  context: Pick<Context, 'prompt'>,
): Promise<void> {
  if (yes) return;
  const prompt = await context.prompt();
  await prompt.confirm(question, { hint: 'pass --yes', declined: 'nothing was done' });
}
