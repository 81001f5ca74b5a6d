import { replay } from './transcript.js';

replay('dialects.txt', { dialect: 'camel' });
