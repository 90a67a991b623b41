import { useFilters } from '../parts/filter-bar.tsx';
import { Glyph } from '../parts/glyph.tsx';
import { Page } from '../parts/page.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { Badge, Foreign, Sentence } from '../parts/text.tsx';
import { glyphOfTone } from '../shared/glyphs.ts';
import { namesOf } from '../shared/names.ts';
import { mayOpen } from '../shared/places.ts';
import { noteAccount } from '../shared/sandbox.ts';
import { useCall } from '../shared/use-call.ts';
import { useFresh } from '../shared/use-fresh.ts';
import { FiveFigures } from './figures.tsx';
import { NewestBounces, Plots } from './plots.tsx';
import { type Metrics, metricsQuery, type Range, rangeNames, rangeOf } from './range.ts';
import { Reasons, Receivers } from './receivers.tsx';
import { type Overview, type Trouble, troublesOf } from './troubles.ts';

/** The figures lag by a minute, and reading 60 days of them takes some 900 read units. */
const metricsEveryMs = 300_000;

export function OverviewPage() {
  const { query } = useFilters();
  const range = rangeOf(query['range'], Date.now());
  const overview = useCall('GET /api/v1/overview', {});
  const metrics = useCall('GET /api/v1/metrics', metricsQuery(range));
  useFresh(overview.refresh);
  useFresh(metrics.refresh, { everyMs: metricsEveryMs });
  namesOf(overview.value?.webhooks);
  noteAccount(overview.value?.account);
  const { value: measured } = metrics;
  const troubles =
    overview.value && troublesOf(overview.value, measured && { metrics: measured, range });
  const isWell = troubles?.length === 0 && overview.value?.setup.isFinished && measured;
  return (
    <Page
      title="Overview"
      beside={isWell && overview.value?.account ? 'Nothing needs your attention' : undefined}
      actions={<Ranges range={range} />}
    >
      <Shown of={overview}>
        {({ account, setup }) => (
          <>
            <Attention troubles={troubles ?? []} isUnknown={account === null} />
            {!setup.isFinished && <Setup setup={setup} />}
          </>
        )}
      </Shown>
      <Shown of={metrics}>
        {(value) => (
          <Figures
            metrics={value}
            range={range}
            dailyLimit={overview.value?.organization.dailyLimit}
          />
        )}
      </Shown>
    </Page>
  );
}

const rangeWords = { '24h': '24 h', '7d': '7 d', '30d': '30 d', '90d': '90 d' } as const;

function Ranges({ range }: { range: Range }) {
  const { addressOf } = useFilters();
  return (
    <nav class="segments" aria-label="Time">
      {rangeNames.map((name) => (
        <a
          key={name}
          href={addressOf({ range: name === '30d' ? undefined : name })}
          aria-current={name === range.name ? 'true' : undefined}
        >
          {rangeWords[name]}
        </a>
      ))}
    </nav>
  );
}

const Attention = ({
  troubles,
  isUnknown,
}: {
  troubles: readonly Trouble[];
  isUnknown: boolean;
}) =>
  troubles.length === 0 && !isUnknown ? null : (
    <ul class="attention" aria-label="Needs your attention">
      {troubles.map((trouble) => (
        <TroubleLine key={trouble.key} trouble={trouble} />
      ))}
      {isUnknown && (
        <li>
          <Glyph of="flag" />
          <p>The AWS account’s state at Amazon SES can’t be read right now.</p>
        </li>
      )}
    </ul>
  );

const TroubleLine = ({ trouble: { tone, title, of, text, link } }: { trouble: Trouble }) => (
  <li class={tone}>
    <Glyph of={glyphOfTone[tone]} />
    <p>
      <b>
        {title}
        {of && (
          <>
            : <Foreign text={of} />
          </>
        )}
        {!title.endsWith('.') && '.'}
      </b>{' '}
      <Sentence text={text} />
    </p>
    {link && mayOpen(link[1]) && (
      <a class="button" href={link[1]} aria-label={of && `${link[0]}: ${of}`}>
        {link[0]}
      </a>
    )}
  </li>
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

function Figures({
  metrics,
  range,
  dailyLimit,
}: {
  metrics: Metrics;
  range: Range;
  dailyLimit: Overview['organization']['dailyLimit'] | undefined;
}) {
  const { sent, delivered, bounced, complained } = metrics.totals;
  if (sent + delivered + bounced + complained === 0) {
    return (
      <Empty title={`No emails in ${range.words}`}>
        <p>Once you send some, their rates, outcomes by day and time to delivered show here.</p>
        <p>
          <a href="/docs">Send your first email</a>
        </p>
      </Empty>
    );
  }
  return (
    <>
      <FiveFigures metrics={metrics} range={range} dailyLimit={dailyLimit} />
      <Plots metrics={metrics} range={range} />
      <div class="halves">
        <Receivers receivers={metrics.receivers} />
        <Reasons reasons={metrics.reasons} />
      </div>
      <p class="quiet">
        <NewestBounces buckets={metrics.buckets} isByHour={range.isByHour} /> At a limit, AWS
        reviews the account, and may later pause its sending. AWS uses its own sample, so its
        figures may differ.
      </p>
    </>
  );
}
