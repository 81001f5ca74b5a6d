import type { ControlledKey } from '../../api/control/control-answers.js';
import type { TypedView } from '../../terminal/output/printer.js';
import { showAge } from '../../terminal/text/age.js';
import { paintEnabled } from '../../terminal/text/color.js';

export const keyView: TypedView<ControlledKey, ControlledKey & { readonly organization: string }> = {
  columns: [
    { header: 'ID', value: 'id' },
    // Rank 0, so that a narrow table shortens names rather than omitting whether a key is enabled.
    { header: 'NAME', value: 'name', rank: 0 },
    { header: 'ENABLED', value: 'enabled', rank: 0, style: paintEnabled },
    { header: 'LAST USED', value: 'last_used_at', drawn: showAge, rank: 3 },
    { header: 'CREATED', value: 'created_at', drawn: showAge, rank: 4 },
    { header: 'ORGANIZATION', value: 'organization', id: true, rank: 5 },
  ],
  empty: 'no API keys',
};
