import { useId, useRef, useState } from 'preact/hooks';
import { type Answer, ApiFailure, call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { Failure } from '../shared/states.tsx';
import { Foreign } from '../shared/text.tsx';
import { useAction } from '../shared/use-call.ts';
import { reasonText } from '../shared/words.ts';
import { type Attempt, isInDoubt, nextAttempt } from './attempt.ts';
import { type PreviewInput, preview } from './preview-client.ts';

type Sent = Answer<'POST /api/v1/emails/send'>;

/** Sends what the preview shows to an address that is typed: one email a press. */
export function SendTest({ input }: { input: PreviewInput }) {
  const id = useId();
  const [to, setTo] = useState('');
  const [sent, setSent] = useState<{ readonly to: string; readonly answer: Sent }>();
  const inDoubt = useRef<Attempt | undefined>(undefined);
  const sending = useAction(async () => {
    setSent(undefined);
    const { subject, html, content } = await preview(input);
    const body = { to, subject, content, ...(html !== undefined && { htmlContent: html }) };
    const attempt = nextAttempt(inDoubt.current, JSON.stringify(body), () => crypto.randomUUID());
    inDoubt.current = undefined;
    try {
      const headers = { 'Idempotency-Key': attempt.key };
      const answer = await call('POST /api/v1/emails/send', { headers, body });
      setSent({ to, answer });
      announce(`${outcomeOf(answer)} ${to}`);
    } catch (error) {
      if (error instanceof ApiFailure && isInDoubt(error.status)) inDoubt.current = attempt;
      throw error;
    }
  });
  return (
    <form
      class="test-send"
      onSubmit={(event) => {
        event.preventDefault();
        sending.run();
      }}
    >
      <h2>Send a test</h2>
      <p class="field">
        <label for={id}>To your own address</label>
        <input
          id={id}
          type="email"
          value={to}
          required
          autocomplete="email"
          aria-describedby={`${id}-hint`}
          onInput={(event) => setTo(event.currentTarget.value.trim())}
        />
        <small id={`${id}-hint`} class="quiet">
          It gets what the preview shows, saved or not. It is a real email: it counts, and stands
          among the emails.
        </small>
      </p>
      {sending.failure && <Refused failure={sending.failure} />}
      {sent && (
        <p class={`notice ${sent.answer.status === 'sent' ? 'good' : 'warn'}`}>
          {outcomeOf(sent.answer)} <Foreign text={sent.to} />:{' '}
          <a href={`/console/emails/${encodeURIComponent(sent.answer.sendId)}`}>
            see what becomes of it
          </a>
        </p>
      )}
      <p>
        <button type="submit" aria-disabled={sending.isRunning}>
          {sending.isRunning ? 'Sending…' : 'Send the test'}
        </button>
      </p>
    </form>
  );
}

function outcomeOf({ status, suppressedRecipients = [] }: Sent): string {
  switch (status) {
    case 'sent':
      return 'The test is on its way to';
    case 'sending':
      return 'The test is being sent to';
    case 'suppressed': {
      const reasons = [...new Set(suppressedRecipients.map(({ reason }) => reasonText(reason)))];
      return `Nothing was sent (${reasons.join(', ') || 'suppressed'}), as this address is suppressed:`;
    }
    case 'failed':
      return 'The test failed for';
  }
}

const Refused = ({ failure }: { failure: ApiFailure }) => (
  <>
    <Failure failure={failure} />
    {failure.code === 'missing_scope' && (
      <p>
        The key that you signed in with may not send. Give it <code>send_email</code> at{' '}
        <a href="/console/settings/keys">API keys</a>, or sign in with one that has it.
      </p>
    )}
    {isInDoubt(failure.status) && <p>Send it again: it cannot arrive twice.</p>}
  </>
);
