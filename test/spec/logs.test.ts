import { replay } from './transcript.js';

replay('logs.txt');
