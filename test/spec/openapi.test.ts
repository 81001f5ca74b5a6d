import { replay } from './transcript.js';

replay('openapi.txt');
