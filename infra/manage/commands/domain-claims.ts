import type { Command } from 'commander';
import type { EntryOf } from '../api/answers.ts';
import type { Query } from '../api/client.ts';
import { type PageOptions, showList, withPages } from '../drawing/listing.ts';
import { type Column, drawTable, momentOf } from '../drawing/text-table.ts';
import { examples, needed } from '../options.ts';
import type { Sessions } from '../session.ts';

type DomainClaim = EntryOf<'GET /api/v1/domain-claims'>;

const columns = [
  ['DOMAIN', ({ domain }) => domain],
  ['ORGANIZATION', ({ organizationId }) => organizationId],
  ['OWNER', ({ isOwner, proof }) => (isOwner ? `yes, by ${proof ?? 'record'}` : 'no')],
  ['CLAIMED', ({ claimedAt }) => claimedAt && momentOf(claimedAt)],
  ['VOUCHED FOR', ({ vouchedAt }) => vouchedAt && momentOf(vouchedAt)],
] as const satisfies readonly Column<DomainClaim>[];

type OrganizationOption = { readonly organization: string };

export function addDomainClaims(claims: Command, sessions: Sessions): void {
  withPages(claims.command('list'))
    .description('Lists who claims and who owns each domain, newest first')
    .addHelpText('after', examples('domain-claims list --all'))
    .action(async (options: PageOptions, command: Command) => {
      const { api, terminal } = await sessions.asOperator(command);
      const ask = (query: Query) => api.ask('GET /api/v1/domain-claims', { query });
      await showList(terminal, { ask, columns, whenEmpty: 'No domain claims.' }, options);
    });
  claims
    .command('vouch')
    .argument('<domain>', 'the domain')
    .description('Makes an organization the owner of a domain without a TXT record')
    .addOption(needed('--organization <id>', 'the id of the organization'))
    .addHelpText('after', examples('domain-claims vouch mail.example.com --organization org_…'))
    .action(async (domain: string, { organization }: OrganizationOption, command: Command) => {
      const { api, terminal } = await sessions.asOperator(command);
      const request = { body: { domain, organizationId: organization } };
      const answer = await api.ask('POST /api/v1/domain-claims', request);
      terminal.show(answer, (paint) => drawTable([answer], columns, paint));
    });
  claims
    .command('release')
    .argument('<domain>', 'the domain')
    .description('Releases a domain from an organization; sends from it are refused from then on')
    .addOption(needed('--organization <id>', 'the id of the organization'))
    .addHelpText('after', examples('domain-claims release mail.example.com --organization org_…'))
    .action(async (domain: string, { organization }: OrganizationOption, command: Command) => {
      const { api, terminal, target } = await sessions.asOperator(command);
      await terminal.confirm(`Take ${domain} from ${organization} on ${target.name}?`);
      await api.tell('DELETE /api/v1/domain-claims/{domain}', {
        path: { domain },
        query: { organizationId: organization },
      });
      terminal.say(`${domain} was released.`);
    });
}
