import { useEffect, useRef } from 'preact/hooks';
import { type RateKind, rateOf } from '#shared/usage/rate-limits';
import { announce } from '../shared/announce.tsx';
import { Page } from '../shared/page.tsx';
import { Empty, Shown } from '../shared/states.tsx';
import { Badge, Foreign, Sentence } from '../shared/text.tsx';
import { type Called, useCall } from '../shared/use-call.ts';
import { DeliverySpeed } from '../usage/time-to-delivery.tsx';
import { UsageChart } from '../usage/usage-chart.tsx';
import type { Usage } from '../usage/usage-table.ts';
import { rateKinds, rateText, rateWords } from './rates.ts';
import { type Overview, type Trouble, troublesOf } from './troubles.ts';

/** How the organization's email is doing, and what to do about it. */
export function OverviewPage() {
  const overview = useCall('GET /api/v1/overview', {});
  const usage = useCall('GET /api/v1/usage', { query: { by: 'day' } });
  const isLoading = overview.isLoading || usage.isLoading;
  const isAsked = useRef(false);
  const refresh = () => {
    isAsked.current = true;
    overview.reload();
    usage.reload();
  };
  useEffect(() => {
    if (isLoading || !isAsked.current) return;
    isAsked.current = false;
    announce('Refreshed');
  }, [isLoading]);
  return (
    <Page title="Overview">
      <Shown of={overview}>
        {(value) => (
          <>
            <Troubles overview={value} usage={usage} />
            {!value.setup.isFinished && <Setup setup={value.setup} />}
          </>
        )}
      </Shown>
      <h2>Last 30 days</h2>
      <Shown of={usage}>{(value) => <Figures usage={value} />}</Shown>
      <p class="buttons">
        <button type="button" onClick={refresh} aria-disabled={isLoading}>
          {isLoading ? 'Refreshing…' : 'Refresh'}
        </button>
      </p>
    </Page>
  );
}

function Troubles({ overview, usage }: { overview: Overview; usage: Called<Usage> }) {
  const troubles = troublesOf(overview, usage.value?.total);
  const isUnknown = overview.account === null;
  if (troubles.length === 0 && !overview.setup.isFinished) return null;
  return (
    <>
      <h2>Needs your attention</h2>
      {troubles.length === 0 && usage.value !== undefined && <p class="notice good">All good.</p>}
      {troubles.map((trouble) => (
        <TroubleNotice key={trouble.key} trouble={trouble} />
      ))}
      {isUnknown && (
        <p class="quiet">
          The AWS account’s state at Amazon SES can’t be read right now. Refresh in a moment.
        </p>
      )}
    </>
  );
}

const TroubleNotice = ({ trouble: { tone, title, of, text, link } }: { trouble: Trouble }) => (
  <div class={`notice ${tone === 'quiet' ? '' : tone}`}>
    <p>
      <b>{title}</b>
      {of && (
        <>
          : <Foreign text={of} />
        </>
      )}
    </p>
    <p>
      <Sentence text={text} />{' '}
      {link && (
        <a href={link[1]} aria-label={of && `${link[0]}: ${of}`}>
          {link[0]}
        </a>
      )}
    </p>
  </div>
);

/** What to do for each step of the setup, and where. */
const stepWords: Readonly<
  Record<
    Overview['setup']['steps'][number]['name'],
    readonly [text: string, address: `/console/${string}` | '/docs']
  >
> = {
  identity: ['Set the domain and the address you send from', '/console/domains'],
  dns: ['Publish the DNS records that verify the domain', '/console/domains'],
  production_access: ['Get your AWS account out of the Amazon SES sandbox', '/console/domains'],
  key: ['Create an API key for your application', '/console/keys'],
  first_sent: ['Send your first email', '/docs'],
  first_delivered: ['See it delivered', '/console/emails'],
  webhook: [
    'Add a webhook, so your application learns what becomes of emails',
    '/console/webhooks',
  ],
};

const Setup = ({ setup: { steps } }: Pick<Overview, 'setup'>) => (
  <>
    <h2>Get started</h2>
    <ol class="steps">
      {steps.map(({ name, isDone, isOptional }) => (
        <li key={name}>
          <StepBadge isDone={isDone} />{' '}
          {isDone ? stepWords[name][0] : <a href={stepWords[name][1]}>{stepWords[name][0]}</a>}
          {isOptional && <span class="quiet"> (optional)</span>}
        </li>
      ))}
    </ol>
    <p class="quiet">Sends and deliveries show up here within a minute.</p>
  </>
);

function StepBadge({ isDone }: { isDone: boolean | null }) {
  if (isDone === null) return <Badge tone="quiet">Unknown</Badge>;
  return isDone ? <Badge tone="good">Done</Badge> : <Badge tone="warn">To do</Badge>;
}

function Figures({ usage: { days = [], total } }: { usage: Usage }) {
  const { sends, events } = total;
  const isEmpty = sends + events.delivered + events.bounced + events.complained === 0;
  if (isEmpty) return <Empty>No emails in the last 30 days (UTC).</Empty>;
  return (
    <>
      <UsageChart days={days} total={total} />
      <DeliverySpeed total={total} />
      <h2>Reputation</h2>
      <ul class="rows">
        {rateKinds.map((kind) => (
          <RateRow key={kind} kind={kind} sent={sends} counted={events[kind]} />
        ))}
      </ul>
      <p class="quiet">
        Over the last 30 days. At the limit, AWS reviews an account, and may later pause its
        sending. AWS picks the volume it measures, so its figures may differ. Soft bounces count
        here, but not there.
      </p>
    </>
  );
}

function RateRow({ kind, sent, counted }: { kind: RateKind; sent: number; counted: number }) {
  const rate = rateOf(kind, sent, counted);
  const { name, who, suppressions } = rateWords[kind];
  return (
    <li>
      <b class="rate">{name}</b>
      <span class="wide">{rateText(kind, sent, counted)}</span>
      {rate.state === 'near' && <Badge tone="warn">Near the limit</Badge>}
      {rate.state === 'reached' && <Badge tone="bad">At the limit</Badge>}
      {counted > 0 && <a href={suppressions}>{who}</a>}
    </li>
  );
}
