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
};

/**
 * One page, or all.
 *
 * @throws Failure `unknown_answer` for a page without rows, or in a list of pages for one that doesn't say whether it's
 *   the last
 */
export async function showList<Row>(
  terminal: Terminal,
  { ask, columns, whenEmpty }: Listing<Row>,
  options?: PageOptions,
): Promise<void> {
  const { limit, cursor, all = false } = options ?? {};
  const rows: Row[] = [];
  let next = cursor;
  let last: Page<Row>;
  do {
    last = await ask({ limit: limit ?? (all ? '100' : undefined), cursor: next });
    rows.push(...required(last, 'data'));
    next = (options ? required(last, 'nextCursor') : last.nextCursor) ?? undefined;
  } while (all && next !== undefined);

  if (rows.length === 0) terminal.say(whenEmpty);
  const shown = { ...last, data: rows };
  terminal.show(shown, (paint) => (rows.length === 0 ? '' : drawTable(rows, columns, paint)));
  if (next !== undefined) terminal.say(howToGoOn(next, last));
}

function howToGoOn(cursor: string, { lookedUntil }: Page<unknown>): string {
  const looked = typeof lookedUntil === 'number' ? ` before ${momentOf(lookedUntil)}` : '';
  return `There may be more${looked}: use --all, or --cursor ${cursor}`;
}
