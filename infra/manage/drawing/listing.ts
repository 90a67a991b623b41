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
  now(): number;
};

const usualLimit = 20;
/** A search that finds nothing goes on this long, then says how to continue. */
const maxRequests = 50;
const progressMs = 2_000;

/**
 * One page, or all. One request of a search may look at part of the list only, so it goes on until the page is full.
 *
 * @throws Failure `unknown_answer` for a page without rows, or in a list of pages for one that doesn't say whether it's
 *   the last
 */
export async function showList<Row>(
  terminal: Terminal,
  { ask, columns, whenEmpty, now }: Listing<Row>,
  options?: PageOptions,
): Promise<void> {
  const { limit, cursor, all = false } = options ?? {};
  const most = all ? Number.POSITIVE_INFINITY : Number(limit ?? usualLimit);
  const rows: Row[] = [];
  let next = cursor;
  let nextLimit = limit ?? (all ? '100' : undefined);
  let looked = 0;
  let saidAt: number | undefined;
  let last: Page<Row>;
  let requests = 0;
  for (;;) {
    last = await ask({ limit: nextLimit, cursor: next });
    requests += 1;
    rows.push(...required(last, 'data'));
    next = (options ? required(last, 'nextCursor') : last.nextCursor) ?? undefined;
    looked += last.looked ?? 0;
    const isSearch = typeof last.lookedUntil === 'number';
    const goesOn = all || (isSearch && rows.length < most && requests < maxRequests);
    if (next === undefined || !goesOn) break;
    if (!all) nextLimit = `${most - rows.length}`;
    if (!isSearch) continue;
    saidAt ??= now();
    if (now() - saidAt < progressMs) continue;
    saidAt = now();
    terminal.say(`Back to ${momentOf(last.lookedUntil)}, ${looked} looked at…`);
  }

  if (rows.length === 0) terminal.say(whenEmpty);
  const shown = { ...last, data: rows, ...(last.looked !== undefined && { looked }) };
  terminal.show(shown, (paint) => (rows.length === 0 ? '' : drawTable(rows, columns, paint)));
  if (next !== undefined) terminal.say(howToGoOn(next, last));
}

function howToGoOn(cursor: string, { lookedUntil }: Page<unknown>): string {
  const looked = typeof lookedUntil === 'number' ? ` before ${momentOf(lookedUntil)}` : '';
  return `There may be more${looked}: use --all, or --cursor ${cursor}`;
}
