import { replay } from './transcript.js';

replay('files-of-many.txt');
