import { replay } from './transcript.js';

replay('proxy.txt');
