import type { Command } from 'commander';
import type { EntryOf } from '../api/answers.ts';
import type { Query } from '../api/client.ts';
import { type PageOptions, showList, withPages } from '../drawing/listing.ts';
import { type Column, momentOf } from '../drawing/text-table.ts';
import { examples, optionalVerb } from '../options.ts';
import type { Sessions } from '../session.ts';
import { oneLine } from '../terminal.ts';

type AuditEntry = EntryOf<'GET /api/v1/audit'>;

export function addAudit(audit: Command, sessions: Sessions): void {
  withPages(audit)
    .addArgument(optionalVerb('list'))
    .addHelpText('after', examples('audit', 'audit --all --json'))
    .action(async (_verb, options: PageOptions, command: Command) => {
      const { api, terminal } = await sessions.asManager(command);
      const ask = (query: Query) => api.ask('GET /api/v1/audit', { query });
      await showList(terminal, { ask, columns, whenEmpty: 'No changes yet.' }, options);
    });
}

const columns = [
  ['TIME', ({ at }) => momentOf(at)],
  ['WHO', ({ actor }) => actor],
  ['ACTION', ({ action }) => action],
  ['TARGET', ({ target }) => target],
  ['BEFORE', ({ before }) => valuesOf(before)],
  ['AFTER', ({ after }) => valuesOf(after)],
] as const satisfies readonly Column<AuditEntry>[];

const valuesOf = (values: unknown) =>
  values === undefined ? undefined : oneLine(JSON.stringify(values));
