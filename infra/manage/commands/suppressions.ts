import type { Command } from 'commander';
import { suppressionReasons } from '#shared/contacts/contact';
import { asks, lists } from '../actions.ts';
import { type AnswerOf, type EntryOf, required } from '../api/answers.ts';
import type { ApiClient } from '../api/client.ts';
import { withPages } from '../drawing/listing.ts';
import { suppressionColumns } from '../drawing/recipient.ts';
import { type Column, drawRow, drawTable } from '../drawing/text-table.ts';
import { exitCodes, Failure } from '../failure.ts';
import { divideImport, type ImportPart } from '../import-parts.ts';
import { examples, needed, oneOf, refuseJson } from '../options.ts';
import type { Sessions } from '../session.ts';
import { readNamedFile } from '../surroundings.ts';
import type { Terminal } from '../terminal.ts';

type Suppression = EntryOf<'GET /api/v1/suppressions'>;
type Lift = AnswerOf<'DELETE /api/v1/suppressions/{email}'>;

export function addSuppressions(suppressions: Command, sessions: Sessions): void {
  addList(suppressions, sessions);
  addCreate(suppressions, sessions);
  addLift(suppressions, sessions);
  addLiftMany(suppressions, sessions);
  addImport(suppressions, sessions);
  addExport(suppressions, sessions);
}

function addList(suppressions: Command, { asManager }: Sessions): void {
  withPages(suppressions.command('list'))
    .description('Lists suppressions, newest first')
    .option('--reason <reason>', `only ${suppressionReasons.join(', ')}`, oneOf(suppressionReasons))
    .option('--from <time>', 'only since this time, for example 2026-11-21')
    .option('--until <time>', 'only before this time')
    .addHelpText('after', examples('suppressions list --reason bounce --from 2026-11-21'))
    .action(
      lists(asManager, 'GET /api/v1/suppressions', {
        columns: suppressionColumns,
        whenEmpty: 'No suppressions found.',
      }),
    );
}

function addCreate(suppressions: Command, { asManager }: Sessions): void {
  suppressions
    .command('add')
    .argument('<email>', 'an address')
    .description('Suppresses an address')
    .option('--diagnostic <words>', 'why')
    .addHelpText(
      'after',
      examples('suppressions add ann@example.com --diagnostic "asked by phone"'),
    )
    .action(asks(asManager, 'POST /api/v1/suppressions', drawRow<Suppression>(suppressionColumns)));
}

function addLift(suppressions: Command, { asManager }: Sessions): void {
  suppressions
    .command('lift')
    .summary('Lets an address get email again')
    .argument('<email>', 'an address')
    .description("Lets an address get email again, and removes it from SES's own list")
    .option(
      '--reason <reason>',
      'only this reason (default: all but unsubscribe)',
      oneOf(suppressionReasons),
    )
    .addHelpText('after', examples('suppressions lift ann@example.com'))
    .action(
      asks(asManager, 'DELETE /api/v1/suppressions/{email}', describeLift, {
        confirm: ({ email }) => `Lift the suppressions of ${email}?`,
      }),
    );
}

function describeLift(lift: Lift): string {
  const { remaining = [], providerList = 'unknown' } = lift;
  const lifted = required(lift, 'lifted');
  const left = remaining.length === 0 ? '' : ` Still suppressed: ${remaining.join(', ')}.`;
  const ofProvider = providerListWords.get(providerList) ?? `SES's own list: ${providerList}.`;
  return `Lifted: ${lifted.join(', ') || 'nothing'}.${left} ${ofProvider}`;
}

const providerListWords = new Map([
  ['removed', "It was removed from SES's own list."],
  ['not_listed', "It wasn't on SES's own list."],
  ['untouched', "SES's own list wasn't touched."],
]);

type LiftFilter = {
  readonly from: string;
  readonly until: string;
  readonly reason?: string;
  readonly diagnostic?: string;
};

