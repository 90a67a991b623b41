import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { ApiFailure } from '../api-client.ts';
import { confirmSession } from '../shared/session.ts';
import { type Called, useAction } from '../shared/use-call.ts';
import { Foreign } from './text.tsx';

/** With what to do, and the request id for the logs. */
export function Failure({
  failure,
  retry,
  isAtField = () => false,
}: {
  failure: ApiFailure;
  retry?: () => void;
  /** Whether the page already shows it beside a field. */
  isAtField?: (path: string) => boolean;
}) {
  if (failure.code === 'key_confirmation_required') return <KeyAgain />;
  const elsewhere = failure.fields.filter(({ path }) => !isAtField(path));
  const isAtFields = failure.fields.length > elsewhere.length;
  return (
    <div class="notice bad" role="alert">
      <p>
        {isAtFields ? (
          'That wasn’t accepted. Fix the marked fields and try again.'
        ) : elsewhere.length > 0 ? (
          'That wasn’t accepted:'
        ) : (
          <Foreign text={failure.message} most={1000} />
        )}
      </p>
      <Elsewhere faults={elsewhere} />
      <WayOut failure={failure} />
      {failure.requestId && !isAtFields && (
        <p class="quiet">
          Request ID, for the logs: <code>{failure.requestId}</code>
        </p>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Faults of fields that this page doesn't have. */
const Elsewhere = ({ faults }: { faults: ApiFailure['fields'] }) =>
  faults.length === 0 ? null : (
    <ul>
      {faults.map(({ path, message }) => (
        <li key={path}>
          <b>
            <Foreign text={path} />
          </b>{' '}
          <Foreign text={message} most={500} />
        </li>
      ))}
    </ul>
  );

const WayOut = ({ failure: { code } }: { failure: ApiFailure }) =>
  code === 'missing_scope' && (
    <p>
      Add it under <a href="/console/keys">API keys</a>, or sign in with another key.
    </p>
  );

/** For actions that need the key besides the session: a step on the way, not a fault. It may be inside a form, so it isn't one itself. */
function KeyAgain() {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isConfirmed, setConfirmed] = useState(false);
  const action = useAction(async () => {
    await confirmSession(input.current?.value.trim() ?? '');
    setConfirmed(true);
  });
  if (isConfirmed) {
    return (
      <p class="notice" role="status">
        API key confirmed. Now try again.
      </p>
    );
  }
  return (
    <div class="notice" role="alert">
      <p>
        <b>First confirm that it’s you.</b> Enter the API key you signed in with, or that made your
        sign-in link.
      </p>
      <div class="field">
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
      </div>
      {action.failure && <p>{action.failure.message}</p>}
      <button type="button" aria-disabled={action.isRunning} onClick={action.run}>
        {action.isRunning ? 'Working…' : 'Confirm'}
      </button>
    </div>
  );
}

export const Empty = ({ title, children }: { title?: string; children?: ComponentChildren }) => (
  <div class="empty">
    {title && <h2>{title}</h2>}
    {children}
  </div>
);

/** A call that's loading, failed or answered. */
export function Shown<Value>({
  of: { value, failure, isLoading, reload },
  children,
}: {
  of: Called<Value>;
  children: (value: Value) => ComponentChildren;
}) {
  if (failure) return <Failure failure={failure} retry={reload} />;
  if (value === undefined) {
    return (
      <div class="loading">
        <p>Loading…</p>
      </div>
    );
  }
  return <div aria-busy={isLoading}>{children(value)}</div>;
}
