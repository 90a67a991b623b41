import { useState } from 'preact/hooks';
import type { Answer } from '../../../api.ts';
import { type ApiFailure, call } from '../api-client.ts';
import { announce } from '../parts/announce.tsx';
import { Form, Labelled } from '../parts/form.tsx';
import { Failure } from '../parts/states.tsx';
import { Foreign } from '../parts/text.tsx';
import { emailPage } from '../shared/addresses.ts';
import { createAttempts, isInDoubt } from '../shared/attempts.ts';
import { useAction } from '../shared/use-call.ts';
import { reasonText } from '../suppressions/reasons.ts';
import { type PreviewInput, preview } from './use-preview.ts';

type Sent = Answer<'POST /api/v1/emails/send'>;

/** Each press sends one email. */
export function SendTest({ input, from }: { input: PreviewInput; from: string }) {
  const [to, setTo] = useState('');
  const [sent, setSent] = useState<{ readonly to: string; readonly answer: Sent }>();
  const [attempt] = useState(() => createAttempts());
  const sending = useAction(async () => {
    setSent(undefined);
    const { subject, html, content } = await preview(input);
    const htmlContent = html !== undefined && { htmlContent: html };
    const body = { to, subject, content, ...htmlContent, ...(from && { from }) };
    const answer = await attempt(JSON.stringify(body), (key) =>
      call('POST /api/v1/emails/send', { headers: { 'idempotency-key': key }, body }),
    );
    setSent({ to, answer });
    announce(`${outcomeOf(answer)} ${to}`);
  });
  return (
    <Form class="card test-send" onSubmit={sending.run}>
      <h2>Send a test</h2>
      <Labelled
        label="Your address"
        path="to"
        hint="Sends the preview, saved or not. It’s a real email: it counts as usage and shows up under Emails."
      >
        {(control) => (
          <input
            {...control}
            type="email"
            value={to}
            required
            autocomplete="email"
            onInput={(event) => setTo(event.currentTarget.value.trim())}
          />
        )}
      </Labelled>
      {sending.failure && <Refused failure={sending.failure} />}
      {sent && (
        <p class={`notice ${sent.answer.status === 'sent' ? 'good' : 'warn'}`}>
          {outcomeOf(sent.answer)} <Foreign text={sent.to} />:{' '}
          <a href={emailPage(sent.answer.sendId)}>follow it</a>
        </p>
      )}
      <p>
        <button type="submit" aria-disabled={sending.isRunning}>
          {sending.isRunning ? 'Sending…' : 'Send test'}
        </button>
      </p>
    </Form>
  );
}

function outcomeOf({ status, suppressedRecipients = [] }: Sent): string {
  switch (status) {
    case 'sent':
      return 'Test sent to';
    case 'scheduled':
    case 'queued':
    case 'sending':
      return 'Sending the test to';
    case 'suppressed': {
      const reasons = [...new Set(suppressedRecipients.map(({ reason }) => reasonText(reason)))];
      return `Not sent, because this address is suppressed (${reasons.join(', ') || 'unknown reason'}):`;
    }
    case 'failed':
    case 'canceled':
      return 'The test failed for';
  }
}

const Refused = ({ failure }: { failure: ApiFailure }) => (
  <>
    <Failure failure={failure} />
    {isInDoubt(failure.status) && <p>Try again: it can’t arrive twice.</p>}
  </>
);
