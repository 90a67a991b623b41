export type SearchEntry = {
  readonly title: string;
  /** The page it's on; empty for a page itself. */
  readonly page: string;
  readonly address: string;
  /** The text below it: a line for each paragraph, item or row. */
  readonly text: string;
  /** How much its kind of page counts. */
  readonly weight: number;
  /** The name of the other service, on a page for its programs: found only by searches that name it. */
  readonly about?: string;
};

export type SearchResult = SearchEntry & {
  /** The sentence with most of the query's words that the title lacks, else the first. */
  readonly sentence: string;
};

export type SearchIndex = readonly IndexedEntry[];

type Word = { readonly typed: string; readonly singular: string };
type Words = readonly Word[];

type IndexedEntry = {
  readonly entry: SearchEntry;
  readonly title: Words;
  readonly text: Words;
  readonly page: Words;
  readonly about: Words;
  /** For a page itself, its parts' words, each once. */
  readonly parts: Words;
};

/** In lower case, without punctuation: `Idempotency-Key` is two words. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const read = (text: string): Words =>
  wordsOf(text).map((typed) => ({ typed, singular: singular(typed) }));

/** Plain plurals only: what's left is the start of the word. */
const singular = (word: string): string =>
  word.length > 3 ? word.replace(/(ss|sh|ch|x)es$|([^su])s$/, '$1$2') : word;

/** Prepared once for all searches. */
export const readIndex = (entries: readonly SearchEntry[]): SearchIndex =>
  entries.map((entry) => {
    const { title, text, page, address, about = '' } = entry;
    const parts =
      page === '' ? entries.filter((other) => other.address.startsWith(`${address}#`)) : [];
    const inParts = new Set(parts.flatMap((part) => wordsOf(`${part.title} ${part.text}`)));
    return {
      entry,
      title: read(title),
      text: read(text),
      page: read(page || title),
      about: read(about),
      parts: read([...inParts].join(' ')),
    };
  });

const mostFound = 12;

/**
 * Finds the headings with every word of the query, or a word that starts with it, in singular or plural. A title counts
 * more than text, a whole word more than the start of one, and a short text about it more than a long one.
 */
export function search(index: SearchIndex, query: string): readonly SearchResult[] {
  const asked = read(query);
  if (asked.length === 0) return [];
  return index
    .map((one) => ({ ...one, score: scoreOf(one, asked) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, mostFound)
    .map(({ entry, title }) => {
      const others = asked.filter((word) => bestOf(title, word) === 0);
      return { ...entry, sentence: sentenceFor(entry.text, others) };
    });
}

const inTitle = 10;
const inText = 5;
const inPageTitle = 2;
const inParts = 1;
const wholeTitle = 5;
const exactTitle = 1.5;
const aboutOthers = 0.15;

function scoreOf({ entry, title, text, page, about, parts }: IndexedEntry, asked: Words): number {
  let score = 0;
  for (const word of asked) {
    const found =
      inTitle * bestOf(title, word) +
      inText * shareOf(text, word) +
      inPageTitle * bestOf(page, word) +
      inParts * bestOf(parts, word);
    if (found === 0) return 0;
    score += found;
  }
  const covered = title.filter((word) => asked.some((one) => likeness(word, one) === 1));
  score += (wholeTitle * covered.length) / title.length;
  const isOther = about.length > 0 && !asked.some((word) => bestOf(about, word) > 0);
  if (isOther) return score * entry.weight * aboutOthers;
  const isExact = covered.length === title.length && asked.length === title.length;
  return score * (isExact ? exactTitle : entry.weight);
}

const bestOf = (words: Words, asked: Word): number =>
  words.reduce((best, word) => Math.max(best, likeness(word, asked)), 0);

/** How much a text is about a word, from 0 to 1: another mention counts less, a long text needs more (as in BM25). */
function shareOf(words: Words, asked: Word): number {
  const mentions = words.reduce((sum, word) => sum + likeness(word, asked), 0);
  return mentions === 0 ? 0 : 0.2 + (0.8 * mentions) / (mentions + 0.5 + words.length / 100);
}

/** 1 for the word in singular or plural, less for a word that only starts with it. */
function likeness(word: Word, asked: Word): number {
  if (word.typed === asked.typed || word.singular === asked.singular) return 1;
  return word.typed.startsWith(asked.singular) ? 0.5 : 0;
}

function sentenceFor(text: string, asked: Words): string {
  const sentences = [...text.matchAll(/\S.*?(?:[.?!](?=\s)|$)/gm)]
    .map(([sentence]) => sentence)
    // An endpoint's route says less than its description.
    .filter((sentence) => !/^[A-Z]+ \//.test(sentence));
  let [best = '', most] = [sentences[0], 0];
  for (const sentence of sentences) {
    const words = read(sentence);
    const score = asked.reduce((sum, word) => sum + bestOf(words, word), 0);
    if (score > most) [best, most] = [sentence, score];
  }
  return excerpt(best, asked);
}

const longest = 150;

/** The part of a long sentence that has the query. */
function excerpt(sentence: string, [asked]: Words): string {
  if (sentence.length <= longest) return sentence;
  const at = asked === undefined ? 0 : sentence.toLowerCase().indexOf(asked.singular);
  const start = at < longest * 0.8 ? 0 : sentence.lastIndexOf(' ', at - longest / 3) + 1;
  const part = sentence.slice(start, start + longest);
  const shown = start + longest < sentence.length ? `${part.replace(/\s+\S*$/, '')} …` : part;
  return start === 0 ? shown : `… ${shown}`;
}
