import type { Command } from 'commander';
import { asks, lists, tells } from '../actions.ts';
import type { EntryOf } from '../api/answers.ts';
import { withPages } from '../drawing/listing.ts';
import { type Column, drawRow, momentOf } from '../drawing/text-table.ts';
import { examples, needed } from '../options.ts';
import type { Sessions } from '../session.ts';

type DomainClaim = EntryOf<'GET /api/v1/domain-claims'>;

const columns = [
  ['DOMAIN', ({ domain }) => domain],
  ['ORGANIZATION', ({ organizationId }) => organizationId],
  ['OWNER', ({ proof }) => (proof === undefined ? 'no' : `yes, by ${proof}`)],
  ['CLAIMED', ({ claimedAt }) => claimedAt && momentOf(claimedAt), 'below'],
  ['VOUCHED FOR', ({ vouchedAt }) => vouchedAt && momentOf(vouchedAt), 'below'],
] as const satisfies readonly Column<DomainClaim>[];

export function addDomainClaims(claims: Command, { asOperator }: Sessions): void {
  withPages(claims.command('list'))
    .description('Lists who claims and who owns each domain, newest first')
    .addHelpText('after', examples('domain-claims list --all'))
    .action(
      lists(asOperator, 'GET /api/v1/domain-claims', { columns, whenEmpty: 'No domain claims.' }),
    );
  claims
    .command('vouch')
    .summary('Makes an organization the owner of a domain')
    .argument('<domain>', 'the domain')
    .description('Makes an organization the owner of a domain without a TXT record')
    .addOption(needed('--organization <id>', 'the id of the organization'))
    .addHelpText('after', examples('domain-claims vouch mail.example.com --organization org_…'))
    .action(
      asks(asOperator, 'POST /api/v1/domain-claims', drawRow<DomainClaim>(columns), {
        values: ({ domain, organization }) => ({ domain, organizationId: organization }),
      }),
    );
  claims
    .command('release')
    .summary('Takes a domain from an organization')
    .argument('<domain>', 'the domain')
    .description('Releases a domain from an organization; sends from it are refused from then on')
    .addOption(needed('--organization <id>', 'the id of the organization'))
    .addHelpText('after', examples('domain-claims release mail.example.com --organization org_…'))
    .action(
      tells(
        asOperator,
        'DELETE /api/v1/domain-claims/{domain}',
        ({ domain }) => `${domain} was released.`,
        {
          values: ({ organization }) => ({ organizationId: organization }),
          confirm: ({ domain, organization }, { name }) =>
            `Take ${domain} from ${organization} on ${name}?`,
        },
      ),
    );
}
