import { replay } from './transcript.js';

replay('settings.txt');
