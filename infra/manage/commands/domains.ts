import type { Command } from 'commander';
import { type AnswerOf, type EntryOf, required } from '../api/answers.ts';
import { drawIdentity, lackOf } from '../drawing/identity.ts';
import { showList } from '../drawing/listing.ts';
import { type Column, foreign, paintState } from '../drawing/text-table.ts';
import { exitCodes, Failure } from '../failure.ts';
import { examples } from '../options.ts';
import type { OpenSession, Session } from '../session.ts';

type Domain = AnswerOf<'GET /api/v1/domains/{domain}'>;
type ListedDomain = EntryOf<'GET /api/v1/domains'>;

const columns = [
  ['DOMAIN', ({ domain }) => domain],
  ['DEFAULT', ({ isDefault }) => (isDefault ? 'yes' : 'no')],
  ['STATUS', ({ status }, paint) => paintState(status, paint)],
  ['SENDS', ({ canSend }) => (canSend ? 'yes' : 'no')],
  ['FROM', ({ fromEmail }) => foreign(fromEmail)],
] as const satisfies readonly Column<ListedDomain>[];

export function addDomains(domains: Command, open: OpenSession): void {
  addList(domains, open);
  addAdd(domains, open);
  addShow(domains, open);
  addVerify(domains, open);
  addDefault(domains, open);
  addRemove(domains, open);
}

function addList(domains: Command, open: OpenSession): void {
  domains
    .command('list')
    .description('Lists your domains, the default first')
    .addHelpText('after', examples('domains list'))
    .action(async (_options, command: Command) => {
      const { terminal, asManager } = await open(command);
      const api = await asManager();
      const ask = () => api.ask('GET /api/v1/domains');
      await showList(terminal, { ask, columns, whenEmpty: 'No domains.' });
    });
}

type AddOptions = { readonly fromEmail?: string; readonly mailFromLabel?: string };

function addAdd(domains: Command, open: OpenSession): void {
  domains
    .command('add')
    .argument('<domain>', 'the domain')
    .description('Adds a domain, and shows the DNS records to publish')
    .option('--from-email <email>', 'its From address (default: hello@ that domain)')
    .option('--mail-from-label <label>', 'subdomain that bounces go to (default: bounces)')
    .addHelpText('after', examples('domains add billing.example.com'))
    .action(async (domain: string, options: AddOptions, command: Command) => {
      const session = await open(command);
      const api = await session.asManager();
      const { fromEmail, mailFromLabel } = options;
      const body = { domain, fromEmail, mailFromLabel };
      show(session, await api.ask('POST /api/v1/domains', { body }));
    });
}

type ShowOptions = { readonly zoneFile?: boolean };

function addShow(domains: Command, open: OpenSession): void {
  domains
    .command('show')
    .argument('<domain>', 'the domain')
    .description('Shows what SES and DNS say about a domain right now')
    .option('--zone-file', 'print its DNS records as a zone file instead')
    .addHelpText('after', examples('domains show billing.example.com'))
    .action(async (domain: string, { zoneFile = false }: ShowOptions, command: Command) => {
      const session = await open(command);
      const api = await session.asManager();
      const answer = await api.ask('GET /api/v1/domains/{domain}', { path: { domain } });
      if (!zoneFile) return show(session, answer);
      const text = required(answer, 'zoneFile');
      session.terminal.show({ zoneFile: text }, () => text.trimEnd());
    });
}

function addVerify(domains: Command, open: OpenSession): void {
  domains
    .command('verify')
    .argument('<domain>', 'the domain')
    .description(
      'Checks the DNS records of a domain now, even after SES gave up; exits with 7 unless active',
    )
    .addHelpText('after', examples('domains verify billing.example.com'))
    .action(async (domain: string, _options, command: Command) => {
      const session = await open(command);
      const api = await session.asManager();
      const answer = await api.ask('POST /api/v1/domains/{domain}/verify', { path: { domain } });
      const status = required(answer, 'status');
      show(session, answer);
      if (status === 'active') return;
      const message = `Not verified yet: ${lackOf(answer)}.`;
      throw new Failure(exitCodes.needsAttention, `domain_${status}`, message);
    });
}

function addDefault(domains: Command, open: OpenSession): void {
  domains
    .command('default')
    .argument('<domain>', 'the domain')
    .description('Makes an active domain the default, for sends that name no From address')
    .option('--from-email <email>', 'its From address')
    .addHelpText('after', examples('domains default billing.example.com'))
    .action(async (domain: string, { fromEmail }: AddOptions, command: Command) => {
      const { terminal, asManager } = await open(command);
      const api = await asManager();
      const request = { path: { domain }, body: { default: true, fromEmail } };
      const answer = await api.ask('PATCH /api/v1/domains/{domain}', request);
      terminal.show(answer, (paint) => drawIdentity(answer, paint));
    });
}

function addRemove(domains: Command, open: OpenSession): void {
  domains
    .command('remove')
    .argument('<domain>', 'the domain')
    .description('Removes a domain; sends from it are refused from then on')
    .addHelpText('after', examples('domains remove billing.example.com'))
    .action(async (domain: string, _options, command: Command) => {
      const { terminal, asManager } = await open(command);
      const api = await asManager();
      await terminal.confirm(`Remove ${domain}? Sends from it are refused from then on.`);
      await api.tell('DELETE /api/v1/domains/{domain}', { path: { domain } });
      terminal.say(`${domain} removed.`);
    });
}

/** Adds the next steps for its records. The twin's DNS takes a zone file. */
function show({ terminal, target, suggest }: Session, answer: Domain): void {
  terminal.show(answer, (paint) => drawIdentity(answer, paint));
  const { domain, status } = answer;
  if (status === 'active') return;
  const publish =
    target.kind === 'twin'
      ? `Publish these records in the local server's DNS:\n  ${suggest(`domains show ${domain} --zone-file`, `curl -s --data-binary @- ${target.baseUrl}/_local/dns`)}`
      : "Publish these records in the domain's DNS.";
  terminal.say(`${publish}\nThen: ${suggest(`domains verify ${domain}`)}`);
}
