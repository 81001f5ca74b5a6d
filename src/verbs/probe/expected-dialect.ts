import { type Dialect, dialectSchema } from '../../api/dialect/dialect.js';
import { presets } from '../../api/dialect/presets.js';
import { checkValue } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { isPreset } from '../../client/reading/pinned-forms.js';
import { loadDialect } from '../../commands/profile/dialect.js';
import { UsageError } from '../../errors/errors.js';

/** The dialect of `--against`: a preset or a file. @throws UsageError naming the wrong field */
export async function readExpected(given: string, context: Pick<Context, 'system'>): Promise<Dialect> {
  const loaded = await loadDialect('--against', given, context);
  const value = typeof loaded === 'string' && isPreset(loaded) ? presets[loaded] : loaded;
  const checked = checkValue(dialectSchema, value);
  if ('data' in checked) return checked.data;
  throw new UsageError(`--against ${given}: not a dialect: ${checked.misfit}`);
}
