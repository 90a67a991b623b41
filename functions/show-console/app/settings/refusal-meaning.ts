/**
 * The error's meaning from its answer, without the parts that refer to that answer: this page lists the fields at fault
 * below, and only the program got the details.
 */
export const withoutAnswer = (meaning: string): string =>
  meaning
    .replace(/ `errors` says [^.]*\./, '')
    .replace(': see `errors`', '')
    .replaceAll('`detail`', 'the answer’s `detail`');
