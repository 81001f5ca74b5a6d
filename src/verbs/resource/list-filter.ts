export type { Keep, ListFilter } from '../../commands/resource/list-filter.js';
