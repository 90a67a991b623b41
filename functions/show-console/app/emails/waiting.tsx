import { useRef } from 'preact/hooks';
import { ApiFailure, call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ConfirmButton } from '../shared/buttons.tsx';
import { localField, localMoment } from '../shared/format.ts';
import type { EmailStory } from './outcomes.ts';

type Send = EmailStory['send'];

/** What can still be done about an email that hasn’t gone out. */
export function Waiting({ send, reload }: { send: Send; reload: () => void }) {
  if (send.status !== 'scheduled' && send.status !== 'queued') return null;
  return (
    <p class="buttons">
      {send.status === 'scheduled' && <Move send={send} reload={reload} />}
      <CallOff send={send} reload={reload} />
    </p>
  );
}

function CallOff({ send, reload }: { send: Send; reload: () => void }) {
  const act = async () => {
    await call('POST /api/v1/sends/{id}/cancel', { path: { id: send._id } });
    announce('Canceled');
    reload();
  };
  return (
    <ConfirmButton
      label="Cancel this email…"
      question="Cancel this email?"
      yes="Cancel the email"
      act={act}
    >
      <p>It won’t go out, and its content is deleted. This can’t be undone.</p>
    </ConfirmButton>
  );
}

function Move({ send, reload }: { send: Send; reload: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const act = async () => {
    const sendAt = localMoment(field.current?.value);
    if (sendAt === undefined) throw new ApiFailure(0, { detail: 'Say when it goes out.' });
    await call('PATCH /api/v1/sends/{id}', { path: { id: send._id }, body: { sendAt } });
    announce('Moved');
    reload();
  };
  return (
    <ConfirmButton
      label="Move…"
      question="Send this email at another time?"
      yes="Move it"
      isHarmless
      act={act}
    >
      <p>A time that has passed means at once.</p>
      <label>
        It goes out at{' '}
        <input ref={field} type="datetime-local" defaultValue={localField(send.sendAt) ?? ''} />
      </label>
    </ConfirmButton>
  );
}
