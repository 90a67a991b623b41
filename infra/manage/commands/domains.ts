import type { Command } from 'commander';
import { asks, lists, tells } from '../actions.ts';
import { type AnswerOf, type EntryOf, required } from '../api/answers.ts';
import { drawIdentity, lackOf, sayNextSteps } from '../drawing/identity.ts';
import { verbatim } from '../drawing/layout.ts';
import { type Column, foreign, paintState } from '../drawing/text-table.ts';
import { exitCodes, Failure } from '../failure.ts';
import { examples } from '../options.ts';
import type { Session, Sessions } from '../session.ts';

type Domain = AnswerOf<'GET /api/v1/domains/{domain}'>;
type ListedDomain = EntryOf<'GET /api/v1/domains'>;

const columns = [
  ['DOMAIN', ({ domain }) => domain],
  ['DEFAULT', ({ isDefault }) => (isDefault ? 'yes' : 'no')],
  ['STATUS', ({ status }, paint) => paintState(status, paint)],
  ['SENDS', ({ canSend }) => (canSend ? 'yes' : 'no')],
  ['FROM', ({ fromEmail }) => foreign(fromEmail), 'below'],
] as const satisfies readonly Column<ListedDomain>[];

export function addDomains(domains: Command, sessions: Sessions): void {
  addList(domains, sessions);
  addAdd(domains, sessions);
  addShow(domains, sessions);
  addVerify(domains, sessions);
  addDefault(domains, sessions);
  addRemove(domains, sessions);
}

function addList(domains: Command, { asManager }: Sessions): void {
  domains
    .command('list')
    .description('Lists your domains, the default first')
    .addHelpText('after', examples('domains list'))
    .action(lists(asManager, 'GET /api/v1/domains', { columns, whenEmpty: 'No domains.' }));
}

type AddOptions = { readonly fromEmail?: string; readonly mailFromLabel?: string };

function addAdd(domains: Command, sessions: Sessions): void {
  domains
    .command('add')
    .argument('<domain>', 'the domain')
    .description('Adds a domain, and shows the DNS records to publish')
    .option('--from-email <email>', 'its From address (default: hello@ that domain)')
    .option('--mail-from-label <label>', 'subdomain that bounces go to (default: bounces)')
    .addHelpText('after', examples('domains add billing.example.com'))
    .action(async (domain: string, options: AddOptions, command: Command) => {
      const session = await sessions.asManager(command);
      const body = { domain, ...options };
      show(session, await session.api.ask('POST /api/v1/domains', { body }));
    });
}

type ShowOptions = { readonly zoneFile?: boolean };

function addShow(domains: Command, sessions: Sessions): void {
  domains
    .command('show')
    .argument('<domain>', 'the domain')
    .description('Shows what SES and DNS say about a domain right now')
    .option('--zone-file', 'print its DNS records as a zone file instead')
    .addHelpText('after', examples('domains show billing.example.com'))
    .action(async (domain: string, { zoneFile = false }: ShowOptions, command: Command) => {
      const session = await sessions.asManager(command);
      const answer = await session.api.ask('GET /api/v1/domains/{domain}', { path: { domain } });
      if (!zoneFile) return show(session, answer);
      const text = required(answer, 'zoneFile');
      session.terminal.show({ zoneFile: text }, () => verbatim(text.trimEnd()));
    });
}

function addVerify(domains: Command, sessions: Sessions): void {
  domains
    .command('verify')
    .summary('Checks the DNS records of a domain now')
    .argument('<domain>', 'the domain')
    .description(
      'Checks the DNS records of a domain now, even after SES gave up; exits with 7 unless active',
    )
    .addHelpText('after', examples('domains verify billing.example.com'))
    .action(async (domain: string, _options, command: Command) => {
      const session = await sessions.asManager(command);
      const request = { path: { domain } };
      const answer = await session.api.ask('POST /api/v1/domains/{domain}/verify', request);
      const status = required(answer, 'status');
      show(session, answer);
      if (status === 'active') return;
      const message = `Not verified yet: ${lackOf(answer)}.`;
      throw new Failure(exitCodes.needsAttention, `domain_${status}`, message);
    });
}

function addDefault(domains: Command, { asManager }: Sessions): void {
  domains
    .command('default')
    .summary('Makes a domain the default')
    .argument('<domain>', 'the domain')
    .description('Makes an active domain the default, for sends that name no From address')
    .option('--from-email <email>', 'its From address')
    .addHelpText('after', examples('domains default billing.example.com'))
    .action(
      asks(asManager, 'PATCH /api/v1/domains/{domain}', drawIdentity, {
        values: ({ fromEmail }) => ({ default: true, fromEmail }),
      }),
    );
}

function addRemove(domains: Command, { asManager }: Sessions): void {
  domains
    .command('remove')
    .argument('<domain>', 'the domain')
    .description('Removes a domain; sends from it are refused from then on')
    .addHelpText('after', examples('domains remove billing.example.com'))
    .action(
      tells(asManager, 'DELETE /api/v1/domains/{domain}', ({ domain }) => `${domain} removed.`, {
        confirm: ({ domain }) => `Remove ${domain}? Sends from it are refused from then on.`,
      }),
    );
}

/** Adds the next steps for its records. */
function show(session: Session, answer: Domain): void {
  session.terminal.show(answer, (paint) => drawIdentity(answer, paint));
  const { domain, status } = answer;
  if (status === 'active') return;
  sayNextSteps(session, `domains show ${domain} --zone-file`, `domains verify ${domain}`);
}
