export {
  assertRescuable,
  discardsOutput,
  keepUnread,
  type RescueContext,
  rawAnswer,
  rescue,
  showUnread,
  toPrintableBody,
  writeOnceShown,
} from '../commands/resource/once-shown.js';
