import { Fragment } from 'preact';
import { useRoute } from 'preact-iso/router';
import { count, duration, shorten } from '../shared/format.ts';
import { Page } from '../shared/page.tsx';
import { addressWith } from '../shared/paging.ts';
import { Shown } from '../shared/states.tsx';
import { Badge, CopyButton, Foreign, LongForeign, Moment, StateBadge } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { LiftButton } from '../suppressions/lift-button.tsx';
import { deliveryWords } from '../webhooks/deliveries.ts';
import { EmailContent, Resends } from './content.tsx';
import { type EmailStory, optionRows, othersIn, outcomesOf, sendWords } from './outcomes.ts';
import { gapSize, type Step, timelineOf } from './timeline.ts';
import { Waiting } from './waiting.tsx';

/** One email: what became of it for each recipient, and which webhooks got it. */
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
    <Waiting send={story.send} reload={reload} />
    <h2>What happened</h2>
    <Timeline steps={timelineOf(story)} />
    <p>
      <button type="button" onClick={reload}>
        Refresh
      </button>
    </p>
    <Resends send={story.send} />
    <h2>Content</h2>
    <EmailContent send={story.send} />
    <h2>Recipients</h2>
    <Recipients story={story} />
    <h2>Webhooks</h2>
    <EmailWebhooks story={story} />
    <h2>Ids</h2>
    <Ids story={story} />
  </>
);

function Facts({ story }: { story: EmailStory }) {
  const { send } = story;
  const [status, tone] = sendWords[send.status];
  const [outcome] = outcomesOf(story);
  const others = othersIn(send);
  return (
    <dl class="facts">
      <dt>Status</dt>
      <dd>
        <Badge tone={tone}>{status}</Badge>{' '}
        {send.status === 'sent' && outcome && <Badge tone={outcome.tone}>{outcome.text}</Badge>}
      </dd>
      <dt>To</dt>
      <dd>
        <Foreign text={send.toEmail} />
        {others > 0 && <span class="quiet"> and {others} more, below</span>}
      </dd>
      <dt>From</dt>
      <dd>
        <Foreign text={send.fromName ? `${send.fromName} <${send.fromEmail}>` : send.fromEmail} />
      </dd>
      {send.test && (
        <>
          <dt>Test</dt>
          <dd>Made with a test key: SES never got it, and its events are played.</dd>
        </>
      )}
      <dt>Accepted</dt>
      <dd>
        <Moment at={send.createdAt} />
      </dd>
      {send.sendAt !== undefined && (
        <>
          <dt>Scheduled for</dt>
          <dd>
            <Moment at={send.sendAt} />
          </dd>
        </>
      )}
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
            {send.templateVersion !== undefined && `, version ${send.templateVersion}`}
            {send.templateLocale !== undefined && `, in ${send.templateLocale}`}
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
      {optionRows(send).map(([name, text]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>
            <LongForeign text={text} most={400} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** How to find it in the application, here, in the logs and at SES. */
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
    <dt>Feedback id</dt>
    <dd>
      <span class="copyable">
        <code>{send.feedbackId}</code> <CopyButton text={send.feedbackId} what="the feedback id" />
      </span>{' '}
      <span class="quiet">appears in the logs, beside the request id.</span>
    </dd>
    {messages.map(({ providerMessageId }) => (
      <Fragment key={providerMessageId}>
        <dt>SES message id</dt>
        <dd class="copyable">
          <code>{providerMessageId}</code>{' '}
          <CopyButton text={providerMessageId} what="the SES message id" />
        </dd>
      </Fragment>
    ))}
  </dl>
);

const Recipients = ({ story }: { story: EmailStory }) => (
  <ul class="rows">
    {outcomesOf(story).map(({ email, field, text, tone, isBlocked, reason }) => (
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

/** The steps of an email, with the time between them. */
const Timeline = ({ steps }: { steps: readonly Step[] }) => (
  <ol class="timeline">
    {steps.map((step) => (
      <li
        key={step.place}
        class={`${step.tone} ${step.gap === undefined ? '' : gapSize(step.gap)}`}
      >
        {step.gap !== undefined && (
          <p class="gap">{step.gap === 0 ? 'at the same time' : `${duration(step.gap)} later`}</p>
        )}
        <p class="step">
          <b>{step.title}</b> <Moment at={step.at} />
        </p>
        {step.meaning && <p>{step.meaning}</p>}
        {step.who.map(({ email, meaning, reply }) => (
          <div key={email}>
            <p>
              <Foreign text={email} />
              {meaning && `: ${meaning}`}
            </p>
            {reply && (
              <p class="reply">
                <LongForeign text={reply} />
              </p>
            )}
          </div>
        ))}
        {step.reply && (
          <p class="reply">
            <LongForeign text={step.reply} />
          </p>
        )}
      </li>
    ))}
  </ol>
);

/** The deliveries of an email's events to webhook endpoints. */
function EmailWebhooks({ story: { send, webhooks } }: { story: EmailStory }) {
  // URLs for the ids; until they load, the ids are shown.
  const endpoints = useCall('GET /api/v1/webhooks', {});
  const nameOf = (id: string) =>
    endpoints.value?.data.find((endpoint) => endpoint.id === id)?.url ?? id;
  if (webhooks.length === 0) {
    return (
      <p class="quiet">
        No endpoint got anything. <a href="/console/webhooks">Add an endpoint</a> to get bounces as
        they happen.
      </p>
    );
  }
  // An endpoint may get several opens of one email: only the position tells rows apart.
  const rows = webhooks.map((delivery, place) => ({ ...delivery, place }));
  return (
    <ul class="rows">
      {rows.map(({ place, endpointId, type, status, attempts, lastStatusCode }) => (
        <li key={place}>
          <a href={logOf(endpointId, send._id)}>{type}</a>
          <span class="wide quiet">
            <Foreign text={nameOf(endpointId)} most={100} />
          </span>
          <StateBadge of={deliveryWords[status]} />
          <span>
            {count(attempts, 'attempt')}
            {lastStatusCode !== undefined && `, the last answered ${lastStatusCode}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The endpoint's delivery log, filtered by this email. */
const logOf = (endpointId: string, send: string): string =>
  addressWith(`/console/webhooks/${encodeURIComponent(endpointId)}`, { send });
