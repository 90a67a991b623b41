import type { ComponentChildren } from 'preact';
import { type ApiFailure, session } from '../api-client.ts';
import { type GlyphName, glyphOfTone } from '../shared/glyphs.ts';
import type { Called } from '../shared/use-call.ts';
import { Glyph } from './glyph.tsx';
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
  const elsewhere = failure.fields.filter(({ path }) => !isAtField(path));
  const isAtFields = failure.fields.length > elsewhere.length;
  return (
    <div class="notice bad" role="alert">
      <p>
        {isAtFields ? (
          'That wasn’t accepted. Fix the marked fields and try again.'
        ) : elsewhere.length > 0 ? (
          'That wasn’t accepted:'
        ) : isOfRole(failure) ? (
          'Your role doesn’t include this. Ask an admin of your organization.'
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

const isOfRole = ({ code }: ApiFailure): boolean => code === 'missing_scope' && session.isOfPerson;

const WayOut = ({ failure }: { failure: ApiFailure }) =>
  failure.code === 'missing_scope' && !isOfRole(failure) ? (
    <p>
      Add it under <a href="/console/keys">API keys</a>, or sign in with another key.
    </p>
  ) : null;

/**
 * The answer comes first: `title` is a sentence that says what happened, `children` what to do, as paragraphs, and
 * `actions` has the buttons for it, the main one last.
 */
export const Say = ({
  tone,
  glyph = tone && glyphOfTone[tone],
  title,
  actions,
  children,
}: {
  tone?: 'good' | 'warn' | 'bad';
  glyph?: GlyphName | undefined;
  title: ComponentChildren;
  actions?: ComponentChildren;
  children?: ComponentChildren;
}) => (
  <section class={`say ${tone ?? ''}`}>
    {glyph && <Glyph of={glyph} />}
    <div class="words">
      <h2>{title}</h2>
      {children}
    </div>
    {actions && <div class="do">{actions}</div>}
  </section>
);

export const Empty = ({ title, children }: { title?: string; children?: ComponentChildren }) => (
  <div class="empty">
    {title && <h2>{title}</h2>}
    {children}
  </div>
);

/** Rows to come, seen only if they take their time. */
export const Loading = () => (
  <div class="loading">
    <span class="visually-hidden">Loading…</span>
    {skeleton.map((width) => (
      <svg key={width} viewBox="0 0 100 36" preserveAspectRatio="none" aria-hidden="true">
        <rect y="14" width="9" height="8" />
        <rect x="14" y="14" width={width / 3} height="8" />
        <rect x="40" y="14" width={width} height="8" />
      </svg>
    ))}
  </div>
);

const skeleton = [38, 27, 44, 31, 35, 22];

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
    return <Loading />;
  }
  return <div aria-busy={isLoading}>{children(value)}</div>;
}
