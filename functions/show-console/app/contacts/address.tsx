import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { badgeOf, glyphOf, outcomeTone } from '../emails/outcomes.ts';
import { Fact } from '../parts/facts.tsx';
import { May } from '../parts/may.tsx';
import { Card, Page } from '../parts/page.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { Say, Shown } from '../parts/states.tsx';
import { CopyButton, Foreign, LongForeign, Moment, Sentence, StateBadge } from '../parts/text.tsx';
import { emailPage } from '../shared/addresses.ts';
import { capitalized, count, dayText } from '../shared/format.ts';
import { may } from '../shared/may.ts';
import { addressWith, maxPerPage } from '../shared/paging.ts';
import { useCall } from '../shared/use-call.ts';
import { Cause } from '../suppressions/cause.tsx';
import { LiftButton } from '../suppressions/lift-button.tsx';
import { suppressionText } from '../suppressions/reasons.ts';
import { answerOf } from './answer.ts';
import { type Day, daysOf, daysShown, daysText, startOf } from './days.ts';
import { ExportPerson } from './export-person.tsx';
import { Person } from './person.tsx';

type Explained = Answer<'GET /api/v1/recipients/{email}'>;

/** “Did Ann get it?”: everything about one address, and the one thing to do next. */
export function Address() {
  const { params } = useRoute();
  const email = params['email'] ?? '';
  const explained = useCall('GET /api/v1/recipients/{email}', {
    path: { email },
    query: { limit: 20 },
  });
  return (
    <Page
      title={email}
      crumb={<PageLink href="/console/contacts">Contacts</PageLink>}
      heading={<Foreign text={email} breaks />}
      actions={
        <May ask="GET /api/v1/contacts/{email}/export">
          <ExportPerson email={email} />
        </May>
      }
    >
      <Shown of={explained}>
        {(value) => <Explanation explained={value} reload={explained.reload} />}
      </Shown>
    </Page>
  );
}

const Explanation = ({ explained, reload }: { explained: Explained; reload: () => void }) => (
  <>
    <Verdict explained={explained} />
    {may('GET /api/v1/sends') && <Days email={explained.email} />}
    <div class="two">
      <Card title="Emails">
        <Emails explained={explained} />
      </Card>
      <div>
        <Card title="May get">
          <Suppressions explained={explained} />
          <Person email={explained.email} contact={explained.contact} onChanged={reload} />
        </Card>
        <Card title="Facts">
          <Facts explained={explained} />
          <p>
            <button type="button" class="small" onClick={reload}>
              Refresh
            </button>
          </p>
        </Card>
      </div>
    </div>
  </>
);

function Verdict({ explained }: { explained: Explained }) {
  const { verdict, obstacles, nextStep } = explained;
  const more = obstacles.length > 1 ? obstacles : [];
  return (
    <Say
      {...lookOf(explained)}
      title={<LongForeign text={verdict.sentence} most={200} />}
      actions={
        <CopyButton
          text={answerOf(explained)}
          what="as an answer"
          label="Copy as an answer"
          look="plain"
        />
      }
    >
      {verdict.next && (
        <p>
          {nextStep.about === 'domains' ? (
            <PageLink href="/console/domains">{verdict.next}</PageLink>
          ) : (
            verdict.next
          )}
        </p>
      )}
      {verdict.receiver && (
        <p>
          <a href={verdict.receiver.page} target="_blank" rel="noreferrer">
            What {verdict.receiver.name} says about it
          </a>
        </p>
      )}
      {more.map((obstacle) => (
        <p key={obstacle}>
          <Sentence text={obstacle} />
        </p>
      ))}
    </Say>
  );
}

/** What is well, or the person's own wish, has no ground. */
function lookOf({ nextStep: { about }, emails: [latest], verdict: { code } }: Explained) {
  if (about === 'organization' || about === 'domains') return { tone: 'bad' } as const;
  if (about === 'email' && latest !== undefined) {
    const tone = outcomeTone(latest.outcomeKind);
    if (tone === 'bad' || tone === 'warn') return { tone };
    return { glyph: tone === 'quiet' || tone === 'info' ? ('wait' as const) : ('ok' as const) };
  }
  const isAmiss = code === 'suppressed_bounce' || code === 'suppressed_complaint';
  return isAmiss ? ({ tone: 'warn', glyph: 'stop' } as const) : ({ glyph: 'stop' } as const);
}

