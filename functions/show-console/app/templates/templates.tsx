import { useLocation } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { May } from '../parts/may.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/pager.tsx';
import { Empty } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Badge, Foreign, Moment, zoned } from '../parts/text.tsx';
import { templatePage } from '../shared/addresses.ts';
import { useCall } from '../shared/use-call.ts';

type Summary = Answer<'GET /api/v1/templates'>['data'][number];

export function Templates() {
  const { query } = useLocation();
  const templates = useCall('GET /api/v1/templates', { query: { cursor: query['cursor'] } });
  return (
    <Page
      title="Templates"
      beside="Emails with variables, sent by alias or ID"
      actions={
        <May ask="POST /api/v1/templates">
          <a class="button" href="/console/templates/new?kind=layout">
            Create layout
          </a>
          <a class="button main" href="/console/templates/new">
            Create template
          </a>
        </May>
      }
    >
      <PagedTable
        label="Templates"
        of={templates}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => templatePage(id)}
        empty={
          <Empty title="No templates yet">
            Create one, and preview it as you write. Your programs send it with their own values.
          </Empty>
        }
      />
    </Page>
  );
}

const columns: readonly Column<Summary>[] = [
  {
    head: 'State',
    look: 'status',
    cell: ({ version, publishedVersion }) => {
      if (publishedVersion === undefined) return <Badge tone="warn">Draft</Badge>;
      return (
        <Badge tone="good">{version === publishedVersion ? 'Published' : 'Has a draft'}</Badge>
      );
    },
  },
  {
    head: 'Name',
    look: 'strong',
    isLink: true,
    cell: ({ name }) => <Foreign text={name} most={100} />,
  },
  {
    head: 'Alias',
    cell: ({ alias, kind }) => (
      <>
        {alias !== undefined && <code>{alias}</code>}
        {kind === 'layout' && ' Layout'}
      </>
    ),
  },
  {
    head: 'Subject',
    look: 'roomy',
    cell: ({ subject }) => <Foreign text={subject} most={160} />,
  },
  {
    head: 'Version',
    width: 1,
    look: 'roomy end',
    cell: ({ version }) => version,
  },
  {
    head: zoned('Changed'),
    look: 'end moment',
    cell: ({ updatedAt }) => <Moment at={updatedAt} inRow />,
  },
];
