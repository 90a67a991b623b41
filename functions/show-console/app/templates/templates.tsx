import { useLocation } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { May } from '../parts/may.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/pager.tsx';
import { Empty } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Badge, Foreign, Moment, Tag, zoned } from '../parts/text.tsx';
import { templatePage } from '../shared/addresses.ts';
import { useCall } from '../shared/use-call.ts';
import { useSent } from '../shared/use-sent.ts';

type Summary = Answer<'GET /api/v1/templates'>['data'][number];

export function Templates() {
  const { query } = useLocation();
  const sentOf = useSent('template');
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
        columns={columnsWith(sentOf)}
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

const columnsWith = (sentOf: (id: string) => number | undefined): readonly Column<Summary>[] => [
  {
    head: 'Name',
    look: 'strong',
    isLink: true,
    cell: ({ name, kind, version, publishedVersion }) => (
      <>
        <Foreign text={name} most={100} /> {kind === 'layout' && <Tag>Layout</Tag>}{' '}
        {version !== publishedVersion && (
          <Badge tone="warn" glyph="wait">
            {publishedVersion === undefined ? 'Draft' : 'Has a draft'}
          </Badge>
        )}
      </>
    ),
  },
  {
    head: 'Alias',
    look: 'quiet',
    cell: ({ alias }) => alias !== undefined && <code>{alias}</code>,
  },
  {
    head: 'Subject',
    look: 'roomy',
    cell: ({ subject }) => <Foreign text={subject} most={160} />,
  },
  {
    head: 'Sent in 30 days',
    width: 2,
    look: 'roomy end',
    cell: ({ id, kind }) => (kind === 'layout' ? undefined : sentOf(id)?.toLocaleString()),
  },
  {
    head: zoned('Changed'),
    look: 'end moment',
    cell: ({ updatedAt }) => <Moment at={updatedAt} inRow />,
  },
];
