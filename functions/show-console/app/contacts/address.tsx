import { useRoute } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { badgeOf } from '../emails/outcomes.ts';
import { Card, Page } from '../parts/page.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { Shown } from '../parts/states.tsx';
import { Foreign, Moment, Sentence, StateBadge } from '../parts/text.tsx';
import { emailPage } from '../shared/addresses.ts';
import { addressWith } from '../shared/paging.ts';
import { useCall } from '../shared/use-call.ts';
import { Cause } from '../suppressions/cause.tsx';
import { LiftButton } from '../suppressions/lift-button.tsx';
import { suppressionText } from '../suppressions/reasons.ts';
import { Person } from './person.tsx';

type Explained = Answer<'GET /api/v1/recipients/{email}'>;

/** Why Ann didn't get it: everything about one address, and the one thing to do next. */
export function Address() {
  const { params } = useRoute();
  const email = params['email'] ?? '';
  const explained = useCall('GET /api/v1/recipients/{email}', { path: { email } });
  return (
    <Page title={email} heading={<Foreign text={email} breaks />}>
      <Shown of={explained}>
        {(value) => <Explanation explained={value} reload={explained.reload} />}
      </Shown>
    </Page>
  );
}

const Explanation = ({ explained, reload }: { explained: Explained; reload: () => void }) => (
  <>
    <Obstacles explained={explained} />
    <Next explained={explained} />
    <div class="two">
      <Card title="Latest emails">
        <LatestEmails explained={explained} />
      </Card>
      <div>
        <Card title="Suppressions">
          <Suppressions explained={explained} />
          <p>
            <button type="button" class="small" onClick={reload}>
              Refresh
            </button>
          </p>
        </Card>
        <Card title="Contact">
          <Person email={explained.email} contact={explained.contact} onChanged={reload} />
        </Card>
      </div>
    </div>
  </>
);

function Obstacles({ explained }: { explained: Explained }) {
  const { obstacles, emails, nextStep } = explained;
  if (obstacles.length === 0) {
    return (
      <div class="notice good">
        <p>
          <b>Nothing is blocking email to this address.</b>{' '}
          {emails.length === 0
            ? 'No email was sent to it. Check the address, and whether your application sent one.'
            : 'See the latest ones below.'}
        </p>
      </div>
    );
  }
  // SES dropped it, and the next one is tried.
  const isOfLatest = nextStep.about === 'email';
  return (
    <div class={`notice ${isOfLatest ? 'warn' : 'bad'}`}>
      <p>
        <b>
          {isOfLatest ? 'What stopped the latest email' : 'What’s blocking email to this address'}
        </b>
      </p>
      <ul>
        {obstacles.map((obstacle) => (
          <li key={obstacle}>
            <Sentence text={obstacle} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Next({ explained: { nextStep, emails } }: { explained: Explained }) {
  const { text, about } = nextStep;
  const [latest] = emails;
  const href =
    about === 'domains'
      ? '/console/domains'
      : about === 'email' && latest !== undefined
        ? emailPage(latest.sendId)
        : undefined;
  return (
    <p>
      <b>Next:</b> {href ? <PageLink href={href}>{text}</PageLink> : text}
    </p>
  );
}

function Suppressions({ explained }: { explained: Explained }) {
  const { email, suppressions, providerList } = explained;
  return (
    <>
      {suppressions.length === 0 && <p class="quiet">None.</p>}
      <ul class="rows">
        {suppressions.map(({ reason, at, diagnostic, possible, verdict }) => (
          <li key={`${reason} ${at}`}>
            <b>{suppressionText({ reason, possible })}</b>
            <Moment at={at} />
            <span class="wide">
              <Cause reason={reason} diagnostic={diagnostic} verdict={verdict} />
            </span>
            <LiftButton email={email} reason={reason} />
          </li>
        ))}
      </ul>
      <p>
        {
          {
            listed: 'It’s on the suppression list of Amazon SES, which drops email to it.',
            not_listed: 'It isn’t on the suppression list of Amazon SES.',
            not_shown: 'None of your emails put it on the suppression list of Amazon SES.',
            unknown:
              'The suppression list of Amazon SES can’t be read right now. Refresh in a moment.',
          }[providerList.state]
        }
      </p>
    </>
  );
}

/** Outcomes that need no explanation: what to do after a delivery is said once, above. */
const saidByBadge: ReadonlySet<Explained['emails'][number]['outcomeKind']> = new Set([
  'delivered',
  'opened',
  'clicked',
]);

function LatestEmails({ explained: { email, emails } }: { explained: Explained }) {
  if (emails.length === 0) return <p class="quiet">Nothing was sent to this address.</p>;
  return (
    <>
      <ul class="rows aligned">
        {emails.map(({ sendId, subject, outcomeKind, outcome, createdAt, events }) => (
          <li key={sendId}>
            <StateBadge of={badgeOf({ outcome: outcomeKind }, events)} />
            <span class="wide">
              <a href={emailPage(sendId)}>
                <Foreign text={subject || '(no subject)'} most={120} breaks />
              </a>
              {!saidByBadge.has(outcomeKind) && (
                <>
                  <br />
                  <span class="quiet">
                    <Sentence text={outcome} />
                  </span>
                </>
              )}
            </span>
            <span class="quiet">
              <Moment at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
      <p>
        <a href={addressWith('/console/emails', { to: email })}>All emails to this address</a>
      </p>
    </>
  );
}