function addLiftMany(suppressions: Command, sessions: Sessions): void {
  suppressions
    .command('lift-many')
    .summary('Lifts suppressions by time and cause')
    .description('Lifts suppressions by time and cause; without --apply, a dry run')
    .addOption(needed('--from <time>', 'suppressed since this time'))
    .addOption(needed('--until <time>', 'suppressed before this time'))
    .option('--reason <reason>', 'with this reason (default: bounce)', oneOf(suppressionReasons))
    .option('--diagnostic <words>', 'only if the server’s reply contains these words')
    .option('--apply', 'lift them')
    .addHelpText(
      'after',
      examples(
        'suppressions lift-many --from 2026-11-20 --until 2026-11-21 --diagnostic "SPF"',
        'suppressions lift-many --from 2026-11-20 --until 2026-11-21 --diagnostic "SPF" --apply',
      ),
    )
    .action(async (options: LiftFilter & { readonly apply?: boolean }, command: Command) => {
      const { api, terminal } = await sessions.asManager(command);
      const { apply = false, ...filter } = options;
      const seen = await liftPages(api, filter, true);
      if (apply && seen.matched > 0) {
        await terminal.confirm(`Lift ${seen.matched} suppressions?`);
        const { matched, lifted, removedFromProviderList } = await liftPages(api, filter, false);
        const body = { dryRun: false, matched, lifted, removedFromProviderList };
        const ofProvider = `${removedFromProviderList} of them removed from SES's own list`;
        terminal.show(body, () => `${lifted} lifted, ${ofProvider}.`);
        return;
      }
      const { matched, examples: shown } = seen;
      const body = { dryRun: true, matched, examples: shown };
      terminal.show(body, (paint) =>
        matched === 0 ? '' : drawTable(shown, suppressionColumns, paint),
      );
      const howToLift = matched === 0 ? '' : ' Nothing was lifted: add --apply to lift them.';
      terminal.say(`${matched} match.${howToLift}`);
    });
}

async function liftPages(api: ApiClient, filter: LiftFilter, dryRun: boolean) {
  const ask = async (cursor?: string) => {
    const body = { ...filter, dryRun, cursor };
    const page = await api.ask('POST /api/v1/suppressions/lift', { body });
    return {
      examples: page.examples ?? [],
      matched: required(page, 'matched'),
      lifted: required(page, 'lifted'),
      removedFromProviderList: required(page, 'removedFromProviderList'),
      nextCursor: required(page, 'nextCursor'),
    };
  };
  let page = await ask();
  const { examples } = page;
  let { matched, lifted, removedFromProviderList } = page;
  while (page.nextCursor !== null) {
    page = await ask(page.nextCursor);
    matched += page.matched;
    lifted += page.lifted;
    removedFromProviderList += page.removedFromProviderList;
  }
  return { matched, lifted, removedFromProviderList, examples };
}

type ByReason = { readonly reason?: string };

function addImport(suppressions: Command, sessions: Sessions): void {
  suppressions
    .command('import')
    .argument(
      '<file>',
      'CSV, including exports of SendGrid, Mailgun, Postmark and SES; - for standard input',
    )
    .description('Suppresses the addresses in a file of any size')
    .option('--reason <reason>', 'reason of rows without one', oneOf(suppressionReasons))
    .addHelpText(
      'after',
      examples(
        'suppressions import bounces.csv',
        'suppressions import bounces.csv --reason bounce',
      ),
    )
    .action(async (file: string, { reason }: ByReason, command: Command) => {
      const { terminal, surroundings, asManager } = await sessions.open(command);
      const parts = divideImport(await readNamedFile(file, surroundings));
      const { imported, unchanged, refused } = await importParts(
        parts,
        await asManager(),
        reason,
        terminal,
      );
      terminal.show({ imported, unchanged, refused }, (paint) =>
        refused.length === 0 ? '' : drawTable(refused, refusedColumns, paint),
      );
      terminal.say(`${imported} imported, ${unchanged} already there, ${refused.length} refused.`);
      if (refused.length > 0) throw rowsRefused(refused.length);
    });
}

