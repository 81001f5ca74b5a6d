import type { Context } from '../cli/context.js';
import { ConfigError } from '../errors/errors.js';

/** For use before the first change of a command; the transport would refuse each change separately. @throws ConfigError */
export async function refuseReadOnly({ settings }: Pick<Context, 'settings'>): Promise<void> {
  const { value, source } = await settings().readOnly();
  if (!value) return;
  if (source.kind === 'env')
    throw new ConfigError(`${source.name} is set; nothing was changed`, {
      hint: `to allow changes: unset ${source.name}`,
    });
  throw new ConfigError('this profile is read-only; nothing was changed', {
    hint: 'use another profile for changes: --profile NAME',
  });
}
