import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../../../api.ts';
import { ApiFailure, call } from '../api-client.ts';
import { announce } from '../parts/announce.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { ChangeForm, TextArea } from '../parts/form.tsx';
import { Sentence } from '../parts/text.tsx';
import { pastedHeaders } from './pasted-headers.ts';

type Verdict = Answer<'POST /api/v1/webhooks/{id}/verify'>;

/** Shows a developer why their receiver rejects a message. The service already has the secret. */
export function VerifyPayload({ webhookId: id }: { webhookId: string }) {
  const [verdict, setVerdict] = useState<Verdict>();
  return (
    <DialogButton label="Verify payload…" title="Verify a payload">
      <p>
        Does your receiver reject a message? Paste the headers it got, and the body exactly as it
        verified it. The service already has the secret.
      </p>
      <ChangeForm
        submit="Verify"
        staysOpen
        act={async (_, form) => {
          setVerdict(undefined);
          const headers = pastedHeaders(`${form.get('headers')}`);
          if (headers === undefined) throw new ApiFailure(0, { detail: noHeaders });
          const body = { payload: `${form.get('payload')}`, headers };
          setVerdict(await call('POST /api/v1/webhooks/{id}/verify', { path: { id }, body }));
        }}
      >
        <TextArea
          isCode
          required
          rows={5}
          label="Headers"
          name="headers"
          hint="webhook-id, webhook-timestamp and webhook-signature, one per line or as JSON. Others are ignored."
        />
        <TextArea
          isCode
          required
          rows={5}
          label="Body"
          name="payload"
          hint="Every character counts"
        />
      </ChangeForm>
      {verdict && <Outcome verdict={verdict} />}
    </DialogButton>
  );
}

const noHeaders = 'There’s no header. Paste the request’s own lines, such as “webhook-id: msg_…”.';

function Outcome({ verdict: { fits, causes } }: { verdict: Verdict }) {
  const element = useRef<HTMLDivElement>(null);
  const isFine = fits && causes.length === 0;
  const title = isFine
    ? 'Valid: your receiver should accept this message.'
    : fits
      ? 'The signature is valid, but your receiver may still reject the message.'
      : 'Not valid.';
  useEffect(() => {
    announce(title);
    element.current?.focus();
  }, [title]);
  return (
    <div class={`notice ${isFine ? 'good' : fits ? 'warn' : 'bad'}`} tabIndex={-1} ref={element}>
      <p>
        <b>{title}</b>
      </p>
      {causes.map(({ code, explanation }) => (
        <p key={code}>
          <Sentence text={explanation} />
        </p>
      ))}
    </div>
  );
}
