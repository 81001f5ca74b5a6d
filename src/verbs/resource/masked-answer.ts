export { maskedAnswer, withMaskedSettings } from '../../commands/resource/create.js';
