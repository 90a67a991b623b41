import type { Command } from 'commander';
import { lists } from '../actions.ts';
import type { EntryOf } from '../api/answers.ts';
import { withPages } from '../drawing/listing.ts';
import { type Column, foreign, momentOf } from '../drawing/text-table.ts';
import { examples, optionalVerb } from '../options.ts';
import type { Sessions } from '../session.ts';

type Refusal = EntryOf<'GET /api/v1/requests'>;

const columns = [
  ['TIME', ({ at }) => momentOf(at)],
  ['TIMES', ({ count }) => count],
  ['STATUS', ({ status }) => status],
  ['CODE', ({ code }) => code],
  ['ENDPOINT', ({ route }) => route, 'below'],
  ['KEY', ({ apiKeyId }) => apiKeyId, 'below'],
  ['LAST REQUEST', ({ requestId }) => requestId, 'below'],
  ['FIELDS', ({ fields = [] }) => foreign(fields.join(' ')), 'below'],
  ['BODY', ({ shape }) => foreign(shape), 'below'],
  ['MESSAGE', ({ message }) => foreign(message), 'below'],
] as const satisfies readonly Column<Refusal>[];

export function addRequests(requests: Command, { asManager }: Sessions): void {
  withPages(requests)
    .addArgument(optionalVerb('list'))
    .option('--key <id>', 'only with this API key, by its id')
    .option('--route <route>', 'only this endpoint, for example "POST /api/v1/emails/send"')
    .option('--code <code>', 'only with this error code')
    .option('--request-id <id>', 'only this one, by its X-Request-Id')
    .option('--from <time>', 'only since this time, for example 2026-11-21')
    .option('--until <time>', 'only before this time')
    .addHelpText(
      'after',
      examples('requests', 'requests --code validation_failed --all', 'refused --request-id bGB…'),
    )
    .action(
      lists(asManager, 'GET /api/v1/requests', { columns, whenEmpty: 'Nothing was refused.' }),
    );
}
