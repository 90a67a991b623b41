import type { TargetedKeyboardEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { call, session } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { ChangeForm, Field } from '../parts/form.tsx';
import { May } from '../parts/may.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { Shown } from '../parts/states.tsx';
import { Foreign, Moment } from '../parts/text.tsx';
import { emailPage } from '../shared/addresses.ts';
import { createAttempts } from '../shared/attempts.ts';
import { may } from '../shared/may.ts';
import { useCall } from '../shared/use-call.ts';
import { type EmailStory, isSameAddress, othersIn } from './outcomes.ts';

type Send = EmailStory['send'];

export const isKept = ({ contentUntil }: Send): boolean =>
  contentUntil !== undefined && contentUntil > Date.now();

/** Loads only on request, as each reading is in the audit. */
export function EmailContent({ send }: { send: Send }) {
  const [isOpen, setOpen] = useState(false);
  if (!isKept(send)) return <NoContent send={send} />;
  if (!may('GET /api/v1/sends/{id}/content')) return <p class="quiet">{notYours()}</p>;
  const until = (
    <>
      Stored until <Moment at={send.contentUntil ?? 0} />.
    </>
  );
  return isOpen ? (
    <>
      <Content key={send._id} send={send} />
      <p class="quiet">{until}</p>
    </>
  ) : (
    <p class="quiet">
      <button type="button" class="small" onClick={() => setOpen(true)}>
        Show content
      </button>{' '}
      {until} Viewing it is recorded in the audit log.
    </p>
  );
}

const notYours = (): string =>
  `${session.isOfPerson ? 'Your role' : 'The API key you signed in with'} doesn’t include what emails say.`;

function NoContent({ send: { status, contentUntil } }: { send: Send }) {
  if (contentUntil !== undefined) {
    return (
      <p class="quiet">
        Content was deleted. It was stored until <Moment at={contentUntil} />, as your{' '}
        <PageLink href="/console/settings">settings</PageLink> said when it went out.
      </p>
    );
  }
  switch (status) {
    case 'scheduled':
    case 'queued':
    case 'sending':
      return (
        <p class="quiet">
          Content can’t be shown yet.{' '}
          {status !== 'sending' && 'It’s encrypted, and kept only to be sent. '}
          Once the email is out, its content shows here if{' '}
          <PageLink href="/console/settings">content storage</PageLink> is on.
        </p>
      );
    case 'canceled':
    case 'suppressed':
    case 'failed':
      return (
        <p class="quiet">
          Content isn’t stored. This email didn’t go out. Only what went out is stored.
        </p>
      );
    default:
      return (
        <p class="quiet">
          Content isn’t stored. To see and resend what you send, turn on{' '}
          <PageLink href="/console/settings">content storage</PageLink>. It’s encrypted, and kept as
          long as you say. <PageLink href="/console/settings/policies">Policies</PageLink> can leave
          theirs out.
        </p>
      );
  }
}

const tabs = ['Preview', 'HTML', 'Text', 'Headers'] as const;
type Tab = (typeof tabs)[number];

function Content({ send }: { send: Send }) {
  const [shown, setShown] = useState<Tab>('Preview');
  const [hasImages, setImages] = useState(false);
  const panelId = useId();
  const walk = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[event.key];
    const next = step && tabs[(tabs.indexOf(shown) + step) % tabs.length];
    if (!next) return;
    setShown(next);
    const at = event.currentTarget.querySelectorAll('button')[tabs.indexOf(next)];
    at?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Content" onKeyDown={walk} tabIndex={-1}>
        {tabs.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            aria-selected={tab === shown}
            aria-controls={panelId}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => setShown(tab)}
          >
            {tab}
          </button>
        ))}
      </div>
      <div id={panelId} role="tabpanel" aria-label={shown}>
        {shown === 'Preview' ? (
          <>
            <Preview send={send} hasImages={hasImages} />
            {!hasImages && (
              <p class="quiet">
                Remote images aren’t loaded: their hosts would see that you looked.{' '}
                <button type="button" class="link" onClick={() => setImages(true)}>
                  Load images
                </button>
              </p>
            )}
          </>
        ) : (
          <Source send={send} tab={shown} />
        )}
      </div>
    </>
  );
}

