import { isResource } from '../../api/resources/resource.js';
import { type AddOptions, formatCommand, toOperands } from '../../errors/advice.js';
import type { PlanStep } from '../plan/plan.js';

/** For a service that replaces all settings: apply sends only changed ones, so the next run would drop the others. */
export function adviseWholeSettings(
  { entry, existing }: PlanStep & { readonly action: 'change' },
  addOptions: AddOptions,
): string {
  const [shown, wanted] = [existing['config'], entry.entry['config']];
  const config = { ...(isResource(shown) && shown), ...(isResource(wanted) && wanted) };
  const flags = Object.entries(config).flatMap((one) => (one[0] === 'password' ? [] : [toFlag(one)]));
  const isWhole = flags.every((flag) => flag !== undefined);
  const command = isWhole
    ? ['orgctl', 'connections', 'update', ...flags.flat(), '--password-stdin', ...toOperands(existing.id)]
    : ['orgctl', 'request', 'PATCH', `/connections/${encodeURIComponent(existing.id)}`, '-d', '@body.json'];
  return `the service replaces all settings of a connection; for each failed connection, send all settings at once${isWhole ? '' : ', with all of `config` in the body'}: ${formatCommand(addOptions(command))}`;
}

function toFlag([name, value]: readonly [string, unknown]): readonly string[] | undefined {
  if (name === 'ssl' && typeof value === 'boolean') return [value ? '--ssl' : '--no-ssl'];
  const isPlain = typeof value === 'string' || typeof value === 'number';
  return isPlain && ['host', 'port', 'database', 'user'].includes(name)
    ? [`--${name}`, String(value)]
    : undefined;
}
