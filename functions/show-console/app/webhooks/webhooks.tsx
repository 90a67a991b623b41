import { useState } from 'preact/hooks';
import { May } from '../parts/may.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Foreign, Moment, ShownOnce } from '../parts/text.tsx';
import { webhookPage } from '../shared/addresses.ts';
import { namesOf } from '../shared/names.ts';
import { useCall } from '../shared/use-call.ts';
import type { Webhook } from './deliveries.ts';
import { AddEndpoint } from './endpoint-form.tsx';
import { HealthBadge } from './health-badge.tsx';
import { waitingText } from './waiting-words.ts';

export function Webhooks() {
  const webhooks = useCall('GET /api/v1/webhooks', {});
  namesOf(webhooks.value?.data);
  const [secret, setSecret] = useState<string>();
  const add = (
    <May ask="POST /api/v1/webhooks">
      <AddEndpoint
        onCreated={(created) => {
          setSecret(created);
          webhooks.reload();
        }}
      />
    </May>
  );
  return (
    <Page
      title="Webhooks"
      beside="Notify your servers of deliveries, bounces and opens"
      actions={add}
    >
      {secret && <ShownOnce what="the new endpoint’s signing secret" secret={secret} />}
      <Shown of={webhooks}>
        {({ data }) =>
          data.length === 0 ? (
            <NoEndpoints />
          ) : (
            // Newest first, so that a new one is in view.
            <Table
              label="Webhook endpoints"
              columns={columns}
              rows={[...data].reverse()}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => webhookPage(id)}
            />
          )
        }
      </Shown>
    </Page>
  );
}

/** What is the same for most, such as their events and format, is on their pages. */
const columns: readonly Column<Webhook>[] = [
  {
    head: 'Endpoint',
    cell: ({ url, description }) =>
      description === '' ? (
        <Url url={url} />
      ) : (
        <>
          <Foreign text={description} /> <Url url={url} isQuiet />
        </>
      ),
    look: 'strong',
    isLink: true,
  },
  {
    head: 'Waiting',
    cell: ({ waiting }) =>
      waiting !== undefined && waiting.count > 0 ? waitingText(waiting) : <None />,
    look: 'roomy',
    width: 3,
  },
  {
    head: 'State',
    cell: (webhook) => (
      <>
        <HealthBadge webhook={webhook} />
        <Since webhook={webhook} />
      </>
    ),
    width: 3,
  },
];

const Url = ({ url, isQuiet = false }: { url: string; isQuiet?: boolean }) => (
  <code class={isQuiet ? 'quiet' : undefined}>
    <Foreign text={url} />
  </code>
);

const None = () => <span class="quiet">Nothing</span>;

function Since({ webhook: { disabled, pausedAt, health } }: { webhook: Webhook }) {
  const at = disabled?.at ?? pausedAt ?? health.failingSince;
  return at === undefined ? null : (
    <>
      {' '}
      since <Moment at={at} inRow />
    </>
  );
}

const NoEndpoints = () => (
  <Empty title="No webhook endpoints">
    <p>
      Add the URL of your server, and it gets a signed request for each delivery, bounce, complaint,
      open and click, within seconds. Failed requests are retried for hours.
    </p>
    <p>
      <a href="/docs/webhooks">How to receive webhooks</a>
    </p>
  </Empty>
);
