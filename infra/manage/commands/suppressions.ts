import type { Command } from 'commander';
import { suppressionReasons } from '#shared/suppressions/suppression';
import type { Query } from '../api/client.ts';
import type { Lift } from '../api/send-answers.ts';
import { drawTable } from '../drawing/columns.ts';
import { type PageOptions, showList, withPages } from '../drawing/listing.ts';
import { suppressionColumns } from '../drawing/suppressions.ts';
import { examples } from '../examples.ts';
import type { OpenSession } from '../session.ts';
import { oneOf } from '../values.ts';
import { addExport, addImport } from './suppression-files.ts';
import { addLiftMany } from './suppression-lift.ts';

export function addSuppressions(suppressions: Command, open: OpenSession): void {
  addList(suppressions, open);
  addCreate(suppressions, open);
  addLift(suppressions, open);
  addLiftMany(suppressions, open);
  addImport(suppressions, open);
  addExport(suppressions, open);
}

type Filters = { readonly reason?: string; readonly from?: string; readonly until?: string };

function addList(suppressions: Command, open: OpenSession): void {
  withPages(suppressions.command('list'))
    .description('Suppressions, newest first')
    .option('--reason <reason>', `only ${suppressionReasons.join(', ')}`, oneOf(suppressionReasons))
    .option('--from <time>', 'only from this time on, for example 2026-11-21')
    .option('--until <time>', 'only before this time')
    .addHelpText('after', examples('suppressions list --reason bounce --from 2026-11-21'))
    .action(async (options: PageOptions & Filters, command: Command) => {
      const { terminal, asManager } = await open(command);
      const api = await asManager();
      const { reason, from, until } = options;
      const filters = { reason, from, until };
      const listing = {
        ask: (page: Query) =>
          api.ask('GET /api/v1/suppressions', { query: { ...filters, ...page } }),
        columns: suppressionColumns,
        whenEmpty: 'There is no such suppression.',
      };
      await showList(terminal, listing, options);
    });
}

function addCreate(suppressions: Command, open: OpenSession): void {
  suppressions
    .command('add')
    .argument('<email>', 'an address')
    .description('Suppresses an address')
    .option('--diagnostic <words>', 'why')
    .addHelpText(
      'after',
      examples('suppressions add ann@example.com --diagnostic "asked by phone"'),
    )
    .action(async (email: string, options: { readonly diagnostic?: string }, command: Command) => {
      const { terminal, asManager } = await open(command);
      const api = await asManager();
      const request = { body: { email, diagnostic: options.diagnostic } };
      const { body, value } = await api.ask('POST /api/v1/suppressions', request);
      terminal.show(body, (paint) => drawTable([value], suppressionColumns, paint));
    });
}

function addLift(suppressions: Command, open: OpenSession): void {
  suppressions
    .command('lift')
    .argument('<email>', 'an address')
    .description("Lets an address get email again, and takes it from SES's own list")
    .option(
      '--reason <reason>',
      'only this; without it all but unsubscribe',
      oneOf(suppressionReasons),
    )
    .addHelpText('after', examples('suppressions lift ann@example.com'))
    .action(async (email: string, { reason }: { readonly reason?: string }, command: Command) => {
      const { terminal, asManager } = await open(command);
      const api = await asManager();
      await terminal.confirm(`Lift the suppressions of ${email}?`);
      const request = { parameters: { email }, query: { reason } };
      const { body, value } = await api.ask('DELETE /api/v1/suppressions/{email}', request);
      terminal.show(body, () => describeLift(value));
    });
}

function describeLift({ lifted, remaining, providerList }: Lift): string {
  const left = remaining.length === 0 ? '' : ` Remains: ${remaining.join(', ')}.`;
  const ofProvider = providerListWords.get(providerList) ?? `SES's own list: ${providerList}.`;
  return `Lifted: ${lifted.join(', ') || 'nothing'}.${left} ${ofProvider}`;
}

const providerListWords = new Map([
  ['removed', "It was on SES's own list, and is not any more."],
  ['not_listed', "It was not on SES's own list."],
  ['untouched', "SES's own list was not touched."],
]);
