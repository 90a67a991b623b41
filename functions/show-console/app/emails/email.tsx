import { useRoute } from 'preact-iso/router';
import { attachmentsText, optionFacts } from '#shared/send-history/send-facts';
import { Fact, IdFact } from '../parts/facts.tsx';
import { May } from '../parts/may.tsx';
import { Card, Page } from '../parts/page.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { Shown } from '../parts/states.tsx';
import {
  Badge,
  CopyButton,
  Foreign,
  LongForeign,
  Moment,
  StateBadge,
  Tag,
} from '../parts/text.tsx';
import { recipientPage, templatePage, webhookPage } from '../shared/addresses.ts';
import { capitalized, count, dayText, duration, shorten, zoneText } from '../shared/format.ts';
import { hasNone, useNames } from '../shared/names.ts';
import { addressWith } from '../shared/paging.ts';
import { useCall } from '../shared/use-call.ts';
import { useFresh } from '../shared/use-fresh.ts';
import { LiftButton } from '../suppressions/lift-button.tsx';
import { stateOf } from '../webhooks/deliveries.ts';
import { EmailContent, isKept, LinkedSends, SendAgain } from './content.tsx';
import { badgeOf, type EmailStory, type Outcome, othersIn, outcomesOf } from './outcomes.ts';
import { gapSize, type Step, timelineOf } from './timeline.ts';
import { Verdict } from './verdict.tsx';
import { Waiting } from './waiting.tsx';

export function Email() {
  const { params } = useRoute();
  const story = useCall('GET /api/v1/sends/{id}', { path: { id: params['id'] ?? '' } });
  useFresh(story.refresh);
  const { value } = story;
  const subject = value?.send.subject || '(no subject)';
  return (
    <Page
      title={value ? `Email “${shorten(subject, 60)}”` : 'Email'}
      heading={value ? <LongForeign text={subject} most={200} /> : 'Email'}
      beside={value && <Beside story={value} />}
      actions={value && <Actions send={value.send} reload={story.reload} />}
    >
      <Shown of={story}>{(shown) => <Story story={shown} />}</Shown>
    </Page>
  );
}

function Beside({ story: { send, events } }: { story: EmailStory }) {
  const others = othersIn(send);
  return (
    <>
      <StateBadge of={badgeOf(send, events)} /> {send.test && <Tag>Test</Tag>} to{' '}
      <a href={recipientPage(send.toEmail)}>
        <Foreign text={send.toEmail} breaks />
      </a>
      {others > 0 && ` and ${others} more`}
    </>
  );
}

const Actions = ({ send, reload }: { send: EmailStory['send']; reload: () => void }) => (
  <>
    <Waiting send={send} reload={reload} />
    {isKept(send) && (
      <May ask="POST /api/v1/sends/{id}/resend">
        <SendAgain send={send} />
      </May>
    )}
    <CopyButton text={location.href} what="link to this email" label="Copy link" look="plain" />
  </>
);

type NameOf = ReturnType<typeof useNames>;

function Story({ story }: { story: EmailStory }) {
  const outcomes = outcomesOf(story);
  const lift = onlyBlockedOf(outcomes);
  const { send, webhooks } = story;
  const endpoints = webhooks.map(({ endpointId }) => endpointId);
  // The key's name is the one that the page shows twice.
  const nameOf = useNames([send.apiKeyId, send.templateId, ...endpoints, 'whk_'], story);
  return (
    <>
      <Verdict verdict={story.verdict} outcome={story.send.outcome}>
        {lift && <LiftOf outcome={lift} label="Lift the suppression…" />}
      </Verdict>
      <LinkedSends send={send} />
      <div class="two story">
        <div>
          <Card title={`Timeline · ${dayText(send.createdAt)}, ${zoneText(send.createdAt)}`}>
            <Timeline steps={timelineOf(story)} nameOf={nameOf} />
          </Card>
        </div>
        <div>
          <Card title="Content">
            <EmailContent send={send} />
          </Card>
          {outcomes.length > 1 && (
            <Card title="Recipients">
              <Recipients outcomes={outcomes} />
            </Card>
          )}
          <Card title="Webhooks">
            <EmailWebhooks story={story} nameOf={nameOf} />
          </Card>
        </div>
        <Card title="Details">
          <Details story={story} nameOf={nameOf} />
        </Card>
      </div>
    </>
  );
}

