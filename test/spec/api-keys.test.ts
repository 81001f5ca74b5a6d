import { replay } from './transcript.js';

replay('api-keys.txt');