/** What the last 90 days were like, as far as one request shows. */
function Days({ email }: { email: string }) {
  const [now] = useState(() => Date.now());
  const { value } = useCall('GET /api/v1/sends', {
    query: { to: email, from: new Date(startOf(now)).toISOString(), limit: maxPerPage },
  });
  if (value === undefined || value.data.length === 0) return null;
  const { data, nextCursor } = value;
  return (
    <section class="days">
      <h2>
        Last {daysShown} days
        <span class="quiet">
          {nextCursor === null ? count(data.length, 'email') : `The latest ${data.length} emails`}
        </span>
      </h2>
      <Strip days={daysOf(data, now)} />
      <p class="quiet">
        <span>{dayText(startOf(now))}</span>
        <span>Today</span>
      </p>
    </section>
  );
}

const Strip = ({ days }: { days: readonly Day[] }) => (
  <svg
    viewBox={`0 0 ${days.length * 10} 28`}
    preserveAspectRatio="none"
    role="img"
    aria-label={daysText(days)}
  >
    {days.map(({ emails, tone }, place) => (
      <rect
        key={place}
        class={emails === 0 ? 'none' : tone}
        x={place * 10 + 1}
        y={emails === 0 ? 12 : 0}
        width={7}
        height={emails === 0 ? 4 : 28}
      />
    ))}
  </svg>
);

function Suppressions({ explained: { email, suppressions } }: { explained: Explained }) {
  if (suppressions.length === 0) return <p>All email: nothing is suppressed.</p>;
  const isBulkOnly = suppressions.every(
    ({ reason, possible }) => reason === 'unsubscribe' || possible,
  );
  return (
    <>
      <p>{isBulkOnly ? 'Transactional email only.' : 'No email.'}</p>
      <ul class="rows">
        {suppressions.map(({ reason, at, diagnostic, possible, verdict }) => (
          <li key={`${reason} ${at}`}>
            <b>{suppressionText({ reason, possible })}</b>
            <span class="quiet">
              <Moment at={at} />
            </span>
            <span class="wide">
              <Cause reason={reason} diagnostic={diagnostic} verdict={verdict} />
            </span>
            <LiftButton email={email} reason={reason} />
          </li>
        ))}
      </ul>
    </>
  );
}

const listStates = {
  listed: 'Yes: SES drops email to it',
  not_listed: 'No',
  not_shown: 'Not because of your emails',
  unknown: 'Can’t be read right now',
} as const satisfies Record<Explained['providerList']['state'], string>;

const Facts = ({ explained }: { explained: Explained }) => (
  <dl class="facts">
    <Fact name="On SES’s list">{listStates[explained.providerList.state]}</Fact>
    {explained.contact && (
      <Fact name="Contact since">
        <Moment at={explained.contact.createdAt} />
      </Fact>
    )}
  </dl>
);

function Emails({ explained: { email, emails } }: { explained: Explained }) {
  if (emails.length === 0) return <p class="quiet">Nothing was sent to this address.</p>;
  return (
    <>
      <ul class="rows aligned">
        {emails.map(({ sendId, subject, outcomeKind, verdict, createdAt, events }) => (
          <li key={sendId}>
            <StateBadge
              of={badgeOf({ outcome: outcomeKind }, events)}
              glyph={glyphOf({ outcome: outcomeKind })}
            />
            <span class="wide">
              <a href={emailPage(sendId)}>
                <Foreign text={subject || '(no subject)'} most={120} breaks />
              </a>
              {verdict.why && <span class="because">{capitalized(verdict.why)}</span>}
            </span>
            <span class="quiet">
              <Moment at={createdAt} inRow />
            </span>
          </li>
        ))}
      </ul>
      <p class="quiet">
        <a href={addressWith('/console/emails', { to: email })}>All emails to this address</a>
      </p>
    </>
  );
}
