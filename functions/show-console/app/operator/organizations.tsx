import type { Answer } from '../../../api.ts';
import { FilterBar, useFilters } from '../parts/filter-bar.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/pager.tsx';
import { Empty } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Foreign, StateBadge } from '../parts/text.tsx';
import { organizationPage } from '../shared/addresses.ts';
import { utcDay } from '../shared/format.ts';
import { useCall } from '../shared/use-call.ts';

type Row = Answer<'GET /api/v1/organization-usage'>['data'][number];

/** An organization costs the service a query, so a page has half of what it could. */
const perPage = 50;

const idForm = /^org_[a-z2-7]{16}$/;

/** Every organization, with its figures of today. */
export function Organizations() {
  const { query, change } = useFilters();
  const { search, cursor } = query;
  const day = utcDay(Date.now());
  const organizations = useCall('GET /api/v1/organization-usage', {
    query: { day, search, cursor, limit: perPage },
  });
  return (
    <Page title="Organizations" beside="Figures of today, in UTC">
      <FilterBar
        label="Search by name or ID"
        value={search ?? ''}
        onSearch={(text) =>
          text !== undefined && idForm.test(text)
            ? location.assign(organizationPage(text))
            : change({ search: text })
        }
      />
      <PagedTable
        label="Organizations"
        of={organizations}
        columns={columns}
        keyOf={({ organizationId }) => organizationId}
        hrefOf={({ organizationId }) => organizationPage(organizationId)}
        empty={
          search ? (
            <Empty title="None found">No other organization has this in its name.</Empty>
          ) : (
            <Empty title="None yet">
              Create the first one: <code>npm run manage -- organizations create</code>
            </Empty>
          )
        }
      />
    </Page>
  );
}

const columns: readonly Column<Row>[] = [
  {
    head: 'Organization',
    look: 'strong',
    width: 4,
    isLink: true,
    cell: ({ name }) => <Foreign text={name} most={80} />,
  },
  {
    head: 'State',
    look: 'status',
    cell: ({ paused }) => paused && <StateBadge of={['Paused', 'warn']} />,
  },
  { head: 'Emails', look: 'end', cell: ({ sends }) => sends.toLocaleString() },
  {
    head: 'Bounced',
    look: 'end roomy',
    cell: ({ bouncedRecipients }) => bouncedRecipients.toLocaleString(),
  },
  {
    head: 'Complaints',
    look: 'end roomy',
    cell: ({ complainedRecipients }) => complainedRecipients.toLocaleString(),
  },
  {
    head: 'Recipients, of the day’s limit',
    look: 'end roomiest',
    width: 3,
    cell: ({ recipients, recipientsPerDay: limit }) =>
      limit === null
        ? recipients.toLocaleString()
        : `${recipients.toLocaleString()} of ${limit.toLocaleString()}`,
  },
];
