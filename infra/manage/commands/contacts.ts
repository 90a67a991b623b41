import type { Command } from 'commander';
import { asks, lists } from '../actions.ts';
import { type AnswerOf, type EntryOf, required } from '../api/answers.ts';
import type { Drawing } from '../drawing/layout.ts';
import { withPages } from '../drawing/listing.ts';
import { suppressionsOfAddress } from '../drawing/recipient.ts';
import { type Column, drawRecord, drawTable, foreign, momentOf } from '../drawing/text-table.ts';
import { examples } from '../options.ts';
import type { Sessions } from '../session.ts';
import type { Paint } from '../terminal.ts';
import { addErase } from './contact-erasure.ts';

type Contact = AnswerOf<'GET /api/v1/contacts/{email}'>;
type Preferences = AnswerOf<'POST /api/v1/preferences'>;

export function addContacts(contacts: Command, sessions: Sessions): void {
  addList(contacts, sessions);
  addShow(contacts, sessions);
  addSubscription(contacts, sessions, 'subscribe');
  addSubscription(contacts, sessions, 'unsubscribe');
  addExport(contacts, sessions);
  addErase(contacts, sessions);
}

const columns = [
  ['ADDRESS', ({ email }) => foreign(email), 'cut'],
  ['GETS NO EMAIL', ({ suppressedFor = [] }) => suppressedFor.join(' ')],
  ['KNOWN SINCE', ({ createdAt }) => momentOf(createdAt), 'below'],
  ['CHANGED', ({ updatedAt }) => momentOf(updatedAt), 'below'],
] as const satisfies readonly Column<EntryOf<'GET /api/v1/contacts'>>[];

function addList(contacts: Command, { asManager }: Sessions): void {
  withPages(contacts.command('list'))
    .description('Lists contacts by address')
    .option('--prefix <text>', 'only addresses that begin like this')
    .addHelpText('after', examples('contacts list --prefix ann', 'contacts list --all --json'))
    .action(lists(asManager, 'GET /api/v1/contacts', { columns, whenEmpty: 'No contacts found.' }));
}

function addShow(contacts: Command, { asManager }: Sessions): void {
  contacts
    .command('show')
    .argument('<email>', 'an address')
    .description('Shows choices and suppressions')
    .addHelpText('after', examples('contacts show ann@example.com', 'recipient ann@example.com'))
    .action(asks(asManager, 'GET /api/v1/contacts/{email}', drawContact));
}

function drawContact(contact: Contact, paint: Paint): Drawing {
  const { subscriptions = [], suppressions = [] } = contact;
  const chosen = (yes: boolean) =>
    subscriptions.filter(({ subscribed }) => subscribed === yes).map((one) => one.categoryKey);
  return [
    drawRecord([
      ['Address', foreign(contact.email)],
      ['ID', contact.id],
      ['Subscribed to', chosen(true).join(' ') || undefined],
      ['Unsubscribed from', chosen(false).join(' ') || undefined],
      ['Known since', momentOf(contact.createdAt)],
      ['Changed', momentOf(contact.updatedAt)],
    ]),
    '',
    suppressions.length === 0
      ? 'Not suppressed.'
      : drawTable(suppressions, suppressionsOfAddress, paint),
  ];
}

function addExport(contacts: Command, { asManager }: Sessions): void {
  contacts
    .command('export')
    .argument('<email>', 'an address')
    .description('Prints what is known of somebody as JSON')
    .addHelpText(
      'after',
      '\nFor a person who asks what you have about them. The audit records it. Other\nrecipients of their emails are left out, and so are stored contents.',
    )
    .addHelpText('after', examples('contacts export ann@example.com > ann.json'))
    .action(async (email: string, _options: object, command: Command) => {
      const { api, surroundings } = await asManager(command);
      const data: unknown[] = [];
      let cursor: string | undefined;
      do {
        const request = { path: { email }, query: { cursor } };
        const page = await api.ask('GET /api/v1/contacts/{email}/export', request);
        data.push(...required(page, 'data'));
        cursor = required(page, 'nextCursor') ?? undefined;
      } while (cursor !== undefined);
      surroundings.output.write(`${JSON.stringify({ email, data }, null, 2)}\n`);
    });
}

const subscriptionColumns = [
  ['CATEGORY', ({ categoryKey }) => categoryKey],
  ['SUBSCRIBED', ({ subscribed }) => subscribed],
] as const satisfies readonly Column<NonNullable<Preferences['subscriptions']>[number]>[];

function addSubscription(
  contacts: Command,
  { asManager }: Sessions,
  verb: 'subscribe' | 'unsubscribe',
): void {
  const subscribed = verb === 'subscribe';
  contacts
    .command(verb)
    .argument('<email>', 'an address')
    .argument('<categories...>', 'keys of categories')
    .description(
      subscribed ? 'Subscribes somebody to categories' : 'Unsubscribes somebody from categories',
    )
    .addHelpText('after', examples(`contacts ${verb} ann@example.com newsletter`))
    .action(async (email: string, keys: readonly string[], _options: object, command: Command) => {
      const { api, terminal } = await asManager(command);
      const subscriptions = keys.map((categoryKey) => ({ categoryKey, subscribed }));
      const answer = await api.ask('POST /api/v1/preferences', { body: { email, subscriptions } });
      terminal.show(answer, (paint) =>
        drawTable(answer.subscriptions ?? [], subscriptionColumns, paint),
      );
    });
}
