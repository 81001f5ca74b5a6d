import { replay } from './transcript.js';

replay('serve-maintenance.txt');
