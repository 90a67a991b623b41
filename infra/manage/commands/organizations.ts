import type { Command } from 'commander';
import { asks, lists, tells } from '../actions.ts';
import { type AnswerOf, type EntryOf, required } from '../api/answers.ts';
import type { Block } from '../drawing/layout.ts';
import { withPages } from '../drawing/listing.ts';
import {
  type Column,
  drawRecord,
  drawTable,
  foreign,
  momentOf,
  paintState,
} from '../drawing/text-table.ts';
import { usageFailure } from '../failure.ts';
import { changesOf, examples, needed, onOrOff } from '../options.ts';
import type { Sessions } from '../session.ts';

type Organization = EntryOf<'GET /api/v1/organizations'>;
type BoundedOrganization = AnswerOf<'GET /api/v1/organizations/{id}'>;

export function addOrganizations(organizations: Command, sessions: Sessions): void {
  addCreate(organizations, sessions);
  addList(organizations, sessions);
  addShow(organizations, sessions);
  addUpdate(organizations, sessions);
  addLimits(organizations, sessions);
  addPause(organizations, sessions, 'pause');
  addPause(organizations, sessions, 'resume');
  addDelete(organizations, sessions);
  addNewKey(organizations, sessions);
}

function addCreate(organizations: Command, sessions: Sessions): void {
  organizations
    .command('create')
    .description('Creates an organization and shows its first key once')
    .addOption(needed('--name <name>', 'name of the organization'))
    .option(
      '--attachments <on|off>',
      'whether its emails may have attachments (default: on)',
      onOrOff,
    )
    .addHelpText('after', examples('organizations create --name "Example Ltd"'))
    .action(
      async (
        options: { readonly name: string; readonly attachments?: boolean },
        command: Command,
      ) => {
        const { api, terminal } = await sessions.asOperator(command);
        const request = { body: { name: options.name, attachmentsEnabled: options.attachments } };
        const answer = await api.ask('POST /api/v1/organizations', request);
        const { organization = {}, apiKey = {} } = answer;
        const key = required(apiKey, 'key');
        terminal.show(answer, () => drawRecord([...describe(organization), ['Key', key]]));
        terminal.say(shownOnce);
      },
    );
}

function addList(organizations: Command, { asOperator }: Sessions): void {
  withPages(organizations.command('list'))
    .description('Lists organizations, newest first')
    .addHelpText('after', examples('organizations list --all'))
    .action(
      lists(asOperator, 'GET /api/v1/organizations', { columns, whenEmpty: 'No organizations.' }),
    );
}

const activeDomainsOf = ({ identity, domains = [] }: Organization): string | undefined =>
  [...(identity === undefined ? [] : [identity]), ...domains]
    .flatMap(({ domain, status }) => (status === 'active' ? [domain] : []))
    .join(' ') || undefined;

const columns = [
  ['ID', ({ id }) => id],
  ['NAME', ({ name }) => foreign(name), 'cut'],
  ['STATE', (organization, paint) => paintState(stateOf(organization), paint)],
  ['SENDS FROM', ({ identity }) => identity?.fromEmail, 'below'],
  ['DOMAINS', activeDomainsOf, 'below'],
  ['SINCE', ({ createdAt }) => momentOf(createdAt), 'below'],
] as const satisfies readonly Column<Organization>[];

function addShow(organizations: Command, { asOperator }: Sessions): void {
  organizations
    .command('show')
    .argument('<id>', 'the id of an organization')
    .description('Shows an organization')
    .addHelpText('after', examples('organizations show org_…'))
    .action(asks(asOperator, 'GET /api/v1/organizations/{id}', drawOrganization));
}

const route = 'PATCH /api/v1/organizations/{id}';

