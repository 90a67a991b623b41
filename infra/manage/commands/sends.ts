import type { Command } from 'commander';
import { sendStatuses } from '#shared/sending/send';
import type { EntryOf } from '../api/answers.ts';
import type { Query } from '../api/client.ts';
import { type Column, foreign, momentOf, paintState } from '../drawing/columns.ts';
import { type PageOptions, showList, withPages } from '../drawing/listing.ts';
import { drawTimeline } from '../drawing/timeline.ts';
import { examples, oneOf } from '../options.ts';
import type { OpenSession } from '../session.ts';

type Send = EntryOf<'GET /api/v1/sends'>;

export function addSends(sends: Command, open: OpenSession): void {
  addList(sends, open);
  addShow(sends, open);
  addFreeKey(sends, open);
}

function addFreeKey(sends: Command, open: OpenSession): void {
  sends
    .command('free-key')
    .argument('<key>', 'an idempotency key')
    .description('Frees an idempotency key; the next request with it sends a new email')
    .addHelpText('after', examples('sends free-key welcome-ann'))
    .action(async (key: string, _options, command: Command) => {
      const { terminal, asManager } = await open(command);
      const api = await asManager();
      await api.tell('DELETE /api/v1/idempotency-keys/{key+}', { path: { key } });
      terminal.say(`${foreign(key)} is free.`);
    });
}

type ListOptions = PageOptions &
  Readonly<
    Partial<Record<'to' | 'status' | 'from' | 'until' | 'template' | 'key' | 'tag', string>>
  >;

function addList(sends: Command, open: OpenSession): void {
  withPages(sends.command('list'))
    .description('Lists sends, newest first')
    .option('--to <email>', 'only to this address')
    .option('--status <status>', `only ${sendStatuses.join(', ')}`, oneOf(sendStatuses))
    .option('--from <time>', 'only from this time on, for example 2026-11-21')
    .option('--until <time>', 'only before this time')
    .option('--template <id>', 'only with this template')
    .option('--key <id>', 'only with this API key, by its id')
    .option('--tag <name:value>', 'only with this tag')
    .addHelpText(
      'after',
      examples(
        'sends list --to ann@example.com',
        'sends list --status failed --from 2026-11-21 --all',
      ),
    )
    .action(async (options: ListOptions, command: Command) => {
      const { terminal, asManager } = await open(command);
      const api = await asManager();
      const { to, status, from, until, template, key, tag } = options;
      const filters = { to, status, from, until, template, key, tag };
      const ask = (page: Query) => api.ask('GET /api/v1/sends', { query: { ...filters, ...page } });
      await showList(terminal, { ask, columns, whenEmpty: 'No sends found.' }, options);
    });
}

const columns = [
  ['TIME', ({ createdAt }) => momentOf(createdAt)],
  ['STATUS', ({ status }, paint) => paintState(status, paint)],
  ['TO', ({ toEmail }) => foreign(toEmail)],
  ['SUBJECT', ({ subject }) => foreign(subject)],
  ['ID', ({ _id }) => _id],
] as const satisfies readonly Column<Send>[];

function addShow(sends: Command, open: OpenSession): void {
  sends
    .command('show')
    .argument('<id>', 'the id of a send')
    .description('Shows the timeline of a send: attempts, events, webhooks')
    .addHelpText('after', examples('sends show snd_…', 'sends show snd_… --json'))
    .action(async (id: string, _options, command: Command) => {
      const { terminal, asManager } = await open(command);
      const api = await asManager();
      const answer = await api.ask('GET /api/v1/sends/{id}', { path: { id } });
      terminal.show(answer, (paint) => drawTimeline(answer, paint));
    });
}
