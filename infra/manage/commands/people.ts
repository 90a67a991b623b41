import type { Command } from 'commander';
import { roles } from '#shared/access/roles';
import { asks, lists } from '../actions.ts';
import { type EntryOf, required } from '../api/answers.ts';
import type { ApiClient } from '../api/client.ts';
import type { Block } from '../drawing/layout.ts';
import { withPages } from '../drawing/listing.ts';
import { type Column, drawRecord, foreign, momentOf, paintState } from '../drawing/text-table.ts';
import { exitCodes, Failure } from '../failure.ts';
import { examples, needed, oneOf } from '../options.ts';
import type { Sessions } from '../session.ts';

type Person = EntryOf<'GET /api/v1/people'>;

const columns = [
  ['ID', ({ id }) => id, 'below'],
  ['EMAIL', ({ email }) => foreign(email), 'cut'],
  ['ROLE', ({ role }) => role],
  ['STATE', ({ status }, paint) => paintState(status, paint)],
  ['INVITED UNTIL', ({ invitedUntil }) => momentOf(invitedUntil), 'below'],
  ['LAST HERE', ({ lastUsedAt }) => momentOf(lastUsedAt)],
  ['SESSIONS', ({ sessions }) => sessions],
] as const satisfies readonly Column<Person>[];

const describe = (person: Person): Block =>
  drawRecord([
    ['ID', person.id],
    ['Email', foreign(person.email)],
    ['Role', person.role],
    ['State', person.status],
    ['Invited until', momentOf(person.invitedUntil)],
    ['Last here', momentOf(person.lastUsedAt)],
  ]);

const neededRole = () => needed('--role <role>', `one of ${roles.join(', ')}`, oneOf(roles));
const who = ['<person>', 'their address, or their id'] as const;

export function addPeople(people: Command, sessions: Sessions): void {
  const { asManager } = sessions;
  withPages(people.command('list'))
    .description('Lists who signs in to the console, latest invitations first')
    .addHelpText('after', examples('people list', 'people list --all --json'))
    .action(lists(asManager, 'GET /api/v1/people', { columns, whenEmpty: 'Nobody yet.' }));
  people
    .command('invite')
    .summary('Mails an invitation')
    .argument('<email>', 'their address')
    .description('Mails an invitation; they sign in by links mailed to that address')
    .addOption(neededRole())
    .addHelpText('after', examples('people invite carol@example.com --role support'))
    .action(asks(asManager, 'POST /api/v1/people', describe));
  addRole(people, sessions);
  addRemove(people, sessions);
}

function addRole(people: Command, { asManager }: Sessions): void {
  people
    .command('role')
    .summary('Changes what somebody may do')
    .argument(...who)
    .description('Changes what somebody may do, starting with their next request')
    .addOption(neededRole())
    .addHelpText('after', examples('people role carol@example.com --role developer'))
    .action(async (person: string, body: object, command: Command) => {
      const { api, terminal } = await asManager(command);
      const path = { id: await idOf(person, api) };
      const changed = await api.ask('PATCH /api/v1/people/{id}', { path, body });
      terminal.show(changed, () => describe(changed));
    });
}

function addRemove(people: Command, { asManager }: Sessions): void {
  people
    .command('remove')
    .argument(...who)
    .description('Removes somebody; their sessions end at once')
    .addHelpText('after', examples('people remove carol@example.com'))
    .action(async (person: string, _options: object, command: Command) => {
      const { api, terminal, target } = await asManager(command);
      const id = await idOf(person, api);
      await terminal.confirm(`Remove ${person} on ${target.name}?`);
      await api.tell('DELETE /api/v1/people/{id}', { path: { id } });
      terminal.say(`${person} was removed. API keys that they created still work.`);
    });
}

/** @param person an id, or the address of somebody in the list */
async function idOf(person: string, api: ApiClient): Promise<string> {
  if (!person.includes('@')) return person;
  const email = person.toLowerCase();
  let cursor: string | undefined;
  do {
    const page = await api.list('GET /api/v1/people', { limit: '100', cursor });
    const found = required(page, 'data').find((one) => one.email === email);
    if (found !== undefined) return required(found, 'id');
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  throw new Failure(
    exitCodes.notFound,
    'person_not_found',
    `Nobody here has the address ${person}: "people list" shows everybody.`,
  );
}
