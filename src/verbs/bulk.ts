export { type BulkEntry, type BulkRow, runBulk, runStages, type Stage } from '../commands/resource/bulk.js';
