import { replay } from './transcript.js';

replay('serve.txt');