/** No script runs in it, and links don't work. */
function Preview({ send, hasImages }: { send: Send; hasImages: boolean }) {
  const query = new URLSearchParams({ as: 'page', ...(hasImages && { images: 'remote' }) });
  return (
    <iframe
      // Without a new key, the frame would navigate and add entries to the browser's history.
      key={`${query}`}
      class="as-seen"
      title="The content of the email"
      sandbox=""
      src={`/api/v1/sends/${encodeURIComponent(send._id)}/content?${query}`}
    />
  );
}

type Kept = Exclude<Answer<'GET /api/v1/sends/{id}/content'>, string>;

function Source({ send, tab }: { send: Send; tab: Tab }) {
  const kept = useCall('GET /api/v1/sends/{id}/content', { path: { id: send._id }, query: {} });
  return (
    <Shown of={kept}>
      {(value) =>
        typeof value === 'string' ? null : (
          <pre class="source">
            <Foreign text={sourceOf(value, tab, send)} most={1_000_000} />
          </pre>
        )
      }
    </Shown>
  );
}

function sourceOf(kept: Kept, tab: Tab, { suppressedRecipients }: Send): string {
  if (tab === 'HTML') return kept.htmlContent ?? 'This email has no HTML.';
  if (tab === 'Text') return kept.content;
  const { fromEmail, fromName, toEmail, to = [toEmail], cc, bcc, replyTo = [], headers } = kept;
  const isLeftOut = (address: string) =>
    suppressedRecipients.some(({ email }) => isSameAddress(email, address));
  const sentTo = (addresses: readonly string[]) =>
    addresses.filter((address) => !isLeftOut(address)).join(', ');
  const lines = [
    ['From', fromName ? `${fromName} <${fromEmail}>` : fromEmail],
    ['To', sentTo(to)],
    ['Cc', sentTo(cc)],
    ['Bcc', sentTo(bcc)],
    ['Reply-To', replyTo.join(', ')],
    ['Subject', kept.subject],
    ...Object.entries(headers ?? {}),
    ...(kept.attachments ?? []).map(({ filename, contentType, size }) => [
      'Attachment',
      `${filename} (${contentType ? `${contentType}, ` : ''}${size.toLocaleString()} bytes)`,
    ]),
  ];
  return lines.flatMap(([name, text]) => (text ? [`${name}: ${text}`] : [])).join('\n');
}

export function SendAgain({ send }: { send: Send }) {
  const { route } = useLocation();
  const [attempt] = useState(() => createAttempts());
  return (
    <DialogButton label="Send again…" title="Send this email again">
      <ChangeForm
        submit="Send"
        act={async (typed) => {
          const to = typed('to');
          const body = to === undefined ? {} : { to };
          const path = { id: send._id };
          const answer = await attempt(JSON.stringify({ path, body }), (key) =>
            call('POST /api/v1/sends/{id}/resend', {
              path,
              headers: { 'idempotency-key': key },
              body,
            }),
          );
          toast(answer.status === 'suppressed' ? 'Not sent: suppressed' : 'Sent again');
          route(emailPage(answer.sendId));
        }}
      >
        <p>
          It goes to <Foreign text={send.toEmail} />
          {othersIn(send) > 0 && ' and everyone else who got it'} as a new email with its own
          tracking.
        </p>
        {/* That shows them the content. */}
        <May ask="GET /api/v1/sends/{id}/content">
          <Field
            label="Send to someone else instead"
            name="to"
            type="email"
            hint="Leave empty for the same recipients"
          />
        </May>
      </ChangeForm>
    </DialogButton>
  );
}

export const LinkedSends = ({ send: { resendOf, resentAs = [] } }: { send: Send }) => (
  <>
    {resendOf && (
      <p class="notice">
        Sent again: it repeats <a href={emailPage(resendOf)}>an earlier email</a>.
      </p>
    )}
    {resentAs.length > 0 && (
      <p class="notice">
        Sent again:{' '}
        {resentAs.map((id, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <a href={emailPage(id)}>
              {resentAs.length === 1 ? 'open the new email' : `new email ${index + 1}`}
            </a>
          </span>
        ))}
        .
      </p>
    )}
  </>
);
