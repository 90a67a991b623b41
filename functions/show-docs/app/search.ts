export type SearchEntry = {
  readonly title: string;
  /** The page that it's on; empty for a page itself. */
  readonly page: string;
  readonly address: string;
  readonly summary: string;
  /** The words below it, each once, without those of the title. */
  readonly words: string;
};

/** In lower case, without punctuation: `Idempotency-Key` is two words. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const mostFound = 12;

/**
 * Finds the headings that have every word of the query, or a word that starts with it. A title counts more than a text,
 * a whole word more than a beginning, a page more than one of its parts.
 */
export function search(entries: readonly SearchEntry[], query: string): readonly SearchEntry[] {
  const asked = wordsOf(query);
  if (asked.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, asked) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, mostFound)
    .map(({ entry }) => entry);
}

function scoreOf({ title, page, words }: SearchEntry, asked: readonly string[]): number {
  const inTitle = ` ${wordsOf(title).join(' ')} `;
  const below = ` ${words} `;
  let score = page === '' ? 1 : 0;
  for (const word of asked) {
    const found = scoreIn(inTitle, word) * 5 || scoreIn(below, word);
    if (found === 0) return 0;
    score += found;
  }
  return inTitle === ` ${asked.join(' ')} ` ? score + 5 : score;
}

const scoreIn = (words: string, word: string): number => {
  if (words.includes(` ${word} `)) return 2;
  return words.includes(` ${word}`) ? 1 : 0;
};