/** With several, their buttons are beside their outcomes. */
function onlyBlockedOf(outcomes: readonly Outcome[]): Outcome | undefined {
  const [first, ...others] = outcomes.filter(({ isBlocked }) => isBlocked);
  return others.length > 0 ? undefined : first;
}

const LiftOf = ({ outcome: { email, reason }, label }: { outcome: Outcome; label?: string }) => (
  <LiftButton
    email={email}
    reason={reason === 'unsubscribe' ? reason : undefined}
    because={reason}
    label={label}
  />
);

/** What it was sent with, and how to find it in the application, here, in the logs and at SES. */
const Details = ({ story: { send, messages }, nameOf }: { story: EmailStory; nameOf: NameOf }) => (
  <dl class="facts">
    <Fact name="From">
      <Foreign
        text={send.fromName ? `${send.fromName} <${send.fromEmail}>` : send.fromEmail}
        breaks
      />
    </Fact>
    <Fact name="To">
      <Foreign text={send.toEmail} breaks />
      {othersIn(send) > 0 && ` and ${othersIn(send)} more`}
    </Fact>
    {attachmentsText(send) && <Fact name="Attachments">{attachmentsText(send)}</Fact>}
    <Fact name="Accepted">
      <Moment at={send.createdAt} />
    </Fact>
    {send.sendAt !== undefined && (
      <Fact name="Scheduled for">
        <Moment at={send.sendAt} />
      </Fact>
    )}
    {send.test && (
      <Fact name="Test">Sent with a test key: SES never got it, and its events are simulated.</Fact>
    )}
    {send.apiKeyId && (
      <Fact name="API key">
        <KeyLink id={send.apiKeyId} name={nameOf(send.apiKeyId)} />
      </Fact>
    )}
    {send.templateId && (
      <Template id={send.templateId} send={send} name={nameOf(send.templateId)} />
    )}
    {optionFacts(send).map(([name, texts]) => (
      <Fact key={name} name={name}>
        <LongForeign text={texts.join('\n')} most={400} />
      </Fact>
    ))}
    <Fact name="Policy">
      <Foreign text={send.policyKey} />
    </Fact>
    {send.idempotencyKey && (
      <IdFact name="Idempotency key" text={send.idempotencyKey} what="the idempotency key" />
    )}
    <IdFact name="ID" text={send._id} what="the ID of the email" />
    <IdFact name="Feedback ID" text={send.feedbackId} what="the feedback ID, which the logs have" />
    {messages.map(({ providerMessageId }) => (
      <IdFact
        key={providerMessageId}
        name="SES message ID"
        text={providerMessageId}
        what="the SES message ID"
      />
    ))}
  </dl>
);

/** Links to everything else sent with the key. */
const KeyLink = ({ id, name }: { id: string; name: string | undefined }) => (
  <a href={addressWith('/console/emails', { key: id })} title={id}>
    <Name id={id} name={name} />
  </a>
);

const Name = ({ id, name }: { id: string; name: string | undefined }) =>
  name === undefined ? <code>{id}</code> : <Foreign text={name} most={100} />;

type Templated = { id: string; send: EmailStory['send']; name: string | undefined };

