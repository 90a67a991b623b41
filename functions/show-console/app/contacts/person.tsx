import { useRef } from 'preact/hooks';
import type { Answer } from '../../../api.ts';
import { call, refuseFailure, request } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { ConfirmButton } from '../parts/buttons.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { ChangeForm, Checks } from '../parts/form.tsx';
import { useLongWork, WorkState } from '../parts/long-work.tsx';
import { May } from '../parts/may.tsx';
import { Shown } from '../parts/states.tsx';
import { Foreign } from '../parts/text.tsx';
import { may } from '../shared/may.ts';
import { useCall } from '../shared/use-call.ts';

type Contact = Answer<'GET /api/v1/recipients/{email}'>['contact'];

/** What the organization knows about a person, and the person's choices. */
export function Person({
  email,
  contact,
  onChanged,
}: {
  email: string;
  contact: Contact;
  onChanged: () => void;
}) {
  // Nothing else tells a contact from the one that was erased.
  const before = useRef(contact);
  const returns = useRef(0);
  if (contact !== null && before.current === null) returns.current += 1;
  before.current = contact;
  return (
    <>
      {contact === null ? (
        <p class="quiet">You haven’t emailed this address.</p>
      ) : (
        contact.subscriptions.length > 0 && (
          <ul>
            {contact.subscriptions.map(({ categoryKey, subscribed }) => (
              <li key={categoryKey}>
                <Foreign text={categoryKey} />: {subscribed ? 'subscribed' : 'unsubscribed'}
              </li>
            ))}
          </ul>
        )
      )}
      <div class="buttons">
        {contact !== null && may('GET /api/v1/preferences', 'POST /api/v1/preferences') && (
          <DialogButton label="Change preferences…" title="Change preferences" look="small">
            <Preferences email={email} onChanged={onChanged} />
          </DialogButton>
        )}
        <May ask="DELETE /api/v1/contacts/{email}">
          <Erase key={returns.current} email={email} onErased={onChanged} />
        </May>
      </div>
    </>
  );
}

type Chosen = Answer<'GET /api/v1/preferences'>;

/** A person gets every category except those they left. */
function Preferences({ email, onChanged }: { email: string; onChanged: () => void }) {
  const preferences = useCall('GET /api/v1/preferences', { query: { email } });
  return (
    <Shown of={preferences}>
      {({ categories, subscriptions }) =>
        categories.length === 0 ? (
          <p class="quiet">You have no categories yet.</p>
        ) : (
          <ChangeForm
            submit="Save preferences"
            act={async (_, form) => {
              const isWanted = new Set(form.getAll('category'));
              const changed = categories
                .map(({ key }) => ({ categoryKey: key, subscribed: isWanted.has(key) }))
                .filter(
                  ({ categoryKey, subscribed }) =>
                    subscribed !== isSubscribed(subscriptions, categoryKey),
                );
              if (changed.length > 0) {
                const body = { email, subscriptions: changed };
                await call('POST /api/v1/preferences', { body });
              }
              toast(changed.length > 0 ? 'Preferences saved' : 'Nothing to save');
              onChanged();
            }}
          >
            <Checks
              legend="Categories"
              hint="It’s the person’s choice. Change it only when they ask."
              name="category"
              options={categories.map(({ key, name }) => [key, <Foreign key={key} text={name} />])}
              chosen={categories
                .map(({ key }) => key)
                .filter((key) => isSubscribed(subscriptions, key))}
            />
          </ChangeForm>
        )
      }
    </Shown>
  );
}

const isSubscribed = (subscriptions: Chosen['subscriptions'], key: string): boolean =>
  subscriptions.find(({ categoryKey }) => categoryKey === key)?.subscribed ?? true;

/** Seconds to wait before erasing the rest; `undefined` when everything is erased. */
type Erasing = { readonly waitFor: number | undefined };

/** Many emails take several requests, and an email in flight must settle first. */
function Erase({ email, onErased }: { email: string; onErased: () => void }) {
  const box = useRef<HTMLInputElement>(null);
  const alsoSends = useRef(false);
  const work = useLongWork(async (before: Erasing | undefined, signal: AbortSignal) => {
    await pause(before?.waitFor ?? 0, signal);
    const query = alsoSends.current ? { sends: 'true' as const } : {};
    const input = { path: { email }, query };
    const response = await request('DELETE /api/v1/contacts/{email}', input, signal);
    if (response.status === 409)
      return { progress: { waitFor: secondsIn(response) }, isDone: false };
    await refuseFailure(response);
    onErased();
    return { progress: { waitFor: undefined }, isDone: true };
  });
  return (
    <>
      {work.state === 'idle' && (
        <ConfirmButton
          label="Erase…"
          name={`Erase ${email}`}
          question="Erase this person?"
          yes="Erase"
          act={async () => {
            alsoSends.current = box.current?.checked ?? false;
            work.start();
          }}
        >
          <p>
            Everything about <Foreign text={email} /> is permanently deleted, including the address
            in emails sent to it. Suppressions stay, so that the person doesn’t get email again.
          </p>
          <label class="check">
            <input type="checkbox" ref={box} />
            Delete the emails, too
          </label>
        </ConfirmButton>
      )}
      <WorkState work={work}>
        {({ waitFor = 0 }) => (
          <p>
            {work.state === 'done'
              ? 'Erased.'
              : waitFor > 1
                ? 'Waiting for an email in flight. It’s erased as soon as its outcome is known.'
                : 'Erasing…'}
          </p>
        )}
      </WorkState>
    </>
  );
}

const secondsIn = (response: Response): number => Number(response.headers.get('Retry-After') ?? 1);

const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1_000);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
