import { useEffect, useRef } from 'preact/hooks';
import { type RateKind, rateOf } from '#shared/usage/rate-limits';
import { announce } from '../shared/announce.tsx';
import { Page } from '../shared/page.tsx';
import { Empty, Shown } from '../shared/states.tsx';
import { Badge, Foreign, Sentence } from '../shared/text.tsx';
import { type Called, useCall } from '../shared/use-call.ts';
import type { Overview, Usage } from '../shared/words.ts';
import { UsageChart } from '../usage/usage-chart.tsx';
import { rateText } from './rates.ts';
import { stepWords, type Trouble, troublesOf } from './troubles.ts';

/** How the organization's email is doing, and what there is to do about it. */
export function OverviewPage() {
  const overview = useCall('GET /api/v1/overview', {});
  const usage = useCall('GET /api/v1/usage', { query: { by: 'day' } });
  const isLooking = overview.isLoading || usage.isLoading;
  const isAsked = useRef(false);
  const look = () => {
    isAsked.current = true;
    overview.reload();
    usage.reload();
  };
  useEffect(() => {
    if (isLooking || !isAsked.current) return;
    isAsked.current = false;
    announce('Looked again');
  }, [isLooking]);
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
      <h2>Emails of the last 30 days</h2>
      <Shown of={usage}>{(value) => <Figures usage={value} />}</Shown>
      <p class="buttons">
        <button type="button" onClick={look} aria-disabled={isLooking}>
          {isLooking ? 'Looking…' : 'Look again'}
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
          Amazon SES could not be asked about the AWS account just now. Look again in a moment.
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

const Setup = ({ setup: { steps } }: Pick<Overview, 'setup'>) => (
  <>
    <h2>Until the first email is delivered</h2>
    <ol class="steps">
      {steps.map(({ name, isDone, isOptional }) => (
        <li key={name}>
          <StepBadge isDone={isDone} />{' '}
          {isDone ? stepWords[name][0] : <a href={stepWords[name][1]}>{stepWords[name][0]}</a>}
          {isOptional && <span class="quiet"> (optional)</span>}
        </li>
      ))}
    </ol>
    <p class="quiet">What is sent and delivered shows here within a minute.</p>
  </>
);

function StepBadge({ isDone }: { isDone: boolean | null }) {
  if (isDone === null) return <Badge tone="quiet">Not known</Badge>;
  return isDone ? <Badge tone="good">Done</Badge> : <Badge tone="warn">To do</Badge>;
}

function Figures({ usage: { days = [], total } }: { usage: Usage }) {
  const { sends, events } = total;
  const isEmpty = sends + events.delivered + events.bounced + events.complained === 0;
  if (isEmpty) return <Empty>None was sent in the last 30 days, in UTC.</Empty>;
  return (
    <>
      <UsageChart days={days} total={total} />
      <h2>Reputation</h2>
      <ul class="rows">
        <RateRow kind="bounced" sent={sends} counted={events.bounced} />
        <RateRow kind="complained" sent={sends} counted={events.complained} />
      </ul>
      <p class="quiet">
        Of the emails of these 30 days. From a limit on AWS puts an account under review, and may
        stop it later. AWS judges a representative volume of its own choice, so its own figure may
        differ. Soft bounces count here and not there.
      </p>
    </>
  );
}

function RateRow({ kind, sent, counted }: { kind: RateKind; sent: number; counted: number }) {
  const rate = rateOf(kind, sent, counted);
  const { name, reason, who } = rateWords[kind];
  return (
    <li>
      <b class="rate">{name}</b>
      <span class="wide">{rateText(kind, sent, counted)}</span>
      {rate.state === 'near' && <Badge tone="warn">Near the limit</Badge>}
      {rate.state === 'reached' && <Badge tone="bad">At the limit</Badge>}
      {counted > 0 && <a href={`/console/suppressions?reason=${reason}`}>{who}</a>}
    </li>
  );
}

const rateWords = {
  bounced: { name: 'Bounces', reason: 'bounce', who: 'Who bounced for good' },
  complained: { name: 'Complaints', reason: 'complaint', who: 'Who complained' },
} as const satisfies Record<RateKind, unknown>;
