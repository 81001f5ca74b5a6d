import { replay } from './transcript.js';

replay('help.txt');
