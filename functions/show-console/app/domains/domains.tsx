import { useLocation } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { May } from '../parts/may.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Foreign, Moment, StateBadge, Tag, zoned } from '../parts/text.tsx';
import { domainPage } from '../shared/addresses.ts';
import { useCall } from '../shared/use-call.ts';
import { AddDomain } from './domain-actions.tsx';
import { statusWords } from './domain-state.ts';

type Listed = Answer<'GET /api/v1/domains'>['data'][number];

/** A state only where the domain doesn't send yet. */
const columns: readonly Column<Listed>[] = [
  {
    head: 'Domain',
    isLink: true,
    cell: ({ domain, isDefault }) => (
      <>
        <Foreign text={domain} /> {isDefault && <Tag>Default</Tag>}
      </>
    ),
  },
  {
    head: 'State',
    cell: ({ status, reason = '' }) =>
      status !== 'active' && (
        <>
          <StateBadge of={statusWords[status]} /> <Foreign text={reason} />
        </>
      ),
  },
  {
    head: 'From',
    look: 'roomy quiet',
    cell: ({ fromEmail }) => <Foreign text={fromEmail} />,
  },
  {
    head: zoned('Added'),
    look: 'end roomiest quiet',
    width: 2,
    cell: ({ createdAt }) => <Moment at={createdAt} inRow />,
  },
];

export function Domains() {
  const domains = useCall('GET /api/v1/domains', {});
  const { route } = useLocation();
  const listed = domains.value?.data;
  return (
    <Page
      title="Domains"
      beside="Where your emails come from"
      actions={
        listed && (
          <May ask="POST /api/v1/domains">
            <AddDomain listed={listed} onAdded={(domain) => route(domainPage(domain))} />
          </May>
        )
      }
    >
      <Shown of={domains}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No domains yet">
              Add your domain, publish its DNS records, and send from any address at it.
            </Empty>
          ) : (
            <Table
              label="Domains"
              columns={columns}
              rows={data}
              keyOf={({ domain }) => domain}
              hrefOf={({ domain }) => domainPage(domain)}
            />
          )
        }
      </Shown>
    </Page>
  );
}