function addUpdate(organizations: Command, { asOperator }: Sessions): void {
  organizations
    .command('update')
    .argument('<id>', 'the id of an organization')
    .description('Changes the given fields')
    .option('--name <name>', 'name of the organization')
    .option('--attachments <on|off>', 'whether its emails may have attachments', onOrOff)
    .addHelpText('after', examples('organizations update org_… --attachments off'))
    .action(
      asks(asOperator, route, drawOrganization, {
        values: ({ attachments, ...others }) =>
          changesOf({
            ...others,
            ...(attachments !== undefined && { attachmentsEnabled: attachments }),
          }),
      }),
    );
}

function addLimits(organizations: Command, sessions: Sessions): void {
  organizations
    .command('limits')
    .summary('Sets and shows limits')
    .argument('<id>', 'the id of an organization')
    .argument('[limits...]', 'limits to set: name=number or name=default')
    .description('Sets limits of an organization, and shows them beside what it uses')
    .addHelpText(
      'after',
      examples('organizations limits org_… recipientsPerDay=50000 apiKeys=default'),
    )
    .action(async (id: string, newLimits: readonly string[], _options, command: Command) => {
      const { api, terminal } = await sessions.asOperator(command);
      if (newLimits.length > 0)
        await api.ask(route, { path: { id }, body: { limits: toLimits(newLimits) } });
      const request = { path: { id } };
      const answer = await api.ask('GET /api/v1/organizations/{id}', request);
      terminal.show(answer, (paint) => drawTable(limitRows(answer), limitColumns, paint));
    });
}

const toLimits = (texts: readonly string[]) => Object.fromEntries(texts.map(toLimit));

/** Reads `apiKeys=200`; the service knows the names. */
function toLimit(text: string): readonly [string, number | null] {
  const [, name, value] = /^(\w+)=(\d{1,15}|default)$/.exec(text) ?? [];
  if (name === undefined)
    throw usageFailure(`${text} isn't a limit: write name=number or name=default.`);
  return [name, value === 'default' ? null : Number(value)];
}

function limitRows({ limits = {}, use = {} }: BoundedOrganization) {
  const used = new Map(Object.entries(use));
  return Object.entries(limits).map(([name, limit]) => ({ name, ...limit, used: used.get(name) }));
}

const limitColumns = [
  ['LIMIT', ({ name }) => name],
  ['MAY USE', ({ limit }) => limit ?? 'no limit'],
  ['USES', ({ used }) => used],
  ['SET FOR', ({ isDefault }) => (isDefault ? 'all' : 'this organization')],
] as const satisfies readonly Column<ReturnType<typeof limitRows>[number]>[];

function addPause(
  organizations: Command,
  { asOperator }: Sessions,
  verb: 'pause' | 'resume',
): void {
  const paused = verb === 'pause';
  organizations
    .command(verb)
    .argument('<id>', 'the id of an organization')
    .description(
      paused
        ? 'Pauses an organization: its sends are refused'
        : 'Lets a paused organization send again',
    )
    .addHelpText('after', examples(`organizations ${verb} org_…`))
    .action(
      asks(asOperator, route, drawOrganization, {
        values: () => ({ paused }),
        ...(paused && { confirm: ({ id }, { name }) => `Pause ${id} on ${name}?` }),
      }),
    );
}

export function addLinks(links: Command, sessions: Sessions): void {
  addLinkSwitch(links, sessions, 'disable');
  addLinkSwitch(links, sessions, 'enable');
  addLinkDomain(links, sessions);
}

function addLinkSwitch(links: Command, { asOperator }: Sessions, verb: 'disable' | 'enable'): void {
  const linksDisabled = verb === 'disable';
  links
    .command(verb)
    .description(
      linksDisabled
        ? 'Turns off its tracked links (404), even in emails already sent'
        : 'Makes its tracked links work again',
    )
    .addOption(needed('--organization <id>', 'the id of an organization'))
    .addHelpText('after', examples(`links ${verb} --organization org_…`))
    .action(async ({ organization: id }: { readonly organization: string }, command: Command) => {
      const { api, terminal, target } = await asOperator(command);
      if (linksDisabled) await terminal.confirm(`Disable the links of ${id} on ${target.name}?`);
      const answer = await api.ask(route, { path: { id }, body: { linksDisabled } });
      terminal.show(answer, () => drawOrganization(answer));
    });
}

