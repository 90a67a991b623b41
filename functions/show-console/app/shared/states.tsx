import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { ApiFailure } from '../api-client.ts';
import { confirmSession } from './session.ts';
import { Foreign } from './text.tsx';
import { type Called, useAction } from './use-call.ts';

/** What went wrong, what to do, and the id by which the log has it. */
export const Failure = ({ failure, retry }: { failure: ApiFailure; retry?: () => void }) => (
  <div class="notice bad" role="alert">
    <p>
      {failure.code === 'validation_failed' && failure.fields.length > 0 ? (
        'This is not valid:'
      ) : (
        <Foreign text={failure.message} most={1000} />
      )}
    </p>
    {failure.fields.length > 0 && (
      <ul>
        {failure.fields.map(({ path, message }) => (
          <li key={path}>
            <b>
              <Foreign text={path} />
            </b>{' '}
            <Foreign text={message} most={500} />
          </li>
        ))}
      </ul>
    )}
    {failure.code === 'missing_scope' && (
      <p>
        Add it under <a href="/console/settings/keys">API keys</a>, or sign out and in with another
        key.
      </p>
    )}
    {failure.code === 'key_confirmation_required' && <KeyAgain />}
    {failure.requestId && (
      <p class="quiet">
        Request id, to look up in the log: <code>{failure.requestId}</code>
      </p>
    )}
    {retry && (
      <button type="button" onClick={retry}>
        Try again
      </button>
    )}
  </div>
);

/** Asks for the key where the session alone does not suffice. It may stand in a form, so it is none itself. */
function KeyAgain() {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isConfirmed, setConfirmed] = useState(false);
  const action = useAction(async () => {
    await confirmSession(input.current?.value.trim() ?? '');
    setConfirmed(true);
  });
  if (isConfirmed) return <p role="status">API key confirmed. Now repeat what you were doing.</p>;
  return (
    <>
      <p class="field">
        <label for={id}>Your API key</label>
        <input
          ref={input}
          id={id}
          type="password"
          autocomplete="off"
          spellcheck={false}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            action.run();
          }}
        />
      </p>
      {action.failure && <p>{action.failure.message}</p>}
      <button type="button" aria-disabled={action.isRunning} onClick={action.run}>
        {action.isRunning ? 'Working…' : 'Confirm'}
      </button>
    </>
  );
}

const Loading = () => (
  <div class="loading">
    <p>Loading…</p>
  </div>
);

export const Empty = ({ children }: { children: ComponentChildren }) => (
  <div class="empty">{children}</div>
);

/** An answer in each of its states. While it is asked anew, the earlier one stays. */
export function Shown<Value>({
  of: { value, failure, isLoading, reload },
  children,
}: {
  of: Called<Value>;
  children: (value: Value) => ComponentChildren;
}) {
  if (failure) return <Failure failure={failure} retry={reload} />;
  if (value === undefined) return <Loading />;
  return <div aria-busy={isLoading}>{children(value)}</div>;
}
