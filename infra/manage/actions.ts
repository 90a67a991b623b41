import type { Command } from 'commander';
import type { AnswerOf, EntryOf, ListRoute, RouteAnswering } from './api/answers.ts';
import type { Drawing } from './drawing/layout.ts';
import { type PageOptions, showList } from './drawing/listing.ts';
import type { Column } from './drawing/text-table.ts';
import type { ApiSession } from './session.ts';
import type { Suggest } from './suggestion.ts';
import type { Target } from './target.ts';
import type { Paint } from './terminal.ts';

// Actions of commands that only call the API and print. Arguments and options that the route's path names go there. The
// rest go into the query of a GET or DELETE, and into the body otherwise.

/** Arguments and options by name: the API's own, unless `values` translates them. */
export type Given = Readonly<Record<string, unknown>>;

type Action = (this: Command) => Promise<void>;

type Opening = (command: Command) => Promise<ApiSession>;

type Asking = {
  /** What goes into the query or the body, if that isn't simply what was typed. */
  readonly values?: (given: Given) => Given;
  /** Asked before the request, if given. */
  readonly confirm?: (given: Given, target: Target) => string;
};

/** Prints the answer. */
export const asks = <R extends RouteAnswering<object>>(
  open: Opening,
  route: R,
  draw: (answer: AnswerOf<R>, paint: Paint, suggest: Suggest) => Drawing,
  asking: Asking = {},
): Action =>
  async function () {
    const { session, request } = await begin(this, open, route, asking);
    const answer = await session.api.askAsGiven(route, request);
    session.terminal.show(answer, (paint) => draw(answer, paint, session.suggest));
  };

/** Says what was done, as there's no answer to print. */
export const tells = <R extends RouteAnswering<undefined>>(
  open: Opening,
  route: R,
  done: (given: Given) => string,
  asking: Asking = {},
): Action =>
  async function () {
    const { session, request, given } = await begin(this, open, route, asking);
    await session.api.tellAsGiven(route, request);
    session.terminal.say(done(given));
  };

type Listing<Row> = {
  readonly columns: readonly Column<Row>[] | ((options: Given) => readonly Column<Row>[]);
  readonly whenEmpty: string;
};

/** Prints a list: one page or all if the command has `withPages`. Its other options are filters. */
export const lists = <R extends ListRoute>(
  open: Opening,
  route: R,
  { columns, whenEmpty }: Listing<EntryOf<R>>,
): Action =>
  async function () {
    const { limit, cursor, all, ...filters } = this.opts<PageOptions & Given>();
    const hasPages = this.options.some(({ long }) => long === '--cursor');
    const { inPath } = divide(givenTo(this), route);
    const { api, terminal, surroundings } = await open(this);
    const listing = {
      ask: (page: { readonly limit?: string; readonly cursor?: string }) =>
        api.list(route, { ...toQuery(filters), ...page }, toQuery(inPath)),
      columns: typeof columns === 'function' ? columns(filters) : columns,
      whenEmpty,
      untilInterrupted: () => surroundings.untilInterrupted(),
    };
    await showList(terminal, listing, hasPages ? { limit, cursor, all } : undefined);
  };

async function begin(command: Command, open: Opening, route: string, asking: Asking) {
  const { values = (given: Given) => given, confirm } = asking;
  const given = givenTo(command);
  const { inPath, others } = divide(given, route);
  const sent = values(others);
  const isInQuery = /^(GET|DELETE) /.test(route);
  const request = {
    path: toQuery(inPath),
    ...(isInQuery && { query: toQuery(sent) }),
    ...(!isInQuery && Object.keys(sent).length > 0 && { body: sent }),
  };
  const session = await open(command);
  if (confirm !== undefined) await session.terminal.confirm(confirm(given, session.target));
  return { session, request, given };
}

function divide(given: Given, route: string): { readonly inPath: Given; readonly others: Given } {
  const names = new Set([...route.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name));
  const pick = (isPath: boolean) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name) === isPath));
  return { inPath: pick(true), others: pick(false) };
}

function givenTo(command: Command): Given {
  const typed = command.registeredArguments.map((argument, index): [string, unknown] => [
    argument.name(),
    command.processedArgs[index],
  ]);
  return { ...Object.fromEntries(typed), ...command.opts() };
}

const toQuery = (values: Given): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
