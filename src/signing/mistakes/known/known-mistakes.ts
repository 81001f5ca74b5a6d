import type { SigningMistake } from '../attempt/signing-attempt.js';
import { bodyMistakes } from './body-mistakes.js';
import { contentTypeMistakes, endMistake } from './content-type-mistakes.js';
import { digestMistakes } from './digest-mistakes.js';
import { layoutMistakes } from './layout-mistakes.js';
import { secretMistakes } from './secret-mistakes.js';
import { targetMistakes } from './target-mistakes.js';
import { textMistakes } from './text-mistakes.js';
import { timestampMistakes } from './timestamp-mistakes.js';

/** In the order in which pairs alter an attempt; without milliseconds, which take a thousand attempts. */
export const quickMistakes: readonly SigningMistake[] = [
  ...secretMistakes,
  ...targetMistakes,
  ...bodyMistakes,
  ...textMistakes,
  ...contentTypeMistakes,
  endMistake,
  ...layoutMistakes,
  ...digestMistakes,
  ...timestampMistakes,
];
