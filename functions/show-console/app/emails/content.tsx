import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ConfirmButton } from '../shared/buttons.tsx';
import { Foreign, Moment } from '../shared/text.tsx';
import type { EmailStory } from './outcomes.ts';

type Send = EmailStory['send'];

/** What the email said, if that is kept. */
export function EmailContent({ send }: { send: Send }) {
  if (send.contentUntil === undefined || send.contentUntil <= Date.now()) {
    return (
      <p class="quiet">
        Content isn’t stored. <a href="/console/settings">Settings</a> say for how long your
        organization keeps the content of what it sends, and{' '}
        <a href="/console/settings/policies">policies</a> can say that theirs is never kept.
      </p>
    );
  }
  return (
    <>
      <Content key={send._id} send={send} />
      <p class="buttons">
        <SendAgain send={send} />
      </p>
      <p class="quiet">
        Kept until <Moment at={send.contentUntil} />.
      </p>
    </>
  );
}

type View = { readonly part?: 'text'; readonly images?: 'remote' };

/** Loads on demand only, since each reading is in the audit. */
function Content({ send }: { send: Send }) {
  const [view, setView] = useState<View>();
  if (view === undefined) {
    return (
      <p>
        <button type="button" onClick={() => setView({})}>
          Show the content
        </button>{' '}
        <span class="quiet">The audit notes it.</span>
      </p>
    );
  }
  const query = new URLSearchParams({ as: 'page', ...view });
  return (
    <>
      <p class="buttons">
        <button type="button" class="small" onClick={() => setView({})}>
          As sent
        </button>
        <button type="button" class="small" onClick={() => setView({ part: 'text' })}>
          Text and attachments
        </button>
        <button type="button" class="small" onClick={() => setView({ images: 'remote' })}>
          Load remote images
        </button>
      </p>
      <iframe
        // A frame that navigates would add entries to the browser's history.
        key={`${query}`}
        class="as-seen tall"
        title="The content of the email"
        src={`/api/v1/sends/${encodeURIComponent(send._id)}/content?${query}`}
      />
    </>
  );
}

/** One key until it has worked: a second click sends no second email. */
function SendAgain({ send }: { send: Send }) {
  const { route } = useLocation();
  const key = useRef<string | undefined>(undefined);
  const address = useRef<HTMLInputElement>(null);
  const act = async () => {
    const to = address.current?.value.trim() ?? '';
    key.current ??= `console-${crypto.randomUUID()}`;
    const answer = await call('POST /api/v1/sends/{id}/resend', {
      path: { id: send._id },
      headers: { 'idempotency-key': `${key.current}-${to}` },
      body: to === '' ? {} : { to },
    });
    key.current = undefined;
    announce(answer.status === 'suppressed' ? 'Not sent: suppressed' : 'Sent again');
    route(`/console/emails/${encodeURIComponent(answer.sendId)}`);
  };
  return (
    <ConfirmButton
      label="Send again…"
      question="Send this email again?"
      yes="Send"
      isHarmless
      act={act}
    >
      <p>
        It goes to <Foreign text={send.toEmail} /> and everyone else who got it, as a new email with
        its own tracking.
      </p>
      <label>
        Instead only to <input ref={address} type="email" placeholder="somebody@example.com" />
      </label>
    </ConfirmButton>
  );
}

/** Which email this one sent again, and which ones sent it again. */
export const Resends = ({ send: { resendOf, resentAs = [] } }: { send: Send }) => (
  <>
    {resendOf && (
      <p>
        It sent <EmailLink id={resendOf} /> again.
      </p>
    )}
    {resentAs.length > 0 && (
      <p>
        It was sent again as{' '}
        {resentAs.map((id, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <EmailLink id={id} />
          </span>
        ))}
        .
      </p>
    )}
  </>
);

const EmailLink = ({ id }: { id: string }) => (
  <a href={`/console/emails/${encodeURIComponent(id)}`}>
    <code>{id}</code>
  </a>
);
