export {
  type AnswerContext,
  apiForChange,
  printAnswer,
  rescueSecret,
  showAnswer,
} from '../commands/resource/print.js';