function addLinkDomain(links: Command, sessions: Sessions): void {
  links
    .command('domain')
    .argument('<host>', 'one of the deployment’s link domains, or "none"')
    .addOption(needed('--organization <id>', 'the id of an organization'))
    .option('--give-back', 'give back all its other hosts: links there stop working')
    .description("Sets the host of the links in an organization's next emails")
    .addHelpText(
      'after',
      examples(
        'links domain links.shop.example --organization org_…',
        'links domain none --give-back --organization org_…',
      ),
    )
    .action(
      async (
        host: string,
        {
          organization: id,
          giveBack = false,
        }: { readonly organization: string; readonly giveBack?: boolean },
        command: Command,
      ) => {
        const { api, terminal, target } = await sessions.asOperator(command);
        if (giveBack) {
          await terminal.confirm(
            `Give back all other link domains of ${id} on ${target.name}? Its links there stop working.`,
          );
        }
        const body = {
          linkDomain: host === 'none' ? null : host,
          ...(giveBack && { formerLinkDomains: [] }),
        };
        const answer = await api.ask(route, { path: { id }, body });
        terminal.show(answer, () => drawOrganization(answer));
      },
    );
}

function addDelete(organizations: Command, { asOperator }: Sessions): void {
  organizations
    .command('delete')
    .argument('<id>', 'the id of an organization')
    .description('Deletes an organization and everything in it')
    .addOption(
      needed('--name <name>', 'its name, as confirmation that this is the organization to delete'),
    )
    .addHelpText('after', examples('organizations delete org_… --name "Example Ltd"'))
    .action(
      tells(asOperator, 'DELETE /api/v1/organizations/{id}', ({ id }) => `${id} was deleted.`, {
        confirm: ({ id }, target) => `Delete ${id} and everything in it from ${target.name}?`,
      }),
    );
}

function addNewKey(organizations: Command, sessions: Sessions): void {
  organizations
    .command('new-key')
    .summary('Creates a key if the last one is lost')
    .argument('<id>', 'the id of an organization')
    .description('Creates a key that may do everything, if the last one is lost, and shows it once')
    .addHelpText('after', examples('organizations new-key org_…'))
    .action(async (id: string, _options, command: Command) => {
      const { api, terminal } = await sessions.asOperator(command);
      const request = { path: { id } };
      const answer = await api.ask('POST /api/v1/organizations/{id}/api-keys', request);
      const key = required(answer, 'key');
      terminal.show(answer, () =>
        drawRecord([
          ['ID', answer.id],
          ['Key', key],
        ]),
      );
      terminal.say(shownOnce);
    });
}

const shownOnce =
  "Save the key now: it isn't shown again. The other commands read it from EMAIL_SERVICE_KEY.";

const stateOf = ({ paused }: Organization): string =>
  paused === undefined ? 'unknown' : paused ? 'paused' : 'active';

const drawOrganization = (organization: Organization): Block => drawRecord(describe(organization));

const describe = (organization: Organization) =>
  [
    ['ID', organization.id],
    ['Name', foreign(organization.name)],
    ['State', stateOf(organization)],
    ['Attachments', organization.attachmentsEnabled],
    ['Links', organization.linksDisabled ? 'disabled' : 'enabled'],
    ['Links lead to', organization.linkDomain],
    ['Earlier links', organization.formerLinkDomains?.join(' ')],
    ['Sends from', organization.identity?.fromEmail],
    ['Active domains', activeDomainsOf(organization)],
    ['Since', momentOf(organization.createdAt)],
  ] as const;
