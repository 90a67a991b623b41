import { useLocation } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { FilterBar, useFilters } from '../parts/filter-bar.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/pager.tsx';
import { Empty } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Badge, Foreign, Moment, zoned } from '../parts/text.tsx';
import { recipientPage } from '../shared/addresses.ts';
import { useCall } from '../shared/use-call.ts';
import { reasonTones, reasonWords } from '../suppressions/reasons.ts';

type Contact = Answer<'GET /api/v1/contacts'>['data'][number];

/** Every address the organization has written to. */
export function Contacts() {
  const { prefix, cursor } = useLocation().query;
  const { change } = useFilters();
  const contacts = useCall('GET /api/v1/contacts', { query: { prefix, cursor } });
  return (
    <Page title="Contacts" beside="Everyone you’ve emailed">
      <FilterBar
        label="Address starts with"
        placeholder="Search by the start of an address"
        value={prefix ?? ''}
        onSearch={(text) => change({ prefix: text })}
      />
      <PagedTable
        label="Contacts"
        of={contacts}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ email }) => recipientPage(email)}
        more="More"
        empty={
          prefix ? (
            <Empty title="No matching contacts">Try fewer letters.</Empty>
          ) : (
            <Empty title="No contacts yet">
              The first email to an address creates its contact.
            </Empty>
          )
        }
      />
    </Page>
  );
}

const columns: readonly Column<Contact>[] = [
  {
    head: 'Address',
    look: 'strong',
    isLink: true,
    cell: ({ email, suppressedFor }) => (
      <>
        <Foreign text={email} most={120} />
        {suppressedFor.map((reason) => (
          <span key={reason} class="because">
            <Badge tone={reasonTones[reason]}>{reasonWords[reason]}</Badge>
          </span>
        ))}
      </>
    ),
  },
  {
    head: zoned('First emailed'),
    look: 'end moment',
    cell: ({ createdAt }) => <Moment at={createdAt} inRow />,
  },
];