function Template({ id, send, name }: Templated) {
  const { templateVersion, templateLocale, missingVariables = [] } = send;
  const used = [
    ...(templateVersion === undefined ? [] : [`version ${templateVersion}`]),
    ...(templateLocale === undefined ? [] : [`in ${templateLocale}`]),
  ];
  return (
    <Fact name="Template">
      <span class="copyable cut">
        <a href={templatePage(id)} title={id}>
          <Name id={id} name={name} />
        </a>
        <CopyButton text={id} what="the ID of the template" />
      </span>
      {capitalized(used.join(', '))}
      {missingVariables.length > 0 && (
        <>
          {' '}
          without a value for <LongForeign text={missingVariables.join(', ')} most={200} />
        </>
      )}
    </Fact>
  );
}

const Recipients = ({ outcomes }: { outcomes: readonly Outcome[] }) => (
  <ul class="rows aligned">
    {outcomes.map((outcome) => (
      <li key={`${outcome.field} ${outcome.email}`}>
        <span class="quiet">{outcome.field}</span>
        <a class="wide" href={recipientPage(outcome.email)}>
          <Foreign text={outcome.email} />
        </a>
        <Badge tone={outcome.tone}>{outcome.text}</Badge>
        {outcome.isBlocked && <LiftOf outcome={outcome} />}
      </li>
    ))}
  </ul>
);

const Timeline = ({ steps, nameOf }: { steps: readonly Step[]; nameOf: NameOf }) => (
  <ol class="timeline">
    {steps.map((step, place) => (
      <li
        key={step.place}
        class={`${step.tone} ${step.gap === undefined ? '' : gapSize(step.gap)}`}
      >
        <p class="step">
          <span>
            <b>{step.title}</b>
            {step.from && nameOf(step.from) && (
              <>
                {' '}
                from <KeyLink id={step.from} name={nameOf(step.from)} />
              </>
            )}
          </span>
          <span class="at">
            {isNewDay(step, steps[place - 1]) && `${dayText(step.at)}, `}
            <Moment at={step.at} toMs />
          </span>
        </p>
        {step.gap !== undefined && (
          <p class="quiet">{step.gap === 0 ? 'at the same time' : `${duration(step.gap)} later`}</p>
        )}
        {step.who.map(({ email, reply }) => (
          <div key={email}>
            <p>
              <Foreign text={email} breaks />
            </p>
            {reply && <Reply text={reply} />}
          </div>
        ))}
        {step.meaning && <p>{step.meaning}</p>}
        {step.reply && <Reply text={step.reply} />}
      </li>
    ))}
  </ol>
);

const isNewDay = (step: Step, before: Step | undefined): boolean =>
  before !== undefined && dayText(before.at) !== dayText(step.at);

const Reply = ({ text }: { text: string }) => (
  <p class="reply">
    <LongForeign text={text} />
  </p>
);

type Webhooked = { story: EmailStory; nameOf: NameOf };

const EmailWebhooks = ({ story, nameOf }: Webhooked) =>
  story.webhooks.length > 0 ? (
    <Deliveries story={story} nameOf={nameOf} />
  ) : (
    <p class="quiet">
      No endpoint was notified.
      {hasNone('whk_') && (
        <>
          {' '}
          <PageLink href="/console/webhooks">Add an endpoint</PageLink> to get bounces as they
          happen.
        </>
      )}
    </p>
  );

function Deliveries({ story: { send, webhooks }, nameOf }: Webhooked) {
  // An endpoint may get several opens of one email, so only the position tells rows apart.
  const rows = webhooks.map((delivery, place) => ({ ...delivery, place }));
  return (
    <ul class="rows aligned">
      {rows.map(({ place, endpointId, type, status, attempts, lastStatusCode }) => (
        <li key={place}>
          <PageLink href={addressWith(webhookPage(endpointId), { send: send._id })}>
            {type}
          </PageLink>
          <span class="wide quiet">
            <Foreign text={nameOf(endpointId) ?? endpointId} most={100} breaks />
          </span>
          <StateBadge of={stateOf(status, attempts)} />
          <span class="quiet">
            {count(attempts, 'attempt')}
            {lastStatusCode !== undefined && ` · ${lastStatusCode}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
