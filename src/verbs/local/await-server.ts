import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../cli/context.js';
import { ConfigError, NetworkError, ServiceError } from '../../errors/errors.js';
import { isSameProcess, ownProcessId } from '../../terminal/process/process-system.js';
import type { FoundServer, LocalFlags } from './find-server.js';
import { type ControlContext, connectControl, withControl } from './with-control.js';

/** Milliseconds between attempts. */
const lookEvery = 50;

type AwaitContext = ControlContext & Pick<Context, 'settings'>;

/** Waits until a server responds, at most until `--deadline`. @returns its address @throws the last failure */
export function awaitServer(flags: LocalFlags, context: AwaitContext): Promise<string> {
  return untilDone(context, async () => {
    const { url } = await withControl(flags, context, (control) => control.status());
    return url;
  });
}

/** Stops the server and waits until its process has ended. @throws NetworkError if it still runs after `--deadline` */
export async function stopServer(flags: LocalFlags, context: AwaitContext): Promise<FoundServer> {
  const server = await withControl(flags, context, async (control, found) => {
    await control.stop();
    return found;
  });
  await untilDone(context, async () => {
    const pid = server.left?.file.pid;
    const isThere =
      pid === undefined || pid === ownProcessId()
        ? await answers(server, context)
        : isSameProcess(pid, undefined) !== false;
    if (isThere)
      throw new NetworkError('the server has not stopped yet', { hint: 'it is finishing open requests' });
  });
  return server;
}

async function answers(server: FoundServer, context: ControlContext): Promise<boolean> {
  const control = await connectControl(server, context);
  try {
    await control.status();
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return error.details.status !== 401;
    if (error instanceof NetworkError) return false;
    throw error;
  } finally {
    await control.close();
  }
}

async function untilDone<Result>(
  { signal, settings }: AwaitContext,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const { value: deadline } = await settings().deadline();
  const end = performance.now() + deadline;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const mayPass = error instanceof ConfigError || error instanceof NetworkError;
      if (!mayPass || performance.now() >= end) throw error;
    }
    await sleep(lookEvery);
    signal.throwIfAborted();
  }
}
