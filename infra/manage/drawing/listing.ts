import type { Command } from 'commander';
import * as z from 'zod/mini';
import type { Answer, Query } from '../api/client.ts';
import type { Terminal } from '../terminal.ts';
import { type Column, drawTable, momentOf } from './columns.ts';

export type PageOptions = {
  readonly limit?: string;
  readonly cursor?: string;
  readonly all?: boolean;
};

/** Adds the options of a list that comes in pages. */
export const withPages = (command: Command): Command =>
  command
    .option('--limit <number>', 'entries per page, 1 to 100 (default: 20)')
    .option('--cursor <cursor>', 'continue after an earlier page')
    .option('--all', 'all pages');

type Page<Row> = {
  readonly data: readonly Row[];
  readonly nextCursor?: string | null | undefined;
  /** How far back a filter has looked, epoch milliseconds. */
  readonly lookedUntil?: number | null | undefined;
};

type Listing<Row> = {
  /** Asks for a page, with `limit` and `cursor`. */
  readonly ask: (page: Query) => Promise<Answer<Page<Row>>>;
  readonly columns: readonly Column<Row>[];
  /** What to say when there is nothing. */
  readonly whenEmpty: string;
};

/** Shows a list: a page of it, or all. */
export async function showList<Row>(
  terminal: Terminal,
  { ask, columns, whenEmpty }: Listing<Row>,
  { limit, cursor, all = false }: PageOptions = {},
): Promise<void> {
  const rows: Row[] = [];
  const shown: unknown[] = [];
  let next = cursor;
  let last: Answer<Page<Row>>;
  do {
    last = await ask({ limit: limit ?? (all ? '100' : undefined), cursor: next });
    rows.push(...last.value.data);
    shown.push(...bodySchema.parse(last.body).data);
    next = last.value.nextCursor ?? undefined;
  } while (all && next !== undefined);

  if (rows.length === 0) terminal.say(whenEmpty);
  const body = { ...bodySchema.parse(last.body), data: shown };
  terminal.show(body, (paint) => (rows.length === 0 ? '' : drawTable(rows, columns, paint)));
  if (next !== undefined) terminal.say(howToGoOn(next, last.value));
}

function howToGoOn(cursor: string, { lookedUntil }: Page<unknown>): string {
  const looked = typeof lookedUntil === 'number' ? ` before ${momentOf(lookedUntil)}` : '';
  return `There may be more${looked}: use --all, or --cursor ${cursor}`;
}

const bodySchema = z.looseObject({ data: z.array(z.unknown()) });
