import type { ControlledKey } from '../../api/control/control-answers.js';
import type { View } from '../../terminal/output/printer.js';

export const keyView: View<ControlledKey> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'ENABLED', value: 'enabled' },
    { header: 'LAST USED', value: 'last_used_at' },
    { header: 'CREATED', value: 'created_at' },
    { header: 'ORGANIZATION', value: 'organization', id: true },
  ],
  empty: 'no API keys',
};
