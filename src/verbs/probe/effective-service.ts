import type { Dialect } from '../../api/dialect/dialect.js';
import { readQuotas } from '../../api/operations.js';
import type { AuthMode } from '../../api/option-values.js';
import { resources } from '../../api/resources/index.js';
import type { Context } from '../../cli/context.js';
import { type TimedCall, watchCalls } from '../../client/probing/watch-calls.js';
import { readMessage, ServiceError } from '../../errors/errors.js';
import { type ProbedService, probeService } from './probe-service.js';
import { Questioner } from './probed-calls.js';
import type { TakenSchemes } from './report.js';

type ProbeContext = Pick<Context, 'settings' | 'apiFor' | 'clock' | 'progress' | 'printer'>;

export interface EffectiveProbe {
  readonly probed: ProbedService;
  readonly calls: readonly TimedCall[];
  readonly auth: TakenSchemes;
}

/** Probes the service of the effective settings. @throws as `probeService`; ConfigError */
export async function probeEffectiveService(
  expected: Dialect | undefined,
  tryBasic: boolean,
  context: ProbeContext,
): Promise<EffectiveProbe> {
  const calls: TimedCall[] = [];
  const watch = watchCalls((call) => calls.push(call), context.clock);
  const { transport } = await context.apiFor(context.settings(), { watch });
  const progress = await context.progress({ label: 'probing', total: resources.length + 1 });
  try {
    const probed = await probeService(new Questioner(transport, calls), expected, () => progress.tick());
    const auth = await trySchemes(tryBasic, context);
    const printer = await context.printer();
    for (const { target, error } of probed.lost)
      await printer.warn(`the trial GET ${target} got no response (${readMessage(error)})`);
    return { probed, calls, auth };
  } finally {
    progress.done();
  }
}

/** Tries the scheme that is not in use: HMAC always, because it sends no secret; Basic only if requested. */
async function trySchemes(tryBasic: boolean, context: ProbeContext): Promise<TakenSchemes> {
  const { auth, baseUrl } = await context.settings().service();
  if (auth === 'basic') return { hmac: await isTaken('hmac', context), basic: true };
  if (!tryBasic) return { hmac: true, basic: null };
  await (await context.printer()).warn(`--try-basic sends the secret to ${baseUrl.origin}`);
  return { hmac: true, basic: await isTaken('basic', context) };
}

async function isTaken(auth: AuthMode, context: ProbeContext): Promise<boolean> {
  const settings = context.settings();
  const service = async () => ({ ...(await settings.service()), auth });
  const { transport } = await context.apiFor({ service });
  try {
    await transport.send({ method: readQuotas.method, target: readQuotas.path });
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.code !== 'unauthenticated' && error.details.status !== 400;
  }
}
