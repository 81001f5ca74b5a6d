import type { Context } from '../../cli/context.js';
import { canAsk } from '../../terminal/output/streams.js';

/** Such as `https://api.example.com (profile prod)`. */
export async function describeService(settings: ReturnType<Context['settings']>): Promise<string> {
  const baseUrl = await settings.baseUrl();
  const profile = baseUrl?.source.kind === 'profile' ? ` (profile ${baseUrl.source.name})` : '';
  return `${baseUrl?.value.href}${profile}`;
}

/** Asks before a change on a terminal; does nothing elsewhere. @throws DeclinedError with the text `declined` */
export async function confirmOnTerminal(
  { change, outcome }: { readonly change: string; readonly outcome: string },
  declined: string,
  context: Context,
): Promise<void> {
  if (!canAsk(context)) return;
  const question = `${change} on ${await describeService(context.settings())}? ${outcome}`;
  await (await context.prompt()).confirm(question, { hint: 'pass --yes', declined });
}
