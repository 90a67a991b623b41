import type { Command } from 'commander';
import { lists } from '../actions.ts';
import type { EntryOf } from '../api/answers.ts';
import { withPages } from '../drawing/listing.ts';
import { type Column, foreign, momentOf } from '../drawing/text-table.ts';
import { examples, optionalVerb } from '../options.ts';
import type { Sessions } from '../session.ts';
import { oneLine } from '../terminal.ts';

type AuditEntry = EntryOf<'GET /api/v1/audit'>;

const columns = [
  ['TIME', ({ at }) => momentOf(at)],
  ['WHO', ({ actor, person }) => foreign(person ?? actor), 'cut'],
  ['ACTION', ({ action }) => action],
  ['TARGET', ({ target }) => target, 'below'],
  ['BEFORE', ({ before }) => valuesOf(before), 'below'],
  ['AFTER', ({ after }) => valuesOf(after), 'below'],
] as const satisfies readonly Column<AuditEntry>[];

const valuesOf = (values: unknown) =>
  values === undefined ? undefined : oneLine(JSON.stringify(values));

export function addAudit(audit: Command, { asManager }: Sessions): void {
  withPages(audit)
    .addArgument(optionalVerb('list'))
    .option('--person <person>', 'only what this person did: their address, or their id')
    .addHelpText(
      'after',
      examples('audit', 'audit --person carol@example.com', 'audit --all --json'),
    )
    .action(lists(asManager, 'GET /api/v1/audit', { columns, whenEmpty: 'No changes yet.' }));
}
