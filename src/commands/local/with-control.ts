import type { Command } from '@commander-js/extra-typings';
import type { ControlClient } from '../../client/control-client.js';
import type { Context } from '../../context.js';
import { defaultPatience } from '../../contract/option-values.js';
import { NetworkError, ServiceError, systemCodeOf } from '../../errors.js';
import { givenSetting, settings } from '../../profiles/settings.js';
import { type FoundServer, findServer, type LocalFlags, noServer } from './find-server.js';

export type ControlContext = Pick<Context, 'system' | 'home' | 'flags' | 'signal'>;

/** Adds the option by which every command finds the server. */
export function withData<Args extends unknown[], Options extends Record<string, unknown>>(
  command: Command<Args, Options>,
) {
  return command.option('--data <dir>', "the server's data directory; default the platform's");
}

/**
 * Steers the server that the flags and the environment lead to.
 *
 * @throws ConfigError when none runs there
 */
export async function withControl<Result>(
  flags: LocalFlags,
  context: ControlContext,
  act: (control: ControlClient) => Promise<Result>,
): Promise<Result> {
  const server = findServer(flags, context);
  const control = await openControl(server, context);
  try {
    return await act(control);
  } catch (error) {
    throw leftOver(error, server);
  } finally {
    await control.close();
  }
}

/** The control API of a server that was found. */
export async function openControl(server: FoundServer, context: ControlContext): Promise<ControlClient> {
  const { createControlClient } = await import('../../client/control-client.js');
  const { openDispatcher } = await import('../../client/dispatcher.js');
  const { env } = context.system;
  const timeout =
    givenSetting<number>(settings.timeout, context.flags(), env)?.value ?? defaultPatience.timeout;
  const { address, token, caFile } = server;
  const dispatcher = openDispatcher({ origin: address.origin, caFile, connectTimeout: timeout, env });
  return createControlClient({ address, token, dispatcher, timeout, signal: context.signal });
}

/** What an error means where a file led to a server: that the server is gone, or another one answers in its place. */
export function leftOver(error: unknown, { data, address }: FoundServer): unknown {
  if (data === undefined) return error;
  if (isRefused(error)) return noServer(data, `nothing answers at ${address.origin}`, error);
  const isOther = error instanceof ServiceError && error.details.status === 401;
  return isOther ? noServer(data, `what answers at ${address.origin} is another one`, error) : error;
}

/** Whether nobody listens there. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof NetworkError)) return false;
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    if (systemCodeOf(cause) === 'ECONNREFUSED') return true;
  }
  return false;
}
