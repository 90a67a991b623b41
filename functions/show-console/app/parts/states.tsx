import type { ComponentChildren } from 'preact';
import type { ApiFailure } from '../api-client.ts';
import type { Called } from '../use-call.ts';
import { Foreign } from './text.tsx';

/** What went wrong, what to do, and the id by which the log has it. */
export const Failure = ({ failure, retry }: { failure: ApiFailure; retry?: () => void }) => (
  <div class="notice bad" role="alert">
    <p>
      <Foreign text={failure.message} most={1000} />
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
