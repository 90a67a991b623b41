export type SearchEntry = {
  readonly title: string;
  /** The page it's on; empty for a page itself. */
  readonly page: string;
  readonly address: string;
  /** The text below it: a line for each paragraph, item or row. */
  readonly text: string;
  /** How much its kind of page counts. */
  readonly weight: number;
  /** What people call it who don't know our word. */
  readonly alsoCalled?: string;
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
  readonly alsoCalled: Words;
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
    const { title, text, page, address, alsoCalled = '', about = '' } = entry;
    const parts =
      page === '' ? entries.filter((other) => other.address.startsWith(`${address}#`)) : [];
    const inParts = new Set(parts.flatMap((part) => wordsOf(`${part.title} ${part.text}`)));
    return {
      entry,
      title: read(title),
      text: read(text),
      page: read(page || title),
      alsoCalled: read(alsoCalled),
      about: read(about),
      parts: read([...inParts].join(' ')),
    };
  });

const maxFound = 12;

/** Words that any question may have. */
const fillers = new Set(
  'a an and are be by can do does for from how i if in is it me much my of on or our that the there this to we what when where which who why with you your'.split(
    ' ',
  ),
);

const isTelling = ({ typed }: Word): boolean => !fillers.has(typed);

/** A word that some heading has. */
type Asked = Word & {
  /** How much each heading is about it. */
  readonly found: readonly number[];
  /** A word in few headings says more about the question. */
  readonly rarity: number;
};

/**
 * Finds the headings with the words of the query, or words that start with them, in singular or plural: those with all
 * of them first, so that a word too many is no dead end. A title counts more than text, a rare word more than a common
 * one, a whole word more than the start of one, and a short text about it more than a long one.
 */
export function search(index: SearchIndex, query: string): readonly SearchResult[] {
  const typed = read(query);
  const telling = typed.filter(isTelling);
  const asked = (telling.length > 0 ? telling : typed).flatMap((word): Asked[] => {
    const found = index.map((one) => foundOf(one, word));
    const having = found.filter((score) => score > 0).length;
    return having === 0 ? [] : [{ ...word, found, rarity: Math.log(1 + index.length / having) }];
  });
  return index
    .map((one, place) => ({ ...one, score: scoreOf(one, place, asked) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, maxFound)
    .map(({ entry, title }) => {
      const others = asked.filter((word) => bestOf(title, word) === 0);
      return { ...entry, sentence: sentenceFor(entry.text, others) };
    });
}

const inTitle = 10;
/** As if it were another title. */
const inOtherName = 12;
const inText = 5;
const inPageTitle = 2;
const inParts = 1;
const wholeTitle = 5;
const exactTitle = 1.5;
const aboutOthers = 0.15;

const foundOf = ({ title, text, page, alsoCalled, parts }: IndexedEntry, word: Word): number =>
  Math.max(inTitle * bestOf(title, word), inOtherName * bestOf(alsoCalled, word)) +
  inText * shareOf(text, word) +
  inPageTitle * bestOf(page, word) +
  inParts * bestOf(parts, word);

function scoreOf(
  { entry, title, about }: IndexedEntry,
  place: number,
  asked: readonly Asked[],
): number {
  let [all, had, score] = [0, 0, 0];
  for (const { rarity, found } of asked) {
    all += rarity;
    if (found[place]) had += rarity;
    score += rarity * (found[place] ?? 0);
  }
  if (had === 0) return 0;
  // A heading that lacks a word comes after those that have all.
  const share = (had / all) ** 3;
  score *= (share * asked.length) / all;
  const telling = title.filter(isTelling);
  const covered = telling.filter((word) => asked.some((one) => likeness(word, one) === 1));
  score += (share * wholeTitle * covered.length) / Math.max(1, telling.length);
  const isOther = about.length > 0 && !asked.some((word) => bestOf(about, word) > 0);
  if (isOther) return score * entry.weight * aboutOthers;
  const isExact = covered.length === telling.length && asked.length === telling.length;
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
