import type { Context } from '../../cli/context.js';
import { ConfigError } from '../../errors/errors.js';
import type { View } from '../../terminal/output/printer.js';
import { canAsk } from '../../terminal/output/streams.js';

/** @throws UsageError if the output could not print the response; ConfigError for a read-only profile or no service */
export async function requireChangeable<Row>(view: View<Row>, context: Context): Promise<void> {
  (await context.printer()).check(view);
  await refuseReadOnly(context);
  await context.api();
}

/** Refuses all changes at once; the transport would refuse each one separately. @throws ConfigError */
export async function refuseReadOnly({ settings }: Context): Promise<void> {
  const { value, source } = await settings().readOnly();
  if (!value) return;
  const what = source.kind === 'env' ? `${source.name} is set` : 'this profile is read-only';
  const hint =
    source.kind === 'env' ? `to allow changes: unset ${source.name}` : 'use another profile: --profile NAME';
  throw new ConfigError(`${what}; nothing was changed`, { hint });
}

/** Such as `https://api.example.com (profile prod)`. */
export async function describeService({ settings }: Context): Promise<string> {
  const baseUrl = await settings().baseUrl();
  const profile = baseUrl?.source.kind === 'profile' ? ` (profile ${baseUrl.source.name})` : '';
  return `${baseUrl?.value.href}${profile}`;
}

/** Asks before a change on a terminal; does nothing elsewhere. @throws DeclinedError with the text `declined` */
export async function confirmOnTerminal(
  change: string,
  outcome: string,
  declined: string,
  context: Context,
): Promise<void> {
  if (!canAsk(context)) return;
  const question = `${change} on ${await describeService(context)}? ${outcome}`;
  await (await context.prompt()).confirm(question, { hint: 'pass --yes', declined });
}
