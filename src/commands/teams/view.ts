import type { Resource } from '../../contract/resource.js';
import type { View } from '../../terminal/printer.js';

export const teamView: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'CREATED', value: 'created_at' },
    { header: 'UPDATED', value: 'updated_at' },
  ],
  empty: 'no teams',
  example: { id: 'team_0', name: 'example' },
};
