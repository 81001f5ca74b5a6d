import type { OutputFormat } from '../../api/option-values.js';
import type { Format, Surface } from './format.js';

/** Functions that load a format and its libraries. */
export const formatLoaders: Readonly<Record<OutputFormat | 'raw', (surface: Surface) => Promise<Format>>> = {
  table: async (surface) => (await import('./table.js')).tableFormat(surface),
  json: async (surface) => (await import('./json.js')).jsonFormat(surface),
  jsonl: async (surface) => (await import('./json.js')).jsonlFormat(surface),
  yaml: async (surface) => (await import('./yaml.js')).yamlFormat(surface),
  csv: async (surface) => (await import('./csv.js')).csvFormat(surface),
  raw: async (surface) => (await import('./raw.js')).rawFormat(surface),
};
