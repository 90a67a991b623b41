import { describe, expect, it } from 'vitest';
import type { Query } from '../../../../infra/manage/api/client.ts';
import { type PageOptions, showList } from '../../../../infra/manage/drawing/listing.ts';
import { createTerminal } from '../../../../infra/manage/terminal.ts';
import { unexpected } from '../../../support/unexpected.ts';

type Page = {
  readonly data: readonly { readonly name: string }[];
  readonly nextCursor: string | null;
  readonly lookedUntil?: number | null;
  readonly looked?: number;
};

const page = (names: readonly string[], nextCursor: string | null): Page => ({
  data: names.map((name) => ({ name })),
  nextCursor,
});

async function list(
  { json = false, ...options }: PageOptions & { readonly json?: boolean },
  ...pages: readonly Page[]
) {
  const output: string[] = [];
  const words: string[] = [];
  const queries: Query[] = [];
  const streams = {
    environment: {},
    output: { isTerminal: false, write: (text: string) => void output.push(text) },
    errors: { isTerminal: false, write: (text: string) => void words.push(text) },
    ask: undefined,
  };
  const ask = async (query: Query) => {
    const value = pages[queries.length] ?? unexpected('a further request')();
    queries.push(query);
    return value;
  };
  await showList(
    createTerminal(streams, { json }),
    {
      ask,
      columns: [['NAME', ({ name }) => name]],
      whenEmpty: 'There is nothing.',
      now: () => 1_500 * queries.length,
    },
    options,
  );
  return { queries, output: output.join(''), words: words.join('') };
}

describe('a list', () => {
  it('shows a page and how to continue', async () => {
    const { queries, output, words } = await list({ limit: '2' }, page(['a', 'b'], 'next'));

    expect(queries).toEqual([{ limit: '2' }]);
    expect(output).toBe('NAME\na\nb\n');
    expect(words).toContain('--cursor next');
  });

  it('continues from a cursor', async () => {
    const { queries } = await list({ cursor: 'next' }, page(['c'], null));

    expect(queries).toEqual([{ cursor: 'next' }]);
  });

  it('shows all pages, even after an empty one', async () => {
    const pages = [page(['a'], '1'), page([], '2'), page(['b'], null)];

    const { queries, output, words } = await list({ all: true }, ...pages);

    expect(queries).toEqual([
      { limit: '100' },
      { limit: '100', cursor: '1' },
      { limit: '100', cursor: '2' },
    ]);
    expect({ output, words }).toEqual({ output: 'NAME\na\nb\n', words: '' });
  });

  const lookedUntil = Date.UTC(2026, 10, 21);
  const searched = (names: readonly string[], nextCursor: string | null): Page => ({
    ...page(names, nextCursor),
    lookedUntil: nextCursor === null ? null : lookedUntil,
    looked: 1_000,
  });

  it('goes on with a search until its page is full', async () => {
    const pages = [searched(['a'], '1'), searched([], '2'), searched(['b', 'c'], '3')];

    const { queries, output, words } = await list({ limit: '3' }, ...pages);

    expect(queries).toEqual([
      { limit: '3' },
      { limit: '2', cursor: '1' },
      { limit: '2', cursor: '2' },
    ]);
    expect(output).toBe('NAME\na\nb\nc\n');
    expect(words).toContain('There may be more before 2026-11-21 00:00:00Z');
  });

  it('says every two seconds how far a search is', async () => {
    const pages = [
      ...['1', '2', '3', '4'].map((next) => searched([], next)),
      searched(['a'], null),
    ];

    const { words } = await list({}, ...pages);

    expect(words).toBe('Back to 2026-11-21 00:00:00Z, 3000 looked at…\n');
  });

  it('stops a search that finds nothing after 50 requests, and says how far it got', async () => {
    const pages = Array.from({ length: 50 }, (_, index) => searched([], `${index}`));

    const { queries, words } = await list({}, ...pages);
    const { output } = await list({ json: true }, ...pages);

    expect(queries).toHaveLength(50);
    expect(words).toContain('There may be more before 2026-11-21 00:00:00Z');
    expect(JSON.parse(output)).toEqual({
      ...{ data: [], nextCursor: '49', lookedUntil, looked: 50_000 },
    });
  });

  it('says when there are no entries', async () => {
    const { output, words } = await list({}, page([], null));

    expect({ output, words }).toEqual({ output: '', words: 'There is nothing.\n' });
  });
});
