import { replay } from './transcript.js';

replay('connections.txt');
