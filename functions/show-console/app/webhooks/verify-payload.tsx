import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type Answer, ApiFailure, call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ChangeForm } from '../shared/form.tsx';
import { Foreign } from '../shared/text.tsx';
import { pastedHeaders } from './pasted-headers.ts';

type Verdict = Answer<'POST /api/v1/webhooks/{id}/verify'>;

/**
 * Tells a developer why a receiver refuses a message. The service knows the secret and what it sent, so neither is
 * asked for.
 */
export function VerifyPayload({ webhookId: id }: { webhookId: string }) {
  const [verdict, setVerdict] = useState<Verdict>();
  return (
    <details>
      <summary>Verify a payload</summary>
      <p>
        Does your receiver refuse a message? Paste what it got: the headers, and the body as it
        verified it. Your secret stays where it is: the service knows it.
      </p>
      <ChangeForm
        submit="Verify it"
        keeps
        act={async (_, form) => {
          setVerdict(undefined);
          const headers = pastedHeaders(`${form.get('headers')}`);
          if (headers === undefined) throw new ApiFailure(0, { detail: noHeaders });
          const body = { payload: `${form.get('payload')}`, headers };
          setVerdict(await call('POST /api/v1/webhooks/{id}/verify', { path: { id }, body }));
        }}
      >
        <Area
          label="Headers"
          name="headers"
          hint="webhook-id, webhook-timestamp and webhook-signature, one on each line, or as JSON. Others may stand there too."
        />
        <Area label="Body" name="payload" hint="Every character counts." />
      </ChangeForm>
      {verdict && <Outcome verdict={verdict} />}
    </details>
  );
}

const noHeaders =
  'There is no header. Paste lines such as “webhook-id: msg_…”, as the request had them.';

function Area({ label, name, hint }: { label: string; name: string; hint: string }) {
  const id = useId();
  return (
    <p class="field whole">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="code"
        name={name}
        rows={5}
        spellcheck={false}
        autocomplete="off"
        aria-describedby={`${id}-hint`}
        required
      />
      <small id={`${id}-hint`} class="quiet">
        {hint}
      </small>
    </p>
  );
}

function Outcome({ verdict: { fits, causes } }: { verdict: Verdict }) {
  const element = useRef<HTMLDivElement>(null);
  const isFine = fits && causes.length === 0;
  const title = isFine
    ? 'It fits: a receiver should take this message.'
    : fits
      ? 'The signature fits, and yet a receiver may refuse the message.'
      : 'It does not fit.';
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
          <Foreign text={explanation} most={1000} />
        </p>
      ))}
    </div>
  );
}
