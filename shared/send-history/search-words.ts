/**
 * Whether each word of a search is part of one of the texts, in any case: `ann reset` is in `ann@example.com` and `Reset
 * your password`.
 */
export function holdsWords(search: string): (texts: readonly string[]) => boolean {
  const words = folded(search)
    .split(/\s+/)
    .filter((word) => word !== '');
  return (texts) => {
    const shown = texts.map(folded);
    return words.every((word) => shown.some((one) => one.includes(word)));
  };
}

/** As a search finds it, `kind:reset`. */
export const tagTexts = (tags: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries(tags).map((tag) => tag.join(':'));

/** Upper-casing ignores a letter's neighbours; lower-casing doesn't (final sigma). */
const folded = (text: string): string => text.normalize('NFKC').toUpperCase();
