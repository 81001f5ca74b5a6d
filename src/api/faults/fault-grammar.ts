/** The form of a fault rule, as help, errors and the console show it. */
export const faultForm = 'METHOD /path=EFFECT[xTIMES][%PERCENT[@SEED]]';

/** The effects of fault rules, continuing "EFFECT is". */
export const faultEffects =
  '400 to 599, 429:5s or 503:5s (Retry-After), delay:2s, delay:1s-3s, drop, reset, drop-answer or truncate';
