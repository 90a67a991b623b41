import { ApiFailure, call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { ConfirmButton } from '../parts/buttons.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { ChangeForm, Field } from '../parts/form.tsx';
import { May } from '../parts/may.tsx';
import { localField, localMoment } from '../shared/format.ts';
import type { EmailStory } from './outcomes.ts';

type Send = EmailStory['send'];

/** What can still be done about an email that hasn't gone out. */
export function Waiting({ send, reload }: { send: Send; reload: () => void }) {
  if (send.status !== 'scheduled' && send.status !== 'queued') return null;
  return (
    <>
      {send.status === 'scheduled' && (
        <May ask="PATCH /api/v1/sends/{id}">
          <Reschedule send={send} reload={reload} />
        </May>
      )}
      <May ask="POST /api/v1/sends/{id}/cancel">
        <Cancel send={send} reload={reload} />
      </May>
    </>
  );
}

const tooLate = 'Too late: it’s no longer waiting';

/** Whether the email was still waiting. If not, the page is out of date, and a reload shows what happened. */
async function inTime(change: Promise<unknown>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (error instanceof ApiFailure && error.code === 'send_not_waiting') return false;
    throw error;
  }
}

function Cancel({ send, reload }: { send: Send; reload: () => void }) {
  const act = async () => {
    const isDone = await inTime(call('POST /api/v1/sends/{id}/cancel', { path: { id: send._id } }));
    toast(isDone ? 'Email canceled' : tooLate);
    reload();
  };
  return (
    <ConfirmButton
      label="Cancel…"
      name="Cancel this email"
      look="plain"
      question="Cancel this email?"
      yes="Cancel the email"
      act={act}
    >
      <p>It won’t go out, and its content is deleted. This can’t be undone.</p>
    </ConfirmButton>
  );
}

const Reschedule = ({ send, reload }: { send: Send; reload: () => void }) => (
  <DialogButton label="Reschedule…" title="Send this email at another time">
    <ChangeForm
      submit="Reschedule"
      act={async (typed) => {
        const sendAt = localMoment(typed('sendAt'));
        if (sendAt === undefined) throw new ApiFailure(0, { detail: 'Choose when it goes out.' });
        const path = { id: send._id };
        const isDone = await inTime(call('PATCH /api/v1/sends/{id}', { path, body: { sendAt } }));
        toast(isDone ? 'Rescheduled' : tooLate);
        reload();
      }}
    >
      <Field
        label="Send at"
        name="sendAt"
        type="datetime-local"
        value={localField(send.sendAt)}
        hint="In your time zone. A time in the past sends it now."
        required
      />
    </ChangeForm>
  </DialogButton>
);
