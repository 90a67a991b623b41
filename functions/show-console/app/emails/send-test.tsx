import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { ChangeForm, Field } from '../parts/form.tsx';
import { emailPage } from '../shared/addresses.ts';
import { createAttempts } from '../shared/attempts.ts';
import { isOutOfSandbox } from '../shared/sandbox.ts';

const inSandbox =
  'While the AWS account is in the SES sandbox, only verified addresses and success@simulator.amazonses.com';

const content = 'This is a test from the console. If you can read it, sending works.';

/** Sends a first email by hand, then opens its page. */
export function SendTest() {
  const { route } = useLocation();
  const [attempt] = useState(() => createAttempts());
  return (
    <DialogButton label="Send a test" title="Send a test email" look="main" opensBy="send">
      <ChangeForm
        submit="Send"
        act={async (typed) => {
          const body = { to: typed('to') ?? '', subject: typed('subject') ?? '', content };
          const { sendId, status } = await attempt(JSON.stringify(body), (key) =>
            call('POST /api/v1/emails/send', { headers: { 'idempotency-key': key }, body }),
          );
          toast(status === 'suppressed' ? 'Not sent: the address is suppressed' : 'Test sent');
          route(emailPage(sendId));
        }}
      >
        <Field
          label="To"
          name="to"
          type="email"
          hint={isOutOfSandbox() ? undefined : inSandbox}
          autocomplete="email"
          required
        />
        <Field label="Subject" name="subject" value="It works" required />
      </ChangeForm>
    </DialogButton>
  );
}
