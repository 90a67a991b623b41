import { describe, expect, it } from 'vitest';
import type { Query } from '../../../../infra/manage/api/client.ts';
import { type PageOptions, showList } from '../../../../infra/manage/drawing/listing.ts';
import { createTerminal } from '../../../../infra/manage/terminal.ts';
import { unexpected } from '../../../support/unexpected.ts';

type Page = {
  readonly data: readonly { readonly name: string }[];
  readonly nextCursor: string | null;
  readonly lookedUntil?: number;
  readonly looked?: number;
};

const page = (names: readonly string[], nextCursor: string | null): Page => ({
  data: names.map((name) => ({ name })),
  nextCursor,
});

async function list(
  {
    json = false,
    untilInterrupted = () => new Promise(() => {}),
    ...options
  }: PageOptions & { readonly json?: boolean; readonly untilInterrupted?: () => Promise<void> },
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
      untilInterrupted,
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

  it('shows how far a filter has searched, also in JSON', async () => {
    const lookedUntil = Date.UTC(2026, 10, 21);
    const sparse = { ...page([], 'next'), lookedUntil };

    const { words } = await list({}, sparse);
    const { output } = await list({ json: true }, sparse);

    expect(words).toContain('There may be more before 2026-11-21 00:00:00Z');
    expect(JSON.parse(output)).toEqual(sparse);
  });

  const lookedUntil = Date.UTC(2026, 10, 21);
  const searched = (names: readonly string[], nextCursor: string | null): Page => ({
    ...page(names, nextCursor),
    ...(nextCursor !== null && { lookedUntil }),
    looked: 9_000,
  });

  it('searches on by itself until the page is full, and says how far it is', async () => {
    const pages = [searched(['a'], '1'), searched([], '2'), searched(['b', 'c'], '3')];

    const { queries, output, words } = await list({ limit: '3' }, ...pages);

    expect(queries).toEqual([
      { limit: '3' },
      { limit: '2', cursor: '1' },
      { limit: '2', cursor: '2' },
    ]);
    expect(output).toBe('NAME\na\nb\nc\n');
    expect(words.split('\n').slice(0, 2)).toEqual([
      'Searched back to 2026-11-21 00:00:00Z, 9,000 emails …',
      'Searched back to 2026-11-21 00:00:00Z, 18,000 emails …',
    ]);
    expect(words).toContain('--cursor 3');
  });

  it('stops a search at Ctrl-C, and shows what it has found', async () => {
    const pages = [searched(['a'], '1'), searched(['b'], '2')];
    const untilInterrupted = () => Promise.resolve();

    const { output, words } = await list({ untilInterrupted }, ...pages);

    expect(output).toBe('NAME\na\nb\n');
    expect(words).toContain('--cursor 2');
  });

  it('says when there are no entries', async () => {
    const { output, words } = await list({}, page([], null));

    expect({ output, words }).toEqual({ output: '', words: 'There is nothing.\n' });
  });
});
