import type { SearchEntry } from '../../functions/show-docs/app/search.ts';
import { wordsOf } from '../../functions/show-docs/app/search.ts';
import type { RenderedPage } from './docs-shell.ts';
import { addressOf } from './documents.ts';

/** Each listed heading, with the words below it. Without the changelog: it has a word on everything. */
export const searchIndex = (pages: readonly RenderedPage[]): readonly SearchEntry[] =>
  pages
    .filter(({ group }) => group !== 'More')
    .flatMap(({ path, title, sections }) =>
      sections.map(({ level, text, anchor, words, summary }): SearchEntry => {
        const inTitle = new Set(wordsOf(text));
        const others = new Set(
          wordsOf(words).filter((word) => word.length > 2 && !inTitle.has(word)),
        );
        return {
          title: text,
          page: level === 1 ? '' : title,
          address: level === 1 ? addressOf(path) : `${addressOf(path)}#${anchor}`,
          summary: shortened(summary),
          words: [...others].join(' '),
        };
      }),
    );

const longestSummary = 120;
const shortened = (text: string): string =>
  text.length <= longestSummary
    ? text
    : `${text.slice(0, longestSummary).replace(/\s+\S*$/, '')} …`;
