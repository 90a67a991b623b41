/**
 * An error's meaning, as its answer says it, for a page that doesn't have that answer: the fields at fault are listed
 * below, and the details only the program got.
 */
export const withoutAnswer = (meaning: string): string =>
  meaning
    .replace(/ `errors` says [^.]*\./, '')
    .replace(': see `errors`', '')
    .replaceAll('`detail`', 'the answer’s `detail`');
