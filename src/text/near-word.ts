import leven from 'leven';

/** Whether a word may be a slip for this name: a letter in three, at least one, or two swapped letters. */
export function isNear(word: string, name: string): boolean {
  const distance = leven(word, name);
  if (distance <= Math.max(1, Math.floor(word.length / 3))) return true;
  return distance === 2 && sortLetters(word) === sortLetters(name);
}

function sortLetters(word: string): string {
  return [...word].sort().join('');
}
