import { Fragment } from 'preact';
import { useRoute } from 'preact-iso/router';
import { fatesOf } from '../fates.ts';
import { duration, shorten } from '../format.ts';
import { LiftButton } from '../parts/lift-button.tsx';
import { Page } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { Badge, CopyButton, Foreign, LongForeign, Moment } from '../parts/text.tsx';
import { gapSize, type Step, timelineOf } from '../timeline.ts';
import { useCall } from '../use-call.ts';
import { deliveryWords, type EmailStory, sendWords } from '../words.ts';

/** One email: what became of it, for whom, and who was told. */
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
    <Webhooks story={story} />
  </>
);

function Facts({ story }: { story: EmailStory }) {
  const { send, messages } = story;
  const [status, tone] = sendWords[send.status];
  const [fate] = fatesOf(story);
  return (
    <dl class="facts">
      <dt>Status</dt>
      <dd>
        <Badge tone={tone}>{status}</Badge>{' '}
        {send.status === 'sent' && fate && <Badge tone={fate.tone}>{fate.text}</Badge>}
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
            <code>{send.templateId}</code>
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
}

const Timeline = ({ steps }: { steps: readonly Step[] }) => (
  <ol class="timeline">
    {steps.map((step) => (
      <li
        key={step.place}
        class={`${step.tone} ${step.gap === undefined ? '' : gapSize(step.gap)}`}
      >
        {step.gap !== undefined && <p class="gap">{duration(step.gap)} later</p>}
        <p class="step">
          <b>{step.title}</b> <Moment at={step.at} />
        </p>
        {step.who.map((email) => (
          <p key={email}>
            <Foreign text={email} />
          </p>
        ))}
        {step.meaning && <p>{step.meaning}</p>}
        {step.reply && (
          <p class="reply">
            <LongForeign text={step.reply} />
          </p>
        )}
      </li>
    ))}
  </ol>
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

function Webhooks({ story: { webhooks } }: { story: EmailStory }) {
  if (webhooks.length === 0) {
    return (
      <p class="quiet">
        Nobody was told. <a href="/console/webhooks">Register an endpoint</a> to hear of bounces as
        they happen.
      </p>
    );
  }
  // One endpoint may have been told of several opens: a row has no name but its place.
  const rows = webhooks.map((told, place) => ({ ...told, place }));
  return (
    <ul class="rows">
      {rows.map(({ place, endpointId, type, status, attempts, lastStatusCode }) => (
        <li key={place}>
          <a class="wide" href={`/console/webhooks/${encodeURIComponent(endpointId)}`}>
            {type}
          </a>
          <Badge tone={deliveryWords[status][1]}>{deliveryWords[status][0]}</Badge>
          <span>
            {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
            {lastStatusCode !== undefined && `, the last answered ${lastStatusCode}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
