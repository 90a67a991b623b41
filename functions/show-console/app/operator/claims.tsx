import { useLocation } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/pager.tsx';
import { Empty } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Foreign, Moment, StateBadge } from '../parts/text.tsx';
import { organizationPage } from '../shared/addresses.ts';
import { useCall } from '../shared/use-call.ts';
import { Release } from './organization.tsx';

type Claim = Answer<'GET /api/v1/domain-claims'>['data'][number];

const perPage = 50;

/** Who wants which domain, and who has it. */
export function Claims() {
  const { cursor } = useLocation().query;
  const claims = useCall('GET /api/v1/domain-claims', { query: { cursor, limit: perPage } });
  return (
    <Page title="Domain claims" beside="Several may claim a domain; at most one owns it">
      <PagedTable
        label="Domain claims"
        of={claims}
        columns={columnsOf(claims.reload)}
        keyOf={({ domain, organizationId }) => `${domain} ${organizationId}`}
        empty={<Empty title="None yet">An organization claims a domain when it adds it.</Empty>}
      />
    </Page>
  );
}

const columnsOf = (onReleased: () => void): readonly Column<Claim>[] => [
  { head: 'Domain', look: 'strong', width: 3, cell: ({ domain }) => <Foreign text={domain} /> },
  {
    head: 'Organization',
    look: 'roomy',
    width: 3,
    cell: ({ organizationId }) => (
      <a href={organizationPage(organizationId)}>
        <code>{organizationId}</code>
      </a>
    ),
  },
  {
    head: 'State',
    look: 'status',
    cell: (claim) => <StateBadge of={stateOf(claim)} />,
  },
  {
    head: 'Claimed',
    look: 'roomiest',
    cell: ({ claimedAt }) => claimedAt !== undefined && <Moment at={claimedAt} inRow />,
  },
  {
    head: <span class="visually-hidden">Actions</span>,
    look: 'end',
    cell: (claim) => <Release {...claim} onReleased={onReleased} />,
  },
];

function stateOf({ isOwner, proof, vouchedAt }: Claim) {
  if (isOwner) return [proof === 'vouched' ? 'Owner, vouched' : 'Owner', 'good'] as const;
  return vouchedAt === undefined
    ? (['Claims it', 'quiet'] as const)
    : (['Vouched', 'info'] as const);
}
