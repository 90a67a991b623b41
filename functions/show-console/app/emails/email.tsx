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
import { capitalized, count, shorten } from '../shared/format.ts';
import { hasNone, useNames } from '../shared/names.ts';
import { addressWith } from '../shared/paging.ts';
import { useCall } from '../shared/use-call.ts';
import { useFresh } from '../shared/use-fresh.ts';
import { LiftButton } from '../suppressions/lift-button.tsx';
import { stateOf } from '../webhooks/deliveries.ts';
import { EmailContent, isKept, LinkedSends, SendAgain } from './content.tsx';
import { KeyLink, Name } from './key-link.tsx';
import { OthersTo } from './others-to.tsx';
import { type EmailStory, type Outcome, othersIn, outcomesOf } from './outcomes.ts';
import { timelineOf } from './timeline.ts';
import { Track } from './track.tsx';
import { VerdictSay } from './verdict.tsx';
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
      crumb={<PageLink href="/console/emails">Emails</PageLink>}
      heading={value ? <LongForeign text={subject} most={200} /> : 'Email'}
      beside={value?.send.test && <Tag>Test</Tag>}
      actions={value && <Actions send={value.send} reload={story.reload} />}
    >
      <Shown of={story}>{(shown) => <Story story={shown} />}</Shown>
    </Page>
  );
}

/** To whom and when it went, in a line. */
const Meta = ({ send, nameOf }: { send: EmailStory['send']; nameOf: NameOf }) => (
  <p class="meta">
    <span>
      to{' '}
      <a href={recipientPage(send.toEmail)}>
        <Foreign text={send.toEmail} breaks />
      </a>
      {othersIn(send) > 0 && ` and ${othersIn(send)} more`}
    </span>
    <span>
      <Moment at={send.createdAt} />
    </span>
    {send.templateId && (
      <span>
        template{' '}
        <a href={templatePage(send.templateId)} title={send.templateId}>
          <Name id={send.templateId} name={nameOf(send.templateId)} />
        </a>
        {send.templateVersion !== undefined && ` v${send.templateVersion}`}
      </span>
    )}
    {send.apiKeyId && nameOf(send.apiKeyId) && (
      <span>
        key <KeyLink id={send.apiKeyId} name={nameOf(send.apiKeyId)} />
      </span>
    )}
  </p>
);

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
  const concerned = concernedBy(story, outcomes);
  const [first, ...others] = concerned.filter(({ isBlocked }) => isBlocked);
  // With several, their buttons are beside their outcomes.
  const lift = others.length > 0 ? undefined : first;
  const { send, webhooks } = story;
  const endpoints = webhooks.map(({ endpointId }) => endpointId);
  // The key's name is the one that the page shows more than once.
  const nameOf = useNames([send.apiKeyId, send.templateId, ...endpoints, 'whk_'], story);
  return (
    <>
      <Meta send={send} nameOf={nameOf} />
      <VerdictSay
        verdict={story.verdict}
        outcome={send.outcome}
        actions={lift && <LiftOf outcome={lift} label="Lift the suppression…" />}
      >
        {concerned.length < outcomes.length &&
          concerned.map(({ email }) => (
            <p key={email}>
              <Foreign text={email} breaks />
            </p>
          ))}
      </VerdictSay>
      <LinkedSends send={send} />
      <section class="card way" aria-label="What happened">
        <Track steps={timelineOf(story)} nameOf={nameOf} />
      </section>
      <div class="two">
        <div>
          <Card title="Content">
            <EmailContent send={send} />
          </Card>
          {outcomes.length > 1 && (
            <Card title="Recipients">
              <Recipients outcomes={outcomes} />
            </Card>
          )}
          <OthersTo send={send} />
        </div>
        <div>
          <Card title="Details">
            <Details story={story} nameOf={nameOf} />
          </Card>
          <Card title="Webhooks">
            <EmailWebhooks story={story} nameOf={nameOf} />
          </Card>
        </div>
      </div>
    </>
  );
}

/** Whom of several recipients the verdict is about. Nobody is named where it may be any of them. */
const concernedBy = (story: EmailStory, outcomes: readonly Outcome[]): readonly Outcome[] =>
  story.verdict.code === 'possibly_complained'
    ? []
    : outcomes.filter(({ verdict }) => verdict.code === story.verdict.code);

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
    {attachmentsText(send) && <Fact name="Attachments">{attachmentsText(send)}</Fact>}
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
    <ul class="rows">
      {rows.map(({ place, endpointId, type, status, attempts, lastStatusCode }) => (
        <li key={place}>
          <PageLink href={addressWith(webhookPage(endpointId), { send: send._id })}>
            {type}
          </PageLink>
          <span class="wide quiet">
            <Foreign text={nameOf(endpointId) ?? endpointId} most={100} breaks />
          </span>
          <StateBadge
            of={stateOf(status, attempts)}
            glyph={status === 'pending' ? 'wait' : undefined}
          />
          <span class="quiet">
            {count(attempts, 'attempt')}
            {lastStatusCode !== undefined && ` · ${lastStatusCode}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
