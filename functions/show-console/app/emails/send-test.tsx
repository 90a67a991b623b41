import { useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { call } from '../api-client.ts';
import { toast } from '../shared/announce.tsx';
import { DialogButton } from '../shared/dialog.tsx';
import { ChangeForm, Field } from '../shared/form.tsx';
import { isOutOfSandbox } from '../shared/sandbox.ts';

/** Sends a first email by hand, then opens its page. */
export const SendTest = () => (
  <DialogButton label="Send a test" title="Send a test email" look="main">
    <TestForm />
  </DialogButton>
);

const inSandbox =
  'While the AWS account is in the SES sandbox, only verified addresses and success@simulator.amazonses.com';

/** The key stays the same until it has worked: a second click sends no second email. */
function TestForm() {
  const { route } = useLocation();
  const key = useRef(`console-test-${crypto.randomUUID()}`);
  return (
    <ChangeForm
      submit="Send"
      act={async (typed) => {
        const to = typed('to') ?? '';
        const subject = typed('subject') ?? '';
        const { sendId, status } = await call('POST /api/v1/emails/send', {
          headers: { 'idempotency-key': `${key.current}-${to}-${subject}`.slice(0, 200) },
          body: {
            to,
            subject,
            content: 'This is a test from the console. If you can read it, sending works.',
          },
        });
        toast(status === 'suppressed' ? 'Not sent: the address is suppressed' : 'Test sent');
        route(`/console/emails/${encodeURIComponent(sendId)}`);
      }}
    >
      <Field
        label="To"
        name="to"
        type="email"
        {...(!isOutOfSandbox() && { hint: inSandbox })}
        autocomplete="email"
        required
      />
      <Field label="Subject" name="subject" value="It works" required />
    </ChangeForm>
  );
}
