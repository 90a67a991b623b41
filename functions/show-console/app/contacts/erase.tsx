import { useRef } from 'preact/hooks';
import { refuseFailure, request } from '../api-client.ts';
import { ConfirmButton } from '../shared/buttons.tsx';
import { useLongWork } from '../shared/long-work.ts';
import { Foreign } from '../shared/text.tsx';
import { WorkState } from '../shared/work.tsx';

/** How long the service asks to wait before it erases the rest, in seconds; `undefined` if nothing is left. */
type Erasing = { readonly waitFor: number | undefined };

/** Erases a person. Who got many emails takes several requests, and one that is on its way is waited for. */
export function Erase({ email, onErased }: { email: string; onErased: () => void }) {
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
            What is known of <Foreign text={email} /> goes away for good: also from the emails to
            the address. Suppressions stay, so that nobody writes to the person again.
          </p>
          <label class="check">
            <input type="checkbox" ref={box} />
            Forget the emails themselves as well
          </label>
        </ConfirmButton>
      )}
      <WorkState work={work}>
        {({ waitFor = 0 }) => (
          <p>
            {work.state === 'done'
              ? 'The person is erased.'
              : waitFor > 1
                ? 'An email to the person is on its way. It is erased when its outcome is known.'
                : 'There is more to erase.'}
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
