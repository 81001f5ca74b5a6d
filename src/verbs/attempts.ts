export { attemptsAtOnce, isUnread } from '../commands/resource/attempts.js';
