import { Fragment } from 'preact';
import { useRoute } from 'preact-iso/router';
import { shorten } from '../shared/format.ts';
import { Page } from '../shared/page.tsx';
import { Shown } from '../shared/states.tsx';
import { Badge, CopyButton, Foreign, LongForeign, Moment } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { type EmailStory, sendWords } from '../shared/words.ts';
import { LiftButton } from '../suppressions/lift-button.tsx';
import { EmailWebhooks } from './email-webhooks.tsx';
import { fatesOf } from './outcomes.ts';
import { timelineOf } from './timeline.ts';
import { Timeline } from './timeline-steps.tsx';

/** One email: what became of it, for whom, and who was told. It does not ask again by itself: see `use-call.ts`. */
export function Email() {
  const { params } = useRoute();
  const story = useCall('GET /api/v1/sends/{id}', { path: { id: params['id'] ?? '' } });
  const subject = story.value?.send.subject || '(no subject)';
  return (
    <Page
      title={story.value ? `Email “${shorten(subject, 60)}”` : 'Email'}
      heading={story.value ? <LongForeign text={subject} most={200} /> : 'Email'}
    >
      <Shown of={story}>{(value) => <Story story={value} reload={story.reload} />}</Shown>
    </Page>
  );
}

const Story = ({ story, reload }: { story: EmailStory; reload: () => void }) => (
  <>
    <Facts story={story} />
    <h2>What happened</h2>
    <Timeline steps={timelineOf(story)} />
    <p>
      <button type="button" onClick={reload}>
        Look again
      </button>
    </p>
    <h2>Recipients</h2>
    <Recipients story={story} />
    <h2>Webhooks told</h2>
    <EmailWebhooks story={story} />
    <h2>To look it up</h2>
    <Ids story={story} />
  </>
);

function Facts({ story }: { story: EmailStory }) {
  const { send } = story;
  const [status, tone] = sendWords[send.status];
  const [fate] = fatesOf(story);
  const others = send.cc.length + send.bcc.length;
  return (
    <dl class="facts">
      <dt>Status</dt>
      <dd>
        <Badge tone={tone}>{status}</Badge>{' '}
        {send.status === 'sent' && fate && <Badge tone={fate.tone}>{fate.text}</Badge>}
      </dd>
      <dt>To</dt>
      <dd>
        <Foreign text={send.toEmail} />
        {others > 0 && <span class="quiet"> and {others} more, below</span>}
      </dd>
      <dt>From</dt>
      <dd>
        <Foreign text={send.fromEmail} />
      </dd>
      <dt>Made</dt>
      <dd>
        <Moment at={send.createdAt} />
      </dd>
      <dt>Policy</dt>
      <dd>
        <Foreign text={send.policyKey} />
      </dd>
      {send.templateId && (
        <>
          <dt>Template</dt>
          <dd>
            <a href={`/console/templates/${encodeURIComponent(send.templateId)}`}>
              <code>{send.templateId}</code>
            </a>
            {send.missingVariables && send.missingVariables.length > 0 && (
              <>
                {' '}
                without a value for{' '}
                <LongForeign text={send.missingVariables.join(', ')} most={200} />
              </>
            )}
          </dd>
        </>
      )}
    </dl>
  );
}

/** What it is called in your application, here, in the log and at SES. */
const Ids = ({ story: { send, messages } }: { story: EmailStory }) => (
  <dl class="facts">
    {send.idempotencyKey && (
      <>
        <dt>Idempotency key</dt>
        <dd>
          <Foreign text={send.idempotencyKey} />
        </dd>
      </>
    )}
    <dt>Id</dt>
    <dd class="copyable">
      <code>{send._id}</code> <CopyButton text={send._id} what="the id of the email" />
    </dd>
    <dt>In the log</dt>
    <dd>
      <span class="copyable">
        <code>{send.feedbackId}</code>{' '}
        <CopyButton text={send.feedbackId} what="what the log calls it" />
      </span>{' '}
      <span class="quiet">stands on its lines, each with the request id.</span>
    </dd>
    {messages.map(({ providerMessageId }) => (
      <Fragment key={providerMessageId}>
        <dt>Id at Amazon SES</dt>
        <dd class="copyable">
          <code>{providerMessageId}</code>{' '}
          <CopyButton text={providerMessageId} what="the id at Amazon SES" />
        </dd>
      </Fragment>
    ))}
  </dl>
);

const Recipients = ({ story }: { story: EmailStory }) => (
  <ul class="rows">
    {fatesOf(story).map(({ email, field, text, tone, isBlocked, reason }) => (
      <li key={`${field} ${email}`}>
        <span class="quiet">{field}</span>
        <a class="wide" href={`/console/addresses/${encodeURIComponent(email)}`}>
          <Foreign text={email} />
        </a>
        <Badge tone={tone}>{text}</Badge>
        {isBlocked && (
          <LiftButton email={email} reason={reason === 'unsubscribe' ? 'unsubscribe' : undefined} />
        )}
      </li>
    ))}
  </ul>
);
