import type { Command } from 'commander';
import { suppressionReasons } from '#shared/suppressions/suppression';
import { drawTable } from '../drawing/columns.ts';
import { examples } from '../examples.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure, usageFailure } from '../failure.ts';
import type { OpenSession } from '../session.ts';
import type { Surroundings } from '../surroundings.ts';
import { oneOf } from '../values.ts';

type ByReason = { readonly reason?: string };

export function addImport(suppressions: Command, open: OpenSession): void {
  suppressions
    .command('import')
    .argument(
      '<file>',
      'CSV, also as SendGrid, Mailgun, Postmark and SES export it; - is standard input',
    )
    .description('Suppresses the addresses of a file')
    .option('--reason <reason>', 'of rows that name none', oneOf(suppressionReasons))
    .addHelpText(
      'after',
      examples(
        'suppressions import bounces.csv',
        'suppressions import bounces.csv --reason bounce',
      ),
    )
    .action(async (file: string, { reason }: ByReason, command: Command) => {
      const { terminal, surroundings, asManager } = await open(command);
      const body = await readCsv(file, surroundings);
      const api = await asManager();
      const ask = async () =>
        (await api.ask('POST /api/v1/suppressions/import', { query: { reason }, body })).value;
      let imported = 0;
      let answer = await ask();
      // The service takes as long as a request may; the same file again goes on from there.
      while (!answer.isComplete) {
        if (answer.imported === 0) throw noProgress();
        imported += answer.imported;
        terminal.say(`${imported} imported so far.`);
        answer = await ask();
      }
      const { refused } = answer;
      // A later request finds what an earlier one has stored.
      const unchanged = answer.unchanged - imported;
      const total = { imported: imported + answer.imported, unchanged, refused };
      terminal.show(total, (paint) =>
        refused.length === 0
          ? ''
          : drawTable(
              refused,
              [
                ['LINE', ({ line }) => line],
                ['REFUSED', ({ message }) => message],
              ],
              paint,
            ),
      );
      terminal.say(
        `${total.imported} imported, ${unchanged} were there already, ${refused.length} refused.`,
      );
      if (refused.length > 0) throw rowsRefused(refused.length);
    });
}

/** The rest is imported. A script that goes on as if all were would mail those who are not. */
const rowsRefused = (count: number): Failure =>
  new Failure(
    exitCodes.needsAttention,
    'rows_refused',
    `${count === 1 ? 'A row was' : `${count} rows were`} refused.`,
    'Mend what the table names, then import the file again: what is there already stays as it is.',
  );

const noProgress = (): Failure =>
  new Failure(
    exitCodes.unavailable,
    'no_progress',
    'A whole request went by without a new row. Divide the file, or try later.',
  );

async function readCsv(file: string, { readFile, readInput }: Surroundings): Promise<string> {
  if (file === '-') return readInput();
  try {
    return readFile(file);
  } catch {
    throw usageFailure(`The file ${file} cannot be read.`);
  }
}

export function addExport(suppressions: Command, open: OpenSession): void {
  suppressions
    .command('export')
    .description('All suppressions as CSV')
    .option('--reason <reason>', `only ${suppressionReasons.join(', ')}`, oneOf(suppressionReasons))
    .addHelpText('after', examples('suppressions export > suppressions.csv'))
    .action(async ({ reason }: ByReason, command: Command) => {
      const { surroundings, asManager } = await open(command);
      if (command.optsWithGlobals()['json'] === true) {
        throw usageFailure('This prints CSV. JSON comes from: suppressions list --all --json');
      }
      const api = await asManager();
      let cursor: string | undefined;
      let isFirst = true;
      do {
        const query = { reason, cursor };
        const { value, nextCursor } = await api.ask('GET /api/v1/suppressions/export', { query });
        // Each file begins with the names of the columns: the first is enough.
        surroundings.output.write(isFirst ? value : value.slice(value.indexOf('\n') + 1));
        isFirst = false;
        cursor = nextCursor;
      } while (cursor !== undefined);
    });
}
