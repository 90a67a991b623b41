import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../parts/announce.tsx';
import { Page } from '../parts/page.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { Badge, Foreign, Sentence } from '../parts/text.tsx';
import { namesOf } from '../shared/names.ts';
import { mayOpen } from '../shared/places.ts';
import { noteAccount } from '../shared/sandbox.ts';
import { type Called, useCall } from '../shared/use-call.ts';
import { ReceivingDomains } from '../usage/time-to-delivery.tsx';
import { UsageChart } from '../usage/usage-chart.tsx';
import type { Usage } from '../usage/usage-table.ts';
import { Tiles } from './tiles.tsx';
import { type Overview, type Trouble, troublesOf } from './troubles.ts';

export function OverviewPage() {
  const overview = useCall('GET /api/v1/overview', {});
  const usage = useCall('GET /api/v1/usage', { query: { by: 'day', previous: 'true' } });
  namesOf(overview.value?.webhooks);
  noteAccount(overview.value?.account);
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
    <Page
      title="Overview"
      beside="Last 30 days (UTC), compared with the 30 before"
      actions={
        <button type="button" onClick={refresh} aria-disabled={isLoading}>
          {isLoading ? 'Refreshing…' : 'Refresh'}
        </button>
      }
    >
      <Shown of={overview}>
        {(value) => (
          <>
            <Troubles overview={value} usage={usage} />
            {!value.setup.isFinished && <Setup setup={value.setup} />}
          </>
        )}
      </Shown>
      <Shown of={usage}>{(value) => <Figures usage={value} />}</Shown>
    </Page>
  );
}

function Troubles({ overview, usage }: { overview: Overview; usage: Called<Usage> }) {
  const troubles = troublesOf(overview, usage.value?.total);
  const isUnknown = overview.account === null;
  if (troubles.length === 0 && !overview.setup.isFinished) return null;
  if (troubles.length === 0 && !isUnknown) {
    if (usage.value === undefined) return null;
    return (
      <p>
        <Badge tone="good">All good</Badge> <span class="quiet">Nothing needs your attention.</span>
      </p>
    );
  }
  return (
    <>
      <h2 class="first">Needs your attention</h2>
      {troubles.map((trouble) => (
        <TroubleNotice key={trouble.key} trouble={trouble} />
      ))}
      {isUnknown && (
        <p class="notice callout">
          The AWS account’s state at Amazon SES can’t be read right now. Refresh in a moment.
        </p>
      )}
    </>
  );
}

const TroubleNotice = ({ trouble: { tone, title, of, text, link } }: { trouble: Trouble }) => (
  <div class={`notice callout ${tone === 'quiet' ? '' : tone}`}>
    <p>
      <b>
        {title}
        {of && (
          <>
            : <Foreign text={of} />.
          </>
        )}
      </b>{' '}
      <Sentence text={text} />
    </p>
    {link && mayOpen(link[1]) && (
      <a class="button" href={link[1]} aria-label={of && `${link[0]}: ${of}`}>
        {link[0]}
      </a>
    )}
  </div>
);

/** What to do for each setup step, and where. */
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
  webhook: ['Add a webhook, so your application learns how emails turn out', '/console/webhooks'],
};

const Setup = ({ setup: { steps } }: Pick<Overview, 'setup'>) => (
  <>
    <h2 class="first">Get started</h2>
    <ol class="steps">
      {steps.map(({ name, isDone, isOptional }) => (
        <li key={name}>
          <StepBadge isDone={isDone} />{' '}
          {isDone ? (
            stepWords[name][0]
          ) : (
            <PageLink href={stepWords[name][1]}>{stepWords[name][0]}</PageLink>
          )}
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

function Figures({ usage }: { usage: Usage }) {
  const { days = [], total, previous, receivingDomains } = usage;
  const { sends, events } = total;
  if (sends + events.delivered + events.bounced + events.complained === 0) {
    return (
      <Empty title="No emails in the last 30 days">
        <p>Once you send some, their rates, outcomes by day and time to delivery show here.</p>
        <p>
          <a href="/docs">Send your first email</a>
        </p>
      </Empty>
    );
  }
  return (
    <>
      <Tiles total={total} previous={previous} />
      <UsageChart days={days} total={total} />
      <ReceivingDomains {...receivingDomains} />
      <p class="quiet">
        At a limit, AWS reviews the account, and may later pause its sending. AWS uses its own
        sample, so its figures may differ.
      </p>
    </>
  );
}