type RefusedRow = { readonly line?: number | undefined; readonly message?: string | undefined };

const refusedColumns = [
  ['LINE', ({ line }) => line],
  ['REFUSED', ({ message }) => message, 'below'],
] as const satisfies readonly Column<RefusedRow>[];

async function importParts(
  parts: readonly ImportPart[],
  api: ApiClient,
  reason: string | undefined,
  terminal: Terminal,
) {
  const refused: RefusedRow[] = [];
  let imported = 0;
  let unchanged = 0;
  for (const [index, part] of parts.entries()) {
    const name = `Part ${index + 1} of ${parts.length}`;
    try {
      const before = imported;
      const ofPart = await importPart(part, api, reason, (count) =>
        terminal.say(`${before + count} imported so far.`),
      );
      imported += ofPart.imported;
      unchanged += ofPart.unchanged;
      refused.push(...ofPart.refused);
    } catch (failure) {
      if (parts.length > 1) terminal.say(whatFailed(name, part));
      throw failure;
    }
    if (index < parts.length - 1) terminal.say(`${name}: ${imported} imported so far.`);
  }
  return { imported, unchanged, refused };
}

const whatFailed = (name: string, { firstLine }: ImportPart): string =>
  `${name} failed from line ${firstLine} on. The lines before it were imported. To continue, import the file again: rows already imported stay as they are.`;

async function importPart(
  { text, lineInFile }: ImportPart,
  api: ApiClient,
  reason: string | undefined,
  sayImported: (count: number) => void,
) {
  const ask = async () => {
    const request = { query: { reason }, body: text };
    const answer = await api.ask('POST /api/v1/suppressions/import', request);
    const { imported = 0, unchanged = 0, refused = [] } = answer;
    return { imported, unchanged, refused, isComplete: required(answer, 'isComplete') };
  };
  let imported = 0;
  let answer = await ask();
  // An import stops when its request runs out of time. Sending the rows again continues it.
  while (!answer.isComplete) {
    if (answer.imported === 0) throw noProgress();
    imported += answer.imported;
    sayImported(imported);
    answer = await ask();
  }
  return {
    imported: imported + answer.imported,
    // Rows that earlier requests imported count as unchanged here.
    unchanged: answer.unchanged - imported,
    refused: answer.refused.map(({ line, message }) => ({
      line: line === undefined ? undefined : lineInFile(line),
      message,
    })),
  };
}

/** The other rows are imported. A script that ignored this would mail the refused addresses. */
const rowsRefused = (count: number): Failure =>
  new Failure(
    exitCodes.needsAttention,
    'rows_refused',
    `${count === 1 ? 'A row was' : `${count} rows were`} refused.`,
    'Fix the rows listed above and import the file again: rows already imported stay as they are.',
  );

const noProgress = (): Failure =>
  new Failure(
    exitCodes.unavailable,
    'no_progress',
    'A whole request imported not a single row. Split the file, or try again later.',
  );

function addExport(suppressions: Command, sessions: Sessions): void {
  suppressions
    .command('export')
    .description('Exports all suppressions as CSV')
    .option('--reason <reason>', `only ${suppressionReasons.join(', ')}`, oneOf(suppressionReasons))
    .addHelpText('after', examples('suppressions export > suppressions.csv'))
    .action(async ({ reason }: ByReason, command: Command) => {
      const { surroundings, asManager } = await sessions.open(command);
      refuseJson(command, 'suppressions list --all --json');
      const api = await asManager();
      let cursor: string | undefined;
      let isFirst = true;
      do {
        const query = { reason, cursor };
        const page = await api.download('GET /api/v1/suppressions/export', { query });
        // Every page starts with the column names, so keep only the first.
        surroundings.output.write(
          isFirst ? page.text : page.text.slice(page.text.indexOf('\n') + 1),
        );
        isFirst = false;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    });
}
