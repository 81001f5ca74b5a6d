import { openSender } from '../client/network/direct-sender.js';
import type { Forms } from '../client/reading/forms.js';
import { createTransport, type Transport } from '../client/transport/transport.js';
import { ConfigError } from '../errors/errors.js';
import type { ServiceSettings } from '../profiles/resolve.js';
import { describeSource, type Sourced } from '../profiles/settings/settings.js';
import { traceLine } from '../terminal/text/sanitize.js';
import type { Context } from './context.js';

/** @throws ConfigError for an invalid dialect or CA file */
export async function openTransport(
  { baseUrl: { origin, prefix }, caFile, dialect, ...service }: ServiceSettings,
  { system: { env }, streams, clock, signal, note, flags }: Context,
): Promise<Transport> {
  return createTransport({
    ...{ ...service, origin, prefix, clock, signal, note },
    forms: await readForms(dialect),
    sender: openSender({ origin, caFile, env }),
    trace: flags().verbose ? (line) => void streams.stderr.write(traceLine(line)) : undefined,
  });
}

/** @throws ConfigError for an invalid dialect */
export async function readForms(dialect: Sourced<unknown> | undefined): Promise<Forms | undefined> {
  if (dialect === undefined) return undefined;
  const { pinForms } = await import('../client/reading/pinned-forms.js');
  const pinned = pinForms(dialect.value);
  if ('forms' in pinned) return pinned.forms;
  const { source } = dialect;
  throw new ConfigError(`the dialect of ${describeSource(source)} is invalid: ${pinned.misfit}`, {
    hint: `remove it: orgctl profile set ${source.name} --dialect none`,
  });
}
