import type { Command } from 'commander';
import { hasScope, scopes } from '#shared/access/scopes';
import { asks, lists } from '../actions.ts';
import { type AnswerOf, type EntryOf, required } from '../api/answers.ts';
import { withPages } from '../drawing/listing.ts';
import { type Column, drawRecord, foreign, momentOf, paintState } from '../drawing/text-table.ts';
import {
  changesOf,
  examples,
  listOf,
  listOfAny,
  needed,
  orNone,
  quoted,
  wholeNumber,
} from '../options.ts';
import type { Sessions } from '../session.ts';
import type { Terminal } from '../terminal.ts';

type ApiKey = EntryOf<'GET /api/v1/api-keys'>;

export function addKeys(keys: Command, sessions: Sessions): void {
  addList(keys, sessions);
  addCreate(keys, sessions);
  addUpdate(keys, sessions);
  addRotate(keys, sessions);
  addRevoke(keys, sessions);
}

function addList(keys: Command, { asManager }: Sessions): void {
  withPages(keys.command('list'))
    .description('Lists keys, newest first, without their secrets')
    .addHelpText('after', examples('keys list', 'keys list --all --json'))
    .action(lists(asManager, 'GET /api/v1/api-keys', { columns, whenEmpty: 'No API keys.' }));
}

const fromHelp = 'From addresses it may use, comma-separated: a@example.com or *@example.com';

const columns = [
  ['ID', ({ id }) => id, 'below'],
  ['NAME', ({ name }) => foreign(name), 'cut'],
  ['STATE', ({ status }, paint) => paintState(status, paint)],
  ['MODE', ({ test }) => modeOf(test)],
  ['PER MINUTE', ({ perMinuteCap }) => perMinuteCap],
  ['PER DAY', ({ dailyCap }) => dailyCap],
  ['LAST USED', ({ lastUsedAt }) => momentOf(lastUsedAt)],
  ['EXPIRES', ({ validUntil }) => momentOf(validUntil), 'below'],
  ['CREATED BY', ({ createdBy }) => foreign(createdBy?.person ?? createdBy?.actor), 'below'],
  ['SCOPES', (key) => scopesOf(key), 'below'],
] as const satisfies readonly Column<ApiKey>[];

function addCreate(keys: Command, sessions: Sessions): void {
  keys
    .command('create')
    .description('Creates a key and shows it once')
    .addOption(needed('--name <name>', 'what it is for'))
    .option('--test', 'a test key: it sends nothing, and simulates SES instead')
    .option('--scopes <scopes>', scopeHelp, listOf(scopes))
    .option('--allowed-from <addresses>', fromHelp, listOfAny)
    .option('--per-minute-cap <number>', 'recipients per minute', wholeNumber)
    .option('--daily-cap <number>', 'recipients per day', wholeNumber)
    .option('--valid-until <time>', 'when it expires, for example 2027-01-31T00:00:00Z')
    .addHelpText(
      'after',
      examples(
        'keys create --name billing --scopes send_email --daily-cap 5000',
        'keys create --name ci --test',
      ),
    )
    .action(async (fields: object, command: Command) => {
      const { api, terminal } = await sessions.asManager(command);
      const answer = await api.ask('POST /api/v1/api-keys', { body: fields });
      showOnce(terminal, answer);
    });
}

function addUpdate(keys: Command, { asManager }: Sessions): void {
  keys
    .command('update')
    .argument('<id>', 'the id of a key')
    .description("Changes the given fields, starting with the key's next request")
    .option('--name <name>', 'what it is for')
    .option('--scopes <scopes>', scopeHelp, listOf(scopes))
    .option('--allowed-from <addresses>', `${fromHelp}, or none`, orNone(listOfAny))
    .option('--per-minute-cap <number>', 'recipients per minute, or none', orNone(wholeNumber))
    .option('--daily-cap <number>', 'recipients per day, or none', orNone(wholeNumber))
    .option('--valid-until <time>', 'when it expires, or none', orNone(String))
    .addHelpText('after', examples('keys update key_… --daily-cap none'))
    .action(
      asks(asManager, 'PATCH /api/v1/api-keys/{id}', (key) => drawRecord(describe(key)), {
        values: changesOf,
      }),
    );
}

function addRotate(keys: Command, sessions: Sessions): void {
  keys
    .command('rotate')
    .argument('<id>', 'the id of a key')
    .description('Creates a successor and shows it once')
    .option(
      '--overlap-hours <number>',
      'hours that both stay valid, 0 to 168 (default: 24)',
      wholeNumber,
    )
    .addHelpText(
      'after',
      examples('keys rotate key_…', 'keys rotate key_… --overlap-hours 0 --yes'),
    )
    .action(async (id: string, options: { readonly overlapHours?: number }, command: Command) => {
      const { api, terminal } = await sessions.asManager(command);
      const { overlapHours } = options;
      if (overlapHours === 0) await terminal.confirm(`End ${id} right away?`);
      const request = { path: { id }, body: { overlapHours } };
      const answer = await api.ask('POST /api/v1/api-keys/{id}/rotate', request);
      showOnce(terminal, answer);
    });
}

function addRevoke(keys: Command, sessions: Sessions): void {
  keys
    .command('revoke')
    .argument('<id>', 'the id of a key')
    .description('Revokes a key for good; its next request is refused')
    .option('--leaked', "somebody else has it: its waiting emails don't go out either")
    .addHelpText('after', examples('keys revoke key_…', 'keys revoke key_… --leaked'))
    .action(async (id: string, { leaked }: { readonly leaked?: true }, command: Command) => {
      const { api, terminal, target, suggest } = await sessions.asManager(command);
      await terminal.confirm(`Revoke ${id} on ${target.name}${leaked ? ' as leaked' : ''}?`);
      const query = { leaked: leaked && 'true' };
      await api.tell('DELETE /api/v1/api-keys/{id}', { path: { id }, query });
      terminal.say(`${id} was revoked.`);
      if (!leaked) return;
      const list = suggest(`sends list --key ${quoted(id)} --status scheduled`);
      terminal.say(`Its waiting emails don't go out. To see them: ${list}`);
    });
}

const scopeHelp = `what it may do, comma-separated: ${scopes.join(', ')}`;

function showOnce(terminal: Terminal, created: AnswerOf<'POST /api/v1/api-keys'>): void {
  const key = required(created, 'key');
  terminal.show(created, () => drawRecord([['Key', key], ...describe(created)]));
  terminal.say("Save the key now: it isn't shown again.");
}

/** A key that lists no scopes has the default ones. */
const scopesOf = ({ scopes: listed = [] }: Pick<ApiKey, 'scopes'>): string =>
  (listed.length === 0 ? scopes.filter((scope) => hasScope([], scope)) : listed).join(' ');

const modeOf = (test: boolean | undefined) => (test ? 'test' : undefined);

const describe = (key: ApiKey) =>
  [
    ['ID', key.id],
    ['Name', foreign(key.name)],
    ['State', key.status],
    ['Mode', modeOf(key.test)],
    ['Scopes', scopesOf(key)],
    ['Sends from', key.allowedFrom?.join(' ')],
    ['Recipients per minute', key.perMinuteCap],
    ['Recipients per day', key.dailyCap],
    ['Valid until', momentOf(key.validUntil)],
  ] as const;
