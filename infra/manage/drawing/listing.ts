import type { Command } from 'commander';
import { type Page, required } from '../api/answers.ts';
import type { Query } from '../api/client.ts';
import type { Terminal } from '../terminal.ts';
import { type Column, drawTable, momentOf } from './text-table.ts';

export type PageOptions = {
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
  readonly all?: boolean | undefined;
};

export const withPages = (command: Command): Command =>
  command
    .option('--limit <number>', 'entries per page, 1 to 100 (default: 20)')
    .option('--cursor <cursor>', 'continue after an earlier page')
    .option('--all', 'all pages');

type Listing<Row> = {
  /** The page's query has `limit` and `cursor`. */
  readonly ask: (page: Query) => Promise<Page<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly whenEmpty: string;
  /** For a search that goes on by itself. */
  readonly untilInterrupted: () => Promise<void>;
};

/** The API's default. */
const pageLength = 20;

/**
 * One page, or all. A search whose page isn't full goes on until it is, or until Ctrl-C.
 *
 * @throws Failure `unknown_answer` for a page without rows, or in a list of pages for one that doesn't say whether it's
 *   the last
 */
export async function showList<Row>(
  terminal: Terminal,
  { ask, columns, whenEmpty, untilInterrupted }: Listing<Row>,
  options?: PageOptions,
): Promise<void> {
  const { limit, cursor, all = false } = options ?? {};
  const wanted = Number(limit ?? pageLength);
  const rows: Row[] = [];
  const search = { looked: 0, isBegun: false, isStopped: false };
  let next = cursor;
  let last: Page<Row>;
  for (;;) {
    const missing = search.isBegun && !all ? `${wanted - rows.length}` : limit;
    last = await ask({ limit: missing ?? (all ? '100' : undefined), cursor: next });
    rows.push(...required(last, 'data'));
    next = (options ? required(last, 'nextCursor') : last.nextCursor) ?? undefined;
    search.looked += last.looked ?? 0;
    const isSearch = typeof last.lookedUntil === 'number' && last.looked !== undefined;
    const goesOn = all || (isSearch && rows.length < wanted);
    if (next === undefined || !goesOn || search.isStopped) break;
    if (!isSearch) continue;
    terminal.say(progressOf(last, search.looked));
    if (search.isBegun) continue;
    search.isBegun = true;
    void untilInterrupted().then(() => {
      search.isStopped = true;
    });
  }

  if (rows.length === 0) terminal.say(whenEmpty);
  const shown = { ...last, data: rows, ...(search.isBegun && { looked: search.looked }) };
  terminal.show(shown, (paint) => (rows.length === 0 ? '' : drawTable(rows, columns, paint)));
  if (next !== undefined) terminal.say(howToGoOn(next, last));
}

const progressOf = ({ lookedUntil }: Page<unknown>, looked: number): string =>
  `Searched back to ${momentOf(lookedUntil ?? 0)}, ${looked.toLocaleString('en-US')} emails …`;

function howToGoOn(cursor: string, { lookedUntil }: Page<unknown>): string {
  const looked = typeof lookedUntil === 'number' ? ` before ${momentOf(lookedUntil)}` : '';
  return `There may be more${looked}: use --all, or --cursor ${cursor}`;
}
