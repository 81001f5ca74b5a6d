import { replay } from './transcript.js';

for (const name of [
  'foreign-answers',
  'foreign-errors',
  'foreign-keys',
  'foreign-lists',
  'foreign-records',
  'probe',
  'faults',
])
  replay(name);

replay('dialects', { dialect: 'camel' });
