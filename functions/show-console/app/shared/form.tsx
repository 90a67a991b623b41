import type { ComponentChildren, TargetedSubmitEvent } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Failure } from './states.tsx';
import { useAction } from './use-call.ts';

/** What's typed into a form, by name; empty fields are `undefined`. */
export type Typed = (name: string) => string | undefined;

const typedIn =
  (form: FormData): Typed =>
  (name) => {
    const value = form.get(name);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };

type InputType = 'text' | 'email' | 'url' | 'number' | 'password' | 'datetime-local';

type FieldProps = {
  label: string;
  name: string;
  hint?: string;
  type?: InputType;
  value?: string | undefined;
  required?: boolean;
  autocomplete?: string;
};

export function Field({ label, name, hint, value, type = 'text', ...rest }: FieldProps) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      {inputOf(type, {
        id,
        name,
        defaultValue: value ?? '',
        spellcheck: false,
        'aria-describedby': hint ? `${id}-hint` : undefined,
        ...rest,
      })}
      {hint && (
        <small id={`${id}-hint`} class="quiet">
          {hint}
        </small>
      )}
    </p>
  );
}

type InputProps = {
  readonly id: string;
  readonly name: string;
  readonly defaultValue: string;
  readonly spellcheck: boolean;
  readonly 'aria-describedby': string | undefined;
  readonly required?: boolean;
  readonly autocomplete?: string;
};

/** Preact types each kind of input separately. */
function inputOf(type: InputType, props: InputProps) {
  switch (type) {
    case 'text':
      return <input {...props} type="text" />;
    case 'email':
      return <input {...props} type="email" />;
    case 'url':
      return <input {...props} type="url" />;
    case 'number':
      return <input {...props} type="number" />;
    case 'password':
      return <input {...props} type="password" />;
    case 'datetime-local':
      return <input {...props} type="datetime-local" />;
  }
}

export function Choice({
  label,
  name,
  value,
  options,
}: {
  label: string;
  name: string;
  value?: string | undefined;
  options: readonly (readonly [value: string, text: string])[];
}) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} key={value} defaultValue={value ?? ''}>
        {options.map(([one, text]) => (
          <option key={one} value={one} selected={one === (value ?? '')}>
            {text}
          </option>
        ))}
      </select>
    </p>
  );
}

/** A form that searches: submitting it leads to an address. */
export function SearchForm({
  onSearch,
  children,
}: {
  onSearch: (typed: Typed) => void;
  children: ComponentChildren;
}) {
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSearch(typedIn(new FormData(event.currentTarget)));
  };
  return (
    <search>
      <form class="filters" onSubmit={submit}>
        {children}
      </form>
    </search>
  );
}

/** A form that changes something. What's typed stays when that fails. */
export function ChangeForm({
  submit,
  keeps = false,
  act,
  children,
}: {
  submit: string;
  /** Keeps what's typed after success, too. */
  keeps?: boolean;
  act: (typed: Typed, form: FormData) => Promise<void>;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLFormElement>(null);
  const action = useAction(async () => {
    const form = element.current;
    if (form === null) return;
    const typed = new FormData(form);
    await act(typedIn(typed), typed);
    if (!keeps) form.reset();
  });
  return (
    <form
      ref={element}
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      {children}
      {action.failure && <Failure failure={action.failure} />}
      <button type="submit" class="main" aria-disabled={action.isRunning}>
        {action.isRunning ? 'Working…' : submit}
      </button>
    </form>
  );
}

/** A field with several lines. */
export function TextArea({
  label,
  name,
  value = '',
  hint,
  rows = 4,
  isReadOnly = false,
}: {
  label: string;
  name?: string;
  value?: string | undefined;
  hint?: string;
  rows?: number;
  isReadOnly?: boolean;
}) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <textarea
        class="lines"
        id={id}
        name={name}
        rows={rows}
        defaultValue={value}
        readOnly={isReadOnly}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      {hint && (
        <small id={`${id}-hint`} class="quiet">
          {hint}
        </small>
      )}
    </p>
  );
}
